import { beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell, storeCell } from "../../cell/codec.ts";
import { makeLinked } from "../../cell/linked.ts";
import { ShardAccounts } from "../../model/Account.ts";
import type { ShardAccountBlocks } from "../../model/AccountBlock.ts";
import type { BlockIdExt, ExtBlkRef, ShardId } from "../../model/BlockId.ts";
import { shardPrefixLength } from "../../model/BlockId.ts";
import type { BlockInfo, GlobalVersion } from "../../model/BlockInfo.ts";
import { type ConfigParams, getConfigParam } from "../../model/ConfigParams.ts";
import { addCurrency, type CurrencyCollection, coinsOnly, noCurrency } from "../../model/Currency.ts";
import type { Hash } from "../../model/Hash.ts";
import { OutMsgQueueExtra, OutMsgQueueInfo } from "../../model/OutMsgQueue.ts";
import { ShardStateTotals, ShardStateUnsplit } from "../../model/ShardState.ts";
import type { ValueFlow } from "../../model/ValueFlow.ts";
import { assembleBlock, type MadeBlock } from "./assemble.ts";
import { capability, hasCapability } from "./capabilities.ts";
import { type BlockLoad, gasOf, nextHistory, treeBytes, weighsIn } from "./load.ts";
import { MessageWork } from "./MessageWork.ts";
import { type EndLtAt, inboundFrom, isProcessed, listQueue, type Neighbor, processedBy } from "./neighbor.ts";
import { addProcessed, lastHash, listProcessed, type ProcessedPoint, storeProcessed } from "./processed.ts";
import type { Runner } from "./Runner.ts";
import { splitState } from "./splitState.ts";
import { WorkAccounts } from "./WorkAccounts.ts";

/** What every block is made from, in the masterchain and elsewhere. */
export interface BlockInput {
  readonly prev: { readonly id: BlockIdExt; readonly state: Cell; readonly endLt: bigint };
  readonly now: number;
  readonly config: ConfigParams;
  readonly runner: Runner;
  readonly randSeed: Hash;
  readonly createdBy: Hash;
  readonly genSoftware: GlobalVersion;
  readonly catchainSeqno: number;
  readonly validatorListHashShort: number;
  /** Everybody whose queue concerns us, ourselves not among them. */
  readonly neighbors: readonly Neighbor[];
  readonly endLtAt: EndLtAt;
  /** Messages from outside, in order; what a contract does not accept is left out, and what has no room too. */
  readonly externals: readonly Cell[];
  /** Whether there is no more time for messages from outside; those not tried wait for the next block. */
  readonly isLate?: (() => boolean) | undefined;
  /** Told what became of the messages that were tried. */
  readonly onTried?: ((message: Cell, outcome: ExternalOutcome) => void) | undefined;
}

/** Whether a contract took a message from outside. */
export type ExternalOutcome = "accepted" | "refused";

export interface ShardBlockInput extends BlockInput {
  /** Whose block it is: the shard of the block before or, where that was its last one, one of its halves. */
  readonly shard: ShardId;
  /** Whether this is the last block before the shard splits. */
  readonly beforeSplit: boolean;
  /** The masterchain block whose view of the others the block takes. */
  readonly master: ExtBlkRef;
  readonly prevKeyBlockSeqno: number;
}

const ltAlign = 1_000_000n;

/** Blocks begin at whole millions of logical time, behind everything they can know of. */
export function startLtAfter(...ends: readonly bigint[]): bigint {
  const last = ends.reduce((a, b) => (a > b ? a : b), 0n);
  return (last / ltAlign + 1n) * ltAlign;
}

/** Takes in what waits in queues: removes what others have taken from ours, then receives in order of logical time. */
export async function exchangeMessages(
  work: MessageWork,
  input: BlockInput,
  own: { readonly workchain: number; readonly shard: bigint; readonly points: readonly ProcessedPoint[] },
  queue: OutMsgQueueInfo,
): Promise<void> {
  const takers = input.neighbors.map((neighbor) => ({ neighbor, points: processedBy(neighbor) }));
  for (const queued of listQueue(queue)) {
    const taker = takers.find(
      ({ neighbor, points }) =>
        neighbor.block.workchain === queued.nextWorkchain && isProcessed(queued, points, input.prev.id, input.endLtAt),
    );
    if (taker !== undefined) work.dequeue(queued, taker.neighbor.endLt);
  }
  const self: Neighbor = { block: input.prev.id, endLt: input.prev.endLt, queue };
  const inbound = [...input.neighbors, self].flatMap((neighbor) =>
    inboundFrom(neighbor, own, input.endLtAt).map((found) => ({ ...found, isOwn: neighbor === self })),
  );
  inbound.sort((a, b) =>
    a.queued.lt < b.queued.lt ? -1 : a.queued.lt > b.queued.lt ? 1 : a.queued.hash < b.queued.hash ? -1 : 1,
  );
  for (const { queued, isDone, isOwn } of inbound) {
    if (isDone) work.noteProcessed(queued);
    else if (work.isFull) {
      // What is left must be received before anything newer, so nothing may be delivered at once any more.
      work.enqueueOnly = true;
      break;
    } else await work.takeQueued(queued, isOwn);
  }
}

