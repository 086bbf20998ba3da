import type { Cell } from "../../cell/Cell.ts";
import { CellKind } from "../../cell/CellKind.ts";
import { uint } from "../../cell/codec.ts";
import { makeDictionary } from "../../cell/dictionary.ts";
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

/** Uses and Merkle depth of a cell in one number, as the dictionary holds them: the depth in the two lowest bits. */
type Counted = number;

const oneUse = 4;

/** What an account's code adds to its state: the same for all accounts with that code, and kept for as long as it is. */
const countedCodes = new WeakMap<Cell, StateCells>();

/** The cells of an account's state with how often each is referred to: what the storage dictionary lists. */
export class StateCells implements StorageStat {
  cells = 0;
  bits = 0;
  merkleDepth = 0;
  #entries = new Map<Hash, Counted>();

  /** Counts the cells below these roots; the first one is code, or at least changes least. */
  static of(roots: readonly Cell[]): StateCells {
    const [first, ...others] = roots;
    const stat = new StateCells();
    if (first === undefined) return stat;
    stat.#copy(StateCells.#ofCode(first));
    for (const root of others) stat.#add(root);
    return stat;
  }

  static #ofCode(code: Cell): StateCells {
    const known = countedCodes.get(code);
    if (known !== undefined) return known;
    const stat = new StateCells();
    stat.#add(code);
    countedCodes.set(code, stat);
    return stat;
  }

  #copy(other: StateCells): void {
    this.cells = other.cells;
    this.bits = other.bits;
    this.merkleDepth = other.merkleDepth;
    this.#entries = new Map(other.#entries);
  }

  #add(root: Cell): void {
    this.merkleDepth = Math.max(this.merkleDepth, this.#visit(root));
  }

  #visit(cell: Cell): number {
    const hash = cell.hash();
    const known = this.#entries.get(hash);
    if (known !== undefined) {
      this.#entries.set(hash, known + oneUse);
      return known & 3;
    }
    this.cells++;
    this.bits += cell.bitLength;
    let depth = 0;
    for (let i = 0; i < cell.refCount; i++) depth = Math.max(depth, this.#visit(cell.ref(i)));
    if (cell.kind >= CellKind.merkleProof) depth = Math.min(depth + 1, merkleDepthLimit);
    this.#entries.set(hash, oneUse + depth);
    return depth;
  }

  /** Hash of the dictionary from cell hashes to uses (32 bits) and Merkle depths (2 bits). */
  dictionaryHash(): Hash {
    const dictionary = makeDictionary(hashKey, uint(34), this.#entries);
    return dictionary.root?.hash() ?? zeroHash;
  }
}
