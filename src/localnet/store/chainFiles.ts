/** What lies in the folder of a chain, besides its lock. */
export const chainFiles = { header: "chain.json", blocks: "blocks.log", states: "states" } as const;
