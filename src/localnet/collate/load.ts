import type { Cell } from "../../cell/Cell.ts";
import { runAtOnce, type Steps } from "../../lib/sharing/steps.ts";
import type { BlockLimits } from "../../model/config/limits.ts";
import type { Transaction } from "../../model/Transaction.ts";

/** How much of its limits a block has used. */
export interface BlockLoad {
  readonly bytes: number;
  readonly gas: number;
  readonly ltDelta: number;
}

/** What decides whether a shard is too large or too small. */
export interface BlockUse extends BlockLoad {
  /** Whether a message had no room. */
  readonly isFull: boolean;
  /** How many messages wait in the queue. */
  readonly queueSize: number;
}

/** One bit per block: whether it was nearly empty, or nearly full; the newest is the lowest. */
export interface LoadHistory {
  readonly overload: bigint;
  readonly underload: bigint;
}

const all = (load: BlockLoad, limits: BlockLimits, level: "underload" | "softLimit" | "hardLimit"): boolean =>
  load.bytes <= limits.bytes[level] && load.gas <= limits.gas[level] && load.ltDelta <= limits.ltDelta[level];

/** Queues that are too long: to be split, and to be merged. */
const maxSplitQueue = 100_000;
const maxMergeQueue = 2_047;

export function nextHistory(before: LoadHistory, use: BlockUse, limits: BlockLimits): LoadHistory {
  const push = (history: bigint, bit: boolean): bigint => BigInt.asUintN(64, (history << 1n) | (bit ? 1n : 0n));
  const isOver = use.isFull || !all(use, limits, "softLimit");
  const isUnder = !isOver && all(use, limits, "underload");
  return {
    overload: push(before.overload, isOver && use.queueSize <= maxSplitQueue),
    underload: push(before.underload, isUnder && use.queueSize <= maxMergeQueue),
  };
}

/** Whether a history requires a split or a merge: recent blocks count threefold, those before them twice. */
export function weighsIn(history: bigint): boolean {
  const count = (shift: bigint): number => {
    let bits = (history >> shift) & 0xffffn;
    let sum = 0;
    for (; bits > 0n; bits &= bits - 1n) sum++;
    return sum;
  };
  return count(0n) * 3 + count(16n) * 2 + count(32n) >= 64;
}

/** Cells that are counted in one step. */
const countedPerStep = 2_000;

/** The approximate size of trees in a block: distinct cells with their data and references, each counted once. */
export class BlockBytes {
  readonly #seen = new Set<Cell>();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  add(root: Cell): void {
    runAtOnce(this.addInSteps(root));
  }

  *addInSteps(root: Cell): Steps<void> {
    const stack = [root];
    for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
      if (this.#seen.has(cell)) continue;
      if (this.#seen.size % countedPerStep === 0) yield;
      this.#seen.add(cell);
      this.#bytes += 2 + ((cell.bitLength + 7) >> 3) + cell.refCount * 2;
      for (let i = 0; i < cell.refCount; i++) stack.push(cell.ref(i));
    }
  }
}

/** Gas that a transaction used. */
export function gasOf({ description }: Transaction): number {
  return "compute" in description && description.compute.kind === "vm" ? description.compute.details.gasUsed : 0;
}

/** Whether a block should accept no more messages. */
export function isFull(load: BlockLoad, limits: BlockLimits): boolean {
  return !all(load, limits, "softLimit");
}

/**
 * Whether a block is half way from the limit at which it accepts no more messages to the one that it must not reach.
 */
export function isOverfull(load: BlockLoad, { bytes, gas, ltDelta }: BlockLimits): boolean {
  const isOver = (used: number, { softLimit, hardLimit }: BlockLimits["bytes"]): boolean =>
    used > (softLimit + hardLimit) / 2;
  return isOver(load.bytes, bytes) || isOver(load.gas, gas) || isOver(load.ltDelta, ltDelta);
}

/**
 * The approximate size that a transaction adds to a block besides itself: message descriptors, account block, state
 * update. In full blocks of transfers it is 540 bytes; in small ones, which do not come near the limits, up to 710.
 */
export const transactionOverhead = 550;

/**
 * The approximate size that a message put into the queue, or taken out of it, adds to a block: its descriptor, and the
 * changed part of the queue in both halves of the state update. With 10,000 to 200,000 messages waiting it is 450 to
 * 870 bytes.
 */
export const queueOverhead = 700;
