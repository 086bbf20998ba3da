import { shardPrefixLength } from "../../model/block/BlockId.ts";
import type { ShardDescription, ShardTop } from "../../model/block/ShardHashes.ts";
import type { WorkchainDescr } from "../../model/config/WorkchainDescr.ts";

/** Timings of workchains whose description has none. */
const usualTimings = { splitMergeDelay: 100, splitMergeInterval: 100 };

type Plan = ShardDescription["splitMergeAt"];
/** What a masterchain block decides of a shard. */
type Decision = Pick<ShardDescription, "splitMergeAt" | "beforeMerge">;

/**
 * A shard top with its plan to split or to merge with its sibling, as a masterchain block stores it. A shard that is
 * larger than its workchain allows, or overloaded, splits some time later, within an interval; two that are smaller
 * than it allows, or both underloaded, merge.
 */
export function planShard(
  top: ShardTop,
  sibling: ShardDescription | undefined,
  workchain: WorkchainDescr | undefined,
  now: number,
): ShardTop {
  if (workchain === undefined) return top;
  const { description } = top;
  const decision = decide(top, sibling, workchain, now);
  const { splitMergeAt, beforeMerge } = description;
  if (decision.splitMergeAt === splitMergeAt && decision.beforeMerge === beforeMerge) return top;
  // Validators who did not merge their shards in time begin a new session.
  const nextCatchainSeqno = description.nextCatchainSeqno + (beforeMerge && !decision.beforeMerge ? 1 : 0);
  return { ...top, description: { ...description, kind: "new", ...decision, nextCatchainSeqno } };
}

function decide(
  { shard, description }: ShardTop,
  sibling: ShardDescription | undefined,
  workchain: WorkchainDescr,
  now: number,
): Decision {
  const plan = isOver(description, sibling, now) ? ({ kind: "none" } as const) : description.splitMergeAt;
  if (description.beforeSplit) return { splitMergeAt: plan, beforeMerge: false };
  const depth = shardPrefixLength(shard);
  const { minSplit, maxSplit } = workchain;
  const wantsSplit = (description.wantSplit || depth < minSplit) && depth < maxSplit;
  const wantsMerge = depth > maxSplit || (description.wantMerge && sibling?.wantMerge === true);
  const canMerge = depth > minSplit && sibling !== undefined && !sibling.beforeSplit && wantsMerge;
  if (plan.kind === "none") {
    const timings = workchain.kind === "v2" ? workchain.splitMergeTimings : usualTimings;
    const times = { at: now + timings.splitMergeDelay, interval: timings.splitMergeInterval };
    if (wantsSplit) return { splitMergeAt: { kind: "split", ...times }, beforeMerge: false };
    if (canMerge && sibling.splitMergeAt.kind === "none")
      return { splitMergeAt: { kind: "merge", ...times }, beforeMerge: false };
  }
  const beforeMerge = canMerge && isMergeDue(plan, now) && isMergeDue(sibling.splitMergeAt, now);
  return { splitMergeAt: plan, beforeMerge };
}

/** Whether a plan was not executed within its interval, or cannot be any more. */
function isOver({ splitMergeAt, beforeSplit }: ShardDescription, sibling: ShardDescription | undefined, now: number) {
  if (splitMergeAt.kind === "none") return false;
  if (beforeSplit || now >= splitMergeAt.at + splitMergeAt.interval) return true;
  return splitMergeAt.kind === "merge" && (sibling === undefined || sibling.beforeSplit);
}

function isMergeDue(plan: Plan, now: number): boolean {
  return plan.kind === "merge" && now >= plan.at;
}

/** Whether the next block of a shard is its last one before it splits. */
export function isSplitDue({ splitMergeAt, beforeSplit }: ShardDescription, now: number): boolean {
  if (splitMergeAt.kind !== "split" || beforeSplit) return false;
  return now > splitMergeAt.at && now < splitMergeAt.at + splitMergeAt.interval;
}
