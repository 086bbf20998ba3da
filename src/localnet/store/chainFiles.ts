/** The files of a chain's folder, besides its lock. */
export const chainFiles = { header: "chain.json", blocks: "blocks.log", states: "states", head: "head" } as const;

/** The file of what a fork has of the chain it continues. A snapshot that comes into the folder leaves it. */
export const forkFile = "fork.cells";
