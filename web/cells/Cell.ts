/** A cell for display: its bits, references and hash. */
export interface Cell {
  /** Whole bytes; bits after `bitLength` are zero. */
  readonly bytes: Uint8Array;
  readonly bitLength: number;
  readonly refs: readonly Cell[];
  readonly kind: CellKind;
  /** Hex of the representation hash. */
  readonly hash: string;
  readonly depth: number;
  /** The level mask, one bit per level; zero outside proofs. */
  readonly levelMask: number;
  /** Hash and depth of each significant level, lowest first. */
  readonly levels: readonly CellLevel[];
}

export interface CellLevel {
  readonly hash: Uint8Array;
  readonly depth: number;
}

export type CellKind = "ordinary" | "pruned" | "library" | "proof" | "update";

/** An invalid bag of cells. */
export class BagError extends Error {
  override readonly name = "BagError";
}