/** Takes in messages from outside until the block is full or its time is over; at least one, if there is room. */
export async function takeExternals(work: MessageWork, { externals, onTried, isLate }: BlockInput): Promise<void> {
  for (const [i, external] of externals.entries()) {
    if (work.isFull || (i > 0 && isLate?.())) break;
    const isTaken = await work.takeExternal(external);
    onTried?.(external, isTaken ? "accepted" : "refused");
  }
}

/** The queue after a block, with how far messages have been taken in. */
export function nextQueueInfo(
  before: OutMsgQueueInfo,
  work: MessageWork,
  points: readonly ProcessedPoint[],
  config: ConfigParams,
): OutMsgQueueInfo {
  const empty = before.processed.keys().reduce((dict, key) => dict.delete(key), before.processed);
  const extra = before.extra ?? (hasCapability(config, capability.queueSize) ? noExtra : undefined);
  const size = (extra?.outQueueSize ?? 0) + work.queueChange;
  return {
    queue: work.queue,
    processed: storeProcessed(empty, points),
    extra: extra === undefined ? undefined : { ...extra, outQueueSize: size },
  };
}

// out_msg_queue_extra#0 with no dispatch queue and no messages
const noExtra = loadCell(
  OutMsgQueueExtra,
  beginCell().storeUint(0, 5).storeBigUint(0n, 64).storeBit(true).storeUint(0, 48).cell(),
);

/** How far messages were taken in: to the last one, or, where none came, to the end of what could be seen. */
export function nextPoints(
  before: readonly ProcessedPoint[],
  work: MessageWork,
  shard: bigint,
  masterSeqno: number,
  seenLt: bigint,
): readonly ProcessedPoint[] {
  // Behind a zero state there is nothing to be seen.
  if (work.lastProcessed === undefined && seenLt === 0n) return before;
  const last = work.lastProcessed ?? { lt: seenLt - 1n, hash: lastHash };
  return addProcessed(before, { shard, masterSeqno, lt: last.lt, hash: last.hash });
}

/** The state before a block. Zero states write their shard in a form of their own, which later ones do not take over. */
export function loadBefore(state: Cell): ShardStateUnsplit {
  const before = loadCell(ShardStateUnsplit, state);
  const { workchain, shard } = before.shard;
  return { ...before, shard: { workchain, shard } };
}

/** Makes the next block of a shard. */
export async function makeShardBlock(input: ShardBlockInput): Promise<MadeBlock> {
  const whole = loadBefore(input.prev.state);
  const before = whole.beforeSplit ? splitState(whole, input.shard) : whole;
  const { workchain, shard } = before.shard;
  const startLt = startLtAfter(input.prev.endLt, input.master.endLt);
  const queue = before.outMsgQueueInfo.load();
  const accounts = new WorkAccounts(before.accounts.load());
  const withMetadata = hasCapability(input.config, capability.messageMetadata);
  const options = { workchain, shard, now: input.now, startLt, runner: input.runner, accounts };
  const limits = getConfigParam(input.config, 23);
  const work = new MessageWork({ ...options, queue: queue.queue, withMetadata, limits });
  const points = listProcessed(queue.processed);
  await exchangeMessages(work, input, { workchain, shard, points }, queue);
  await takeExternals(work, input);
  await work.drain();
  const after = nextPoints(points, work, shard, input.master.seqno, input.master.endLt);
  const newQueue = nextQueueInfo(queue, work, after, input.config);
  return finish(input, before, startLt, work, accounts, newQueue, after);
}

