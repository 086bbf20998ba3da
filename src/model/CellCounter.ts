import type { Cell } from "../cell/Cell.ts";
import { CellKind } from "../cell/CellKind.ts";
import { uint } from "../cell/codec.ts";
import { makeDictionary } from "../cell/dictionary.ts";
import { hashKey } from "../cell/keys.ts";
import { type Hash, zeroHash } from "./Hash.ts";

/** Merkle proofs and updates inside one another: more than this is refused in states, messages and libraries. */
export const maxMerkleDepth = 2;

/** Depths are counted up to here. */
const merkleDepthLimit = 3;

/** Uses and Merkle depth of a cell in one number, as the storage dictionary holds them: the depth in the two lowest bits. */
type Counted = number;
const oneUse = 4;

/** What an account's code adds to its state: the same for all accounts with that code, and kept for as long as it is. */
const countedCodes = new WeakMap<Cell, CellCounter>();

/** Counts different cells, root after root, until there are more than a limit. */
export class CellCounter {
  cells = 0;
  bits = 0;
  merkleDepth = 0;
  readonly #limit: number;
  #entries = new Map<Hash, Counted>();

  constructor(limit = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
  }

  /** Counts the cells below the roots of a state; the first one is code, or at least changes least. */
  static ofState([first, ...others]: readonly Cell[]): CellCounter {
    const counter = new CellCounter();
    if (first === undefined) return counter;
    let code = countedCodes.get(first);
    if (code === undefined) {
      code = new CellCounter();
      code.add(first);
      countedCodes.set(first, code);
    }
    counter.cells = code.cells;
    counter.bits = code.bits;
    counter.merkleDepth = code.merkleDepth;
    counter.#entries = new Map(code.#entries);
    for (const root of others) counter.add(root);
    return counter;
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
    const known = this.#entries.get(hash);
    if (known !== undefined) {
      this.#entries.set(hash, known + oneUse);
      return known & 3;
    }
    this.cells++;
    if (this.cells > this.#limit) return undefined;
    this.bits += cell.bitLength;
    let depth = 0;
    for (let i = 0; i < cell.refCount; i++) {
      const below = this.#visit(cell.ref(i));
      if (below === undefined) return undefined;
      depth = Math.max(depth, below);
    }
    if (cell.kind >= CellKind.merkleProof) depth = Math.min(depth + 1, merkleDepthLimit);
    this.#entries.set(hash, oneUse + depth);
    return depth;
  }

  /** Hash of the storage dictionary, which lists every cell with its uses (32 bits) and its Merkle depth (2 bits). */
  dictionaryHash(): Hash {
    return makeDictionary(hashKey, uint(34), this.#entries).root?.hash() ?? zeroHash;
  }
}
