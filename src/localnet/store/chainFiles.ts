/** The files of a chain's folder, besides its lock. */
export const chainFiles = { header: "chain.json", blocks: "blocks.log", states: "states", head: "head" } as const;
