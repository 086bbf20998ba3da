import { changeEntriesInSteps, joinHalves } from "../../cell/augmentedEdits.ts";
import { beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { makeLinked } from "../../cell/linked.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import { ShardAccounts } from "../../model/Account.ts";
import { shardParent, shardPrefixLength } from "../../model/block/BlockId.ts";
import type { EnqueuedMsg } from "../../model/block/OutMsgQueue.ts";
import { OutMsgQueueInfo } from "../../model/block/OutMsgQueue.ts";
import { ShardStateTotals, type ShardStateUnsplit } from "../../model/block/ShardState.ts";
import { addCurrency } from "../../model/Currency.ts";
import { LocalnetError } from "../errors.ts";
import { addProcessed, listProcessed, type ProcessedPoint, storeProcessed } from "./processed.ts";

/** Two states as one cell: what a block after a merge changes. */
// split_state#5f327da5 left:^ShardStateUnsplit right:^ShardStateUnsplit = ShardState;
export function bothStates(left: Cell, right: Cell): Cell {
  return beginCell().storeUint(0x5f327da5, 32).storeRef(left).storeRef(right).cell();
}

/** The state of two shards that become one: everything of both. */
export function* mergeStates(left: ShardStateUnsplit, right: ShardStateUnsplit): Steps<ShardStateUnsplit> {
  const shard = shardParent(left.shard.shard);
  const accounts = joinHalves(left.accounts.load(), right.accounts.load(), shardPrefixLength(shard));
  const [totals, others] = [left.totals.load(), right.totals.load()];
  return {
    ...left,
    shard: { workchain: left.shard.workchain, shard },
    outMsgQueueInfo: makeLinked(OutMsgQueueInfo, yield* mergeQueues(left, right)),
    accounts: makeLinked(ShardAccounts, accounts),
    totals: makeLinked(ShardStateTotals, {
      ...totals,
      overloadHistory: 0n,
      underloadHistory: 0n,
      totalBalance: addCurrency(totals.totalBalance, others.totalBalance),
      totalValidatorFees: addCurrency(totals.totalValidatorFees, others.totalValidatorFees),
    }),
  };
}

/** The messages of both, and how far both have processed those of others. */
function* mergeQueues(left: ShardStateUnsplit, right: ShardStateUnsplit): Steps<OutMsgQueueInfo> {
  const [own, other] = [left.outMsgQueueInfo.load(), right.outMsgQueueInfo.load()];
  if ([own, other].some(({ extra }) => extra !== undefined && !extra.dispatchQueue.isEmpty))
    throw new LocalnetError("localnet/block", "deferred messages cannot be merged");
  const added: [string, { readonly value: EnqueuedMsg; readonly extra: bigint }][] = [];
  other.queue.forEach((value, key, extra) => void added.push([key, { value, extra }]));
  const points = [own, other]
    .flatMap(({ processed }) => listProcessed(processed))
    .reduce<readonly ProcessedPoint[]>(addProcessed, []);
  const empty = own.processed.keys().reduce((dict, key) => dict.delete(key), own.processed);
  const [size, others] = [own.extra?.outQueueSize, other.extra?.outQueueSize];
  const outQueueSize = size === undefined || others === undefined ? undefined : size + others;
  const extra = own.extra && { ...own.extra, outQueueSize };
  return { queue: yield* changeEntriesInSteps(own.queue, added), processed: storeProcessed(empty, points), extra };
}
