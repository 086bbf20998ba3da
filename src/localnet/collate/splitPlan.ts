import { shardPrefixLength } from "../../model/block/BlockId.ts";
import type { ShardDescription, ShardTop } from "../../model/block/ShardHashes.ts";
import type { WorkchainDescr } from "../../model/config/WorkchainDescr.ts";

/** Timings of workchains whose description has none. */
const usualTimings = { splitMergeDelay: 100, splitMergeInterval: 100 };

/**
 * A shard top with its plan to split, as a masterchain block stores it: a shard that is larger than its workchain
 * allows, or overloaded, splits some time later, within an interval. Merges are not planned, so shards of a local
 * network split and never merge.
 */
export function planSplit(top: ShardTop, workchain: WorkchainDescr | undefined, now: number): ShardTop {
  const { description } = top;
  if (workchain === undefined) return top;
  const depth = shardPrefixLength(top.shard);
  const wants = (description.wantSplit || depth < workchain.minSplit) && depth < workchain.maxSplit;
  const { splitMergeAt } = description;
  const isOver = splitMergeAt.kind !== "none" && now > splitMergeAt.at + splitMergeAt.interval;
  if (splitMergeAt.kind === "split" && wants && !isOver) return top;
  if (wants && !description.beforeSplit) {
    const timings = workchain.kind === "v2" ? workchain.splitMergeTimings : usualTimings;
    const at = now + timings.splitMergeDelay;
    return withPlan(top, { kind: "split", at, interval: timings.splitMergeInterval });
  }
  return splitMergeAt.kind === "none" ? top : withPlan(top, { kind: "none" });
}

function withPlan(top: ShardTop, splitMergeAt: ShardDescription["splitMergeAt"]): ShardTop {
  return { ...top, description: { ...top.description, kind: "new", splitMergeAt } };
}

/** Whether the next block of a shard is its last one before it splits. */
export function isSplitDue({ splitMergeAt, beforeSplit }: ShardDescription, now: number): boolean {
  if (splitMergeAt.kind !== "split" || beforeSplit) return false;
  return now > splitMergeAt.at && now < splitMergeAt.at + splitMergeAt.interval;
}
