/** The kind of a cell; exotic kinds have the type byte of the format. */
export const CellKind = { ordinary: 0, pruned: 1, library: 2, merkleProof: 3, merkleUpdate: 4 } as const;
export type CellKind = (typeof CellKind)[keyof typeof CellKind];

export const cellKindNames = ["ordinary", "pruned", "library", "merkleProof", "merkleUpdate"] as const;

export const maxDepth = 1024;
export const maxBits = 1023;
export const maxRefs = 4;