function flow(
  { config }: ShardBlockInput,
  shard: ShardId,
  work: MessageWork,
  accountBlocks: ShardAccountBlocks,
  balances: { readonly before: CurrencyCollection; readonly after: CurrencyCollection },
): ValueFlow {
  const created = coinsOnly(getConfigParam(config, 14).basechainBlockFee >> BigInt(shardPrefixLength(shard)));
  const imports = work.inMessages.rootExtra();
  return {
    kind: "v1",
    passed: {
      fromPrevBlock: balances.before,
      toNextBlock: balances.after,
      imported: imports.valueImported,
      exported: work.outMessages.rootExtra(),
    },
    feesCollected: [accountBlocks.rootExtra(), coinsOnly(imports.feesCollected), created].reduce(addCurrency),
    made: { feesImported: noCurrency, recovered: noCurrency, created, minted: noCurrency },
  };
}

function finish(
  input: ShardBlockInput,
  before: ShardStateUnsplit,
  startLt: bigint,
  work: MessageWork,
  accounts: WorkAccounts,
  queue: OutMsgQueueInfo,
  points: readonly ProcessedPoint[],
): MadeBlock {
  const totals = before.totals.load();
  const newAccounts = accounts.after();
  const accountBlocks = accounts.blocks();
  const balances = { before: totals.totalBalance, after: newAccounts.rootExtra().balance };
  const valueFlow = flow(input, before.shard.shard, work, accountBlocks, balances);
  const history = nextHistory(
    { overload: totals.overloadHistory, underload: totals.underloadHistory },
    loadOf(work, accounts, accountBlocks, startLt),
    getConfigParam(input.config, 23),
  );
  const minRefMcSeqno = Math.min(input.master.seqno, ...points.map((point) => point.masterSeqno));
  const info: BlockInfo = {
    ...plainInfo(input, before, startLt, work.maxLt),
    notMaster: true,
    beforeSplit: input.beforeSplit,
    afterSplit: input.prev.id.shard !== before.shard.shard,
    wantSplit: weighsIn(history.overload),
    wantMerge: weighsIn(history.underload),
    keyBlock: false,
    minRefMcSeqno,
    prevKeyBlockSeqno: input.prevKeyBlockSeqno,
    masterRef: input.master,
  };
  const newTotals = {
    ...totals,
    overloadHistory: history.overload,
    underloadHistory: history.underload,
    totalBalance: balances.after,
    totalValidatorFees: addCurrency(totals.totalValidatorFees, valueFlow.feesCollected),
    masterRef: { master: input.master },
  };
  const state = storeCell(ShardStateUnsplit, {
    ...before,
    seqno: info.seqno,
    genUtime: input.now,
    genLt: work.maxLt,
    minRefMcSeqno,
    beforeSplit: input.beforeSplit,
    outMsgQueueInfo: makeLinked(OutMsgQueueInfo, queue),
    accounts: makeLinked(ShardAccounts, newAccounts),
    totals: makeLinked(ShardStateTotals, newTotals),
  });
  const parts = { globalId: before.globalId, info, valueFlow, accountBlocks, custom: undefined };
  const lists = { inMessages: work.inMessages, outMessages: work.outMessages };
  const { randSeed, createdBy } = input;
  return assembleBlock({ ...parts, ...lists, randSeed, createdBy }, input.prev.state, state);
}

/** The part of a header that is the same for all blocks. */
export function plainInfo(input: BlockInput, before: ShardStateUnsplit, startLt: bigint, endLt: bigint) {
  const { seqno, rootHash, fileHash } = input.prev.id;
  return {
    version: 0,
    afterMerge: false,
    beforeSplit: false,
    afterSplit: false,
    vertSeqnoIncr: false,
    seqno: seqno + 1,
    vertSeqno: before.vertSeqno,
    shard: before.shard,
    genUtime: input.now,
    startLt,
    endLt,
    genValidatorListHashShort: input.validatorListHashShort,
    genCatchainSeqno: input.catchainSeqno,
    genSoftware: input.genSoftware,
    prev: [{ endLt: input.prev.endLt, seqno, rootHash, fileHash }],
    prevVert: undefined,
  };
}

/** What a block has used of its limits; the state update is not known yet and not counted. */
export function loadOf(
  work: MessageWork,
  accounts: WorkAccounts,
  accountBlocks: ShardAccountBlocks,
  startLt: bigint,
): BlockLoad {
  const roots = [work.inMessages.root, work.outMessages.root, accountBlocks.root];
  const bytes = treeBytes(roots.filter((root) => root !== undefined));
  return { bytes, gas: gasUsed(accounts), ltDelta: Number(work.maxLt - startLt) };
}

/** Gas of all transactions of a block. */
function gasUsed(accounts: WorkAccounts): number {
  return accounts.transactions().reduce((gas, transaction) => gas + gasOf(transaction), 0);
}
