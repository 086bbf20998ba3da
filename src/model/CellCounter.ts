import { CellKind } from "../cell/base/CellKind.ts";
import { makeDictionaryInSteps } from "../cell/buildInSteps.ts";
import type { Cell } from "../cell/Cell.ts";
import { uint } from "../cell/codec.ts";
import { hashKey } from "../cell/keys.ts";
import { runAtOnce, type Steps } from "../lib/sharing/steps.ts";
import { type Hash, zeroHash } from "./Hash.ts";

/** Merkle proofs and updates inside one another: more than this is refused in states, messages and libraries. */
export const maxMerkleDepth = 2;

/** Depths are counted up to here. */
const merkleDepthLimit = 3;

/**
 * Uses and Merkle depth of a cell in one number, as the storage dictionary holds them: the depth in the two lowest
 * bits.
 */
type Counted = number;
const oneUse = 4;

/**
 * What an account's code adds to its state: the same for all accounts with that code, and kept for as long as it is.
 */
const countedCodes = new WeakMap<Cell, CellCounter>();

/** References that are followed in one step. */
const refsPerStep = 500;

/** A cell some of whose references are not counted yet. */
interface Open {
  readonly cell: Cell;
  readonly hash: Hash;
  next: number;
  depth: number;
}

/** Counts different cells, root after root, until there are more than a limit. */
export class CellCounter {
  cells = 0;
  bits = 0;
  merkleDepth = 0;
  readonly #limit: number;
  #entries = new Map<Hash, Counted>();
  /** The way to the cell that is being counted. */
  readonly #path: Open[] = [];

  constructor(limit = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
  }

  /** Counts the cells below the roots of a state; the first one is code, or at least changes least. */
  static *ofState([first, ...others]: readonly Cell[]): Steps<CellCounter> {
    const counter = new CellCounter();
    if (first === undefined) return counter;
    let code = countedCodes.get(first);
    if (code === undefined) {
      code = new CellCounter();
      yield* code.addInSteps(first);
      countedCodes.set(first, code);
    }
    counter.cells = code.cells;
    counter.bits = code.bits;
    counter.merkleDepth = code.merkleDepth;
    counter.#entries = yield* copyInSteps(code.#entries);
    for (const root of others) yield* counter.addInSteps(root);
    return counter;
  }

  /** Whether all of it was counted. */
  add(root: Cell): boolean {
    return runAtOnce(this.addInSteps(root));
  }

  /** Like `add`, for any number of cells. */
  *addInSteps(root: Cell): Steps<boolean> {
    if (this.#enter(root) !== undefined) return true;
    while (this.#path.length > 0 && this.cells <= this.#limit) if (this.#follow(refsPerStep) === 0) yield;
    const isWhole = this.#path.length === 0;
    this.#path.length = 0;
    return isWhole;
  }

  /** The Merkle depth of a cell that is counted already; any other becomes the end of the path. */
  #enter(cell: Cell): number | undefined {
    const hash = cell.hash();
    const known = this.#entries.get(hash);
    if (known !== undefined) {
      this.#entries.set(hash, known + oneUse);
      return known & 3;
    }
    this.cells++;
    if (this.cells <= this.#limit) this.bits += cell.bitLength;
    this.#path.push({ cell, hash, next: 0, depth: 0 });
    return undefined;
  }

  /** Follows this many references; returns how many it left because the path ended or the limit was exceeded. */
  #follow(max: number): number {
    let left = max;
    let open = this.#path.at(-1);
    while (open !== undefined && left > 0 && this.cells <= this.#limit) {
      if (open.next === open.cell.refCount) {
        open = this.#leave(open);
        continue;
      }
      left--;
      const depth = this.#enter(open.cell.ref(open.next++));
      if (depth === undefined) open = this.#path.at(-1);
      else if (depth > open.depth) open.depth = depth;
    }
    return left;
  }

  /** All below a cell is counted. Gives the cell above it. */
  #leave({ cell, hash, depth: below }: Open): Open | undefined {
    const depth = cell.kind >= CellKind.merkleProof ? Math.min(below + 1, merkleDepthLimit) : below;
    this.#entries.set(hash, oneUse + depth);
    this.#path.pop();
    const above = this.#path.at(-1);
    if (above === undefined) this.merkleDepth = Math.max(this.merkleDepth, depth);
    else if (depth > above.depth) above.depth = depth;
    return above;
  }

  /** Hash of the storage dictionary, which lists every cell with its uses (32 bits) and its Merkle depth (2 bits). */
  *dictionaryHash(): Steps<Hash> {
    const { root } = yield* makeDictionaryInSteps(hashKey, uint(34), this.#entries);
    return root?.hash() ?? zeroHash;
  }
}

/** Entries that are copied in one step, and the most that are copied as they are. */
const copiedPerStep = 4000;

function* copyInSteps<K, V>(entries: ReadonlyMap<K, V>): Steps<Map<K, V>> {
  if (entries.size <= copiedPerStep) return new Map(entries);
  const copy = new Map<K, V>();
  for (const [key, value] of entries) if (copy.set(key, value).size % copiedPerStep === 0) yield;
  return copy;
}
