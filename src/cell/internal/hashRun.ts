import { CellKind, maxDepth } from "../base/CellKind.ts";
import type { BagArrays } from "./BagArrays.ts";
import { type Lanes, laneCount, lanes } from "./lanes.ts";
import { hashIndex, levelCount, levelOfHash } from "./levels.ts";

/**
 * How far a cell is hashed: all its hashes, or only the one of the lowest level. A collected cell is hashed before the
 * run ends, unless the run fails.
 */
export const hashState = { none: 0, done: 1, lowest: 2, collected: 3, collectedLowest: 4 } as const;

/** Which hashes are needed: those of all levels, or only those of the lowest, which proofs refer to. */
export type HashReach = "all" | "lowest";

/** The input of a run: the cells, and the hashes it fills. */
export interface HashTarget {
  readonly arrays: BagArrays;
  /** The hashes by slot. */
  readonly bytes: Buffer;
  /** The same memory as words, eight per hash. */
  readonly hashes: Int32Array;
  /** A `hashState` per cell. */
  readonly states: Uint8Array;
  /** Called for each cell whose hashes are computed; refuses it by throwing. */
  check(index: number): void;
}

/** Hashes cells and all cells below them, four at a time. Stops at the first refused cell. */
export function hashCells(target: HashTarget, roots: readonly number[], reach: HashReach = "all"): void {
  // Hashes that came with the bag are compared cell by cell, all levels of a cell together.
  const isLowest = reach === "lowest" && target.arrays.storedAt === undefined;
  const cells = inBagOrder(isLowest ? collectLowest(target, roots) : collect(target, roots), target.states);
  try {
    new HashRun(target, lanes()).run(order(target, cells));
  } finally {
    // A refused cell is refused again on the next call.
    const { states } = target;
    for (const cell of cells) if ((states[cell] as number) >= hashState.collected) states[cell] = hashState.none;
  }
}

function collect({ arrays, states }: HashTarget, roots: readonly number[]): number[] {
  const found: number[] = [];
  const { refs, refCounts } = arrays;
  for (const root of roots) {
    if (states[root] === hashState.done || states[root] === hashState.collected) continue;
    states[root] = hashState.collected;
    found.push(root);
  }
  for (let i = 0; i < found.length; i++) {
    const index = found[i] as number;
    for (let j = index * 4, end = j + (refCounts[index] as number); j < end; j++) {
      const child = refs[j] as number;
      if (states[child] === hashState.done || states[child] === hashState.collected) continue;
      states[child] = hashState.collected;
      found.push(child);
    }
  }
  return found;
}

/**
 * Collects what the lowest hashes need. A pruned branch has its own hash in its data. Cells below a Merkle cell are
 * needed at a higher level, so all their hashes are collected, also when only the lowest was needed elsewhere.
 */
function collectLowest(target: HashTarget, roots: readonly number[]): number[] {
  const { arrays: a, states } = target;
  const met: number[] = [];
  const whole: number[] = [];
  const meet = (index: number) => {
    if (states[index] !== hashState.none || a.kinds[index] === CellKind.pruned) return;
    states[index] = hashState.collectedLowest;
    met.push(index);
  };
  for (const root of roots) meet(root);
  for (let i = 0; i < met.length; i++) {
    const index = met[i] as number;
    const isMerkle = (a.kinds[index] as CellKind) >= CellKind.merkleProof;
    for (let j = index * 4, end = j + (a.refCounts[index] as number); j < end; j++) {
      if (isMerkle) whole.push(a.refs[j] as number);
      else meet(a.refs[j] as number);
    }
  }
  const found = collect(target, whole);
  for (const index of met) {
    if (states[index] !== hashState.collectedLowest) continue;
    // A cell with one hash: it is both the lowest and the highest.
    if (a.masks[index] === 0) states[index] = hashState.collected;
    found.push(index);
  }
  return found;
}

/** Many cells are processed in bag order, so that memory is read sequentially. */
function inBagOrder(found: number[], states: Uint8Array): number[] {
  let first = states.length;
  let last = 0;
  for (const index of found) {
    if (index < first) first = index;
    if (index > last) last = index;
  }
  if (last - first > found.length * 8) return found;
  let count = 0;
  for (let index = first; index <= last; index++)
    if ((states[index] as number) >= hashState.collected) found[count++] = index;
  return found;
}

/** How often each key of `order` occurs; all zeros between runs. Kept because it is larger than most bags. */
const counts = new Int32Array((maxDepth + 1) * 32 + 1);

/**
 * One hash to compute: cell × 4 + number of the hash, from the lowest level up. Sorted by height, number, then length
 * (longest first): dependencies come first, and hashes computed together have about the same length.
 */
