/** A cell as it is shown: its bits, its references, and the hash by which it is known. */
export interface Cell {
  /** Whole bytes; bits after `bitLength` are zero. */
  readonly bytes: Uint8Array;
  readonly bitLength: number;
  readonly refs: readonly Cell[];
  readonly kind: CellKind;
  /** Hex of the representation hash. */
  readonly hash: string;
  readonly depth: number;
  /** Which levels differ, one bit a level; zero outside of proofs. */
  readonly levelMask: number;
  /** Hash and depth of each level that differs, the lowest first. */
  readonly levels: readonly CellLevel[];
}

export interface CellLevel {
  readonly hash: Uint8Array;
  readonly depth: number;
}

export type CellKind = "ordinary" | "pruned" | "library" | "proof" | "update";

/** What is wrong with a bag of cells. */
export class BagError extends Error {
  override readonly name = "BagError";
}
