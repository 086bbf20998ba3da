import type { Cell } from "../../cell/Cell.ts";
import { CellKind } from "../../cell/CellKind.ts";
import { uint } from "../../cell/codec.ts";
import { type Dictionary, makeDictionary } from "../../cell/dictionary.ts";
import { hashKey } from "../../cell/keys.ts";
import { type Hash, zeroHash } from "../../model/Hash.ts";

/** Merkle proofs and updates inside one another: more than this is refused in states, messages and libraries. */
export const maxMerkleDepth = 2;

/** Depths are counted up to here. */
const merkleDepthLimit = 3;

/** Different cells below some roots. */
export interface StorageStat {
  readonly cells: number;
  readonly bits: number;
  readonly merkleDepth: number;
}

/** Counts different cells, root after root, until there are more than a limit. */
export class CellCounter {
  cells = 0;
  bits = 0;
  merkleDepth = 0;
  readonly #limit: number;
  readonly #depths = new Map<Hash, number>();

  constructor(limit = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
  }

  /** Whether all of it was counted. */
  add(root: Cell): boolean {
    const depth = this.#visit(root);
    if (depth === undefined) return false;
    this.merkleDepth = Math.max(this.merkleDepth, depth);
    return true;
  }

  /** The Merkle depth of the cell, or `undefined` beyond the limit. Recursion is as deep as cells are, 1,024 at most. */
  #visit(cell: Cell): number | undefined {
    const hash = cell.hash();
    const known = this.#depths.get(hash);
    if (known !== undefined) return known;
    this.cells++;
    if (this.cells > this.#limit) return undefined;
    this.bits += cell.bitLength;
    let depth = 0;
    for (let i = 0; i < cell.refCount; i++) {
      const below = this.#visit(cell.ref(i));
      if (below === undefined) return undefined;
      depth = Math.max(depth, below);
    }
    if (cell.kind >= CellKind.merkleProof) depth++;
    this.#depths.set(hash, depth);
    return depth;
  }
}

interface CountedCell {
  /** References to it, from other cells and from the account. */
  uses: number;
  merkleDepth: number;
}

/** The cells of an account's state with how often each is referred to: what the storage dictionary lists. */
export class StateCells implements StorageStat {
  cells = 0;
  bits = 0;
  merkleDepth = 0;
  readonly #entries = new Map<Hash, CountedCell>();

  constructor(roots: readonly Cell[]) {
    for (const root of roots) this.merkleDepth = Math.max(this.merkleDepth, this.#visit(root));
  }

  #visit(cell: Cell): number {
    const hash = cell.hash();
    const known = this.#entries.get(hash);
    if (known !== undefined) {
      known.uses++;
      return known.merkleDepth;
    }
    const entry: CountedCell = { uses: 1, merkleDepth: 0 };
    this.#entries.set(hash, entry);
    this.cells++;
    this.bits += cell.bitLength;
    for (let i = 0; i < cell.refCount; i++) entry.merkleDepth = Math.max(entry.merkleDepth, this.#visit(cell.ref(i)));
    if (cell.kind >= CellKind.merkleProof) entry.merkleDepth++;
    entry.merkleDepth = Math.min(entry.merkleDepth, merkleDepthLimit);
    return entry.merkleDepth;
  }

  /** Hash of the dictionary from cell hashes to uses (32 bits) and Merkle depths (2 bits). */
  dictionaryHash(): Hash {
    const leaves: [Hash, number][] = [];
    for (const [hash, { uses, merkleDepth }] of this.#entries) leaves.push([hash, uses * 4 + merkleDepth]);
    const dictionary: Dictionary<Hash, number> = makeDictionary(hashKey, uint(34), leaves);
    return dictionary.root?.hash() ?? zeroHash;
  }
}