function order({ arrays: a, states }: HashTarget, cells: readonly number[]): readonly number[] {
  const jobs: number[] = [];
  const keys: number[] = [];
  let last = 0;
  for (const cell of cells) {
    const slot = a.slots[cell] as number;
    const count = (a.slots[cell + 1] as number) - slot;
    // At the highest level pruned branches have no depth, so this is the height of the cells that exist.
    const height = a.depths[slot + count - 1] as number;
    const refsSize = (a.refCounts[cell] as number) * 34;
    const wanted = states[cell] === hashState.collectedLowest ? 1 : count;
    for (let number = 0; number < wanted; number++) {
      const length = refsSize + (number === 0 ? ((a.bitLengths[cell] as number) + 7) >> 3 : 32) + 2;
      const key = height * 32 + number * 8 + 7 - ((length + 72) >>> 6);
      jobs.push(cell * 4 + number);
      keys.push(key);
      counts[key + 1] = (counts[key + 1] as number) + 1;
      if (key > last) last = key;
    }
  }
  for (let key = 1; key <= last; key++) counts[key] = (counts[key] as number) + (counts[key - 1] as number);
  const sorted = jobs.slice();
  for (let i = 0; i < jobs.length; i++) {
    const key = keys[i] as number;
    const at = counts[key] as number;
    counts[key] = at + 1;
    sorted[at] = jobs[i] as number;
  }
  counts.fill(0, 0, last + 2);
  return sorted;
}

class HashRun {
  readonly #target: HashTarget;
  readonly #lanes: Lanes;
  /** The hashes in the lanes that are not computed yet. */
  readonly #waiting = [0, 0, 0, 0];
  #filled = 0;

  constructor(target: HashTarget, lanes: Lanes) {
    this.#target = target;
    this.#lanes = lanes;
  }

  run(jobs: readonly number[]): void {
    for (let i = 0; i < jobs.length; i++) {
      const job = jobs[i] as number;
      if (this.#filled === laneCount || (this.#filled > 0 && !this.#isReady(job))) this.#flush();
      this.#waiting[this.#filled] = job;
      this.#assemble(this.#filled++, job >>> 2, job & 3);
    }
    if (this.#filled > 0) this.#flush();
  }

  /** Whether no needed hash is still in a lane. */
  #isReady(job: number): boolean {
    const { arrays, states } = this.#target;
    if ((job & 3) !== 0)
      for (let lane = 0; lane < this.#filled; lane++) if (this.#waiting[lane] === job - 1) return false;
    const first = job & ~3;
    for (let j = first, end = j + (arrays.refCounts[job >>> 2] as number); j < end; j++)
      if ((states[arrays.refs[j] as number] as number) >= hashState.collected) return false;
    return true;
  }

  #flush(): void {
    const { arrays, hashes, states } = this.#target;
    const filled = this.#filled;
    this.#filled = 0;
    this.#lanes.run(filled);
    for (let lane = 0; lane < filled; lane++) {
      const job = this.#waiting[lane] as number;
      const index = job >>> 2;
      const slot = (arrays.slots[index] as number) + (job & 3);
      this.#lanes.take(lane, hashes, slot);
      const isLowest = states[index] === hashState.collectedLowest;
      if (!isLowest && slot + 1 !== arrays.slots[index + 1]) continue;
      this.#target.check(index);
      states[index] = isLowest ? hashState.lowest : hashState.done;
    }
  }

  #assemble(lane: number, index: number, number: number): void {
    const { arrays: a, hashes } = this.#target;
    const l = this.#lanes;
    const kind = a.kinds[index] as CellKind;
    const mask = a.masks[index] as number;
    const refCount = a.refCounts[index] as number;
    const bits = a.bitLengths[index] as number;
    const level = mask === 0 || kind === CellKind.pruned ? 3 : levelOfHash(mask, number);
    let at: number;
    if (number === 0) {
      at = l.begin(lane, kind, mask & ((1 << level) - 1), refCount, bits, (bits + 7) >> 3);
      at = l.data(a.bytes, a.dataAt[index] as number, bits, at);
    } else {
      at = l.begin(lane, kind, mask & ((1 << level) - 1), refCount, bits, 32);
      at = l.lowerHash(hashes, (a.slots[index] as number) + number - 1, at);
    }
    const childLevel = kind >= CellKind.merkleProof ? level + 1 : level;
    let hashAt = at + refCount * 2;
    for (let j = index * 4, end = j + refCount; j < end; j++, at += 2, hashAt += 32) {
      const child = a.refs[j] as number;
      if (a.masks[child] === 0) {
        const slot = a.slots[child] as number;
        l.depth(a.depths[slot] as number, at);
        l.childHash(hashes, slot, hashAt);
      } else {
        this.#childAt(child, childLevel, at, hashAt);
      }
    }
    l.finish(lane, hashAt);
  }

  #childAt(child: number, level: number, depthAt: number, hashAt: number): void {
    const { arrays: a, hashes } = this.#target;
    const mask = a.masks[child] as number;
    const number = hashIndex(mask, level);
    const count = levelCount(mask);
    const isPruned = a.kinds[child] === CellKind.pruned;
    if (isPruned && number < count) {
      const data = (a.dataAt[child] as number) + 2;
      this.#lanes.depth(a.bytes.readUInt16BE(data + count * 32 + number * 2), depthAt);
      this.#lanes.childBytes(a.bytes, data + number * 32, hashAt);
    } else {
      const slot = (a.slots[child] as number) + (isPruned ? 0 : number);
      this.#lanes.depth(a.depths[slot] as number, depthAt);
      this.#lanes.childHash(hashes, slot, hashAt);
    }
  }
}
