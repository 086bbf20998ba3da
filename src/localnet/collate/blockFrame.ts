import type { Cell } from "../../cell/Cell.ts";
import { loadCell, storeCell } from "../../cell/codec.ts";
import { makeLinked } from "../../cell/linked.ts";
import { runInTurns, type Steps } from "../../lib/sharing/steps.ts";
import { ShardAccounts } from "../../model/Account.ts";
import type { ShardAccountBlocks } from "../../model/block/AccountBlock.ts";
import type { BlockInfo } from "../../model/block/BlockInfo.ts";
import type { McBlockExtra } from "../../model/block/McBlockExtra.ts";
import type { InMsgDescr, OutMsgDescr } from "../../model/block/messageDescriptors.ts";
import { OutMsgQueueInfo } from "../../model/block/OutMsgQueue.ts";
import { ShardStateTotals, ShardStateUnsplit } from "../../model/block/ShardState.ts";
import type { ValueFlow } from "../../model/block/ValueFlow.ts";
import { addCurrency, coinsOnly } from "../../model/Currency.ts";
import { findConfigParam, getConfigParam } from "../../model/config/ConfigParams.ts";
import { capability, hasCapability } from "../../model/config/GlobalVersion.ts";
import { assembleBlock, type MadeBlock } from "./assemble.ts";
import type { BlockInput, PreviousBlock } from "./BlockInput.ts";
import type { ControlledValue } from "./ControlledValue.ts";
import { type BlockLoad, type LoadHistory, nextHistory, weighsIn } from "./load.ts";
import { MessageWork } from "./MessageWork.ts";
import { bothStates } from "./mergeStates.ts";
import type { ProcessedPoint } from "./processed.ts";
import { WorkAccounts } from "./WorkAccounts.ts";

/** The configuration parameter with the limits of a block: the masterchain's, or that of all others. */
type LimitsId = 22 | 23;

const ltAlign = 1_000_000n;

/** Blocks begin at whole millions of logical time, after everything they depend on. */
export function startLtAfter(...ends: readonly bigint[]): bigint {
  const last = ends.reduce((a, b) => (a > b ? a : b), 0n);
  return (last / ltAlign + 1n) * ltAlign;
}

/** The state before a block. Zero states write their shard in another form, which later ones do not use. */
export function loadBefore({ state, fork }: PreviousBlock): ShardStateUnsplit {
  const before = loadCell(ShardStateUnsplit, state);
  const { workchain, shard } = before.shard;
  return { ...before, globalId: fork?.globalId ?? before.globalId, shard: { workchain, shard } };
}

/** The messages and accounts of a new block. */
export function beginWork(input: BlockInput, before: ShardStateUnsplit, startLt: bigint, limitsId: LimitsId) {
  const queue = input.prev.fork?.queue ?? before.outMsgQueueInfo.load();
  const accounts = new WorkAccounts(before.accounts.load(), input.mustFetch);
  const withMetadata = hasCapability(findConfigParam(input.config, 8), capability.messageMetadata);
  const limits = getConfigParam(input.config, limitsId);
  const { workchain, shard } = before.shard;
  const { now, runner, pause, isQueueSpent } = input;
  const options = { workchain, shard, now, startLt, runner, accounts, pause, isQueueSpent };
  return { queue, accounts, work: new MessageWork({ ...options, queue: queue.queue, withMetadata, limits }) };
}

/** Does a part of the work of a block in steps. */
export function inTurns<T>({ pause = () => undefined }: BlockInput, steps: Steps<T>): Promise<T> {
  return runInTurns(steps, pause);
}

/** A block whose messages are all processed. */
export interface DoneWork {
  readonly before: ShardStateUnsplit;
  readonly startLt: bigint;
  readonly work: MessageWork;
  readonly accounts: WorkAccounts;
  /** Its queue, and how far it has processed the queues of others. */
  readonly queue: OutMsgQueueInfo;
  readonly points: readonly ProcessedPoint[];
  /** Whether a message had no room. */
  readonly isFull: boolean;
}

/** The result of the work of a block. */
export interface WorkSum {
  readonly totals: ShardStateTotals;
  readonly accounts: ShardAccounts;
  readonly accountBlocks: ShardAccountBlocks;
  readonly inMessages: InMsgDescr;
  readonly outMessages: OutMsgDescr;
  readonly history: LoadHistory;
}

export function* sumUp(
  input: BlockInput,
  { before, startLt, work, accounts, queue, isFull }: DoneWork,
  limitsId: LimitsId,
): Steps<WorkSum> {
  const totals = before.totals.load();
  const accountBlocks = yield* accounts.blocks();
  const { overloadHistory: overload, underloadHistory: underload } = totals;
  const lists = { accountBlocks, inMessages: yield* work.listIn(), outMessages: yield* work.listOut() };
  const load = yield* loadOf(work, lists, startLt);
  const use = { ...load, isFull, queueSize: queue.extra?.outQueueSize ?? 0 };
  const history = nextHistory({ overload, underload }, use, getConfigParam(input.config, limitsId));
  return { totals, accounts: yield* accounts.after(), ...lists, history };
}

function listPrevious({ prev, sibling }: BlockInput): readonly PreviousBlock[] {
  return sibling === undefined ? [prev] : [prev, sibling];
}

/** What the state update of a block changes. */
function cellBefore({ prev, sibling }: BlockInput): Cell {
  return sibling === undefined ? prev.state : bothStates(prev.state, sibling.state);
}

/** The header fields common to all blocks. */
export function plainInfo(input: BlockInput, { before, startLt, work }: DoneWork, { history }: WorkSum) {
  const prev = listPrevious(input).map(({ id, endLt }) => {
    const { seqno, rootHash, fileHash } = id;
    return { endLt, seqno, rootHash, fileHash };
  });
  return {
    version: 0,
    afterMerge: prev.length > 1,
    beforeSplit: false,
    afterSplit: false,
    vertSeqnoIncr: false,
    seqno: Math.max(...prev.map(({ seqno }) => seqno)) + 1,
    vertSeqno: before.vertSeqno,
    shard: before.shard,
    genUtime: input.now,
    startLt,
    endLt: work.maxLt,
    genValidatorListHashShort: input.validatorListHashShort,
    genCatchainSeqno: input.catchainSeqno,
    genSoftware: input.genSoftware,
    prev,
    prevVert: undefined,
    wantSplit: weighsIn(history.overload),
    wantMerge: weighsIn(history.underload),
  };
}

/**
 * The value flow of a block that made so much, with what controls created and destroyed; only what burns coins is of
 * the newer kind.
 */
export function makeFlow(
  controlled: ControlledValue,
  { totals, accounts, accountBlocks, inMessages, outMessages }: WorkSum,
  made: ValueFlow["made"],
): ValueFlow {
  const imports = inMessages.rootExtra();
  const fees = [accountBlocks.rootExtra(), coinsOnly(imports.feesCollected), made.created, made.feesImported];
  const flow = {
    passed: {
      fromPrevBlock: totals.totalBalance,
      toNextBlock: accounts.rootExtra().balance,
      imported: imports.valueImported,
      exported: outMessages.rootExtra(),
    },
    feesCollected: fees.reduce(addCurrency),
    made: { ...made, minted: addCurrency(made.minted, controlled.minted) },
  };
  const { burned } = controlled;
  return burned.coins === 0n && burned.extra.isEmpty ? { kind: "v1", ...flow } : { kind: "v2", ...flow, burned };
}

/** The fields of one kind of block, in the block and in the state after it. */
export interface OwnParts {
  readonly info: BlockInfo;
  readonly valueFlow: ValueFlow;
  readonly totals: Pick<ShardStateTotals, "totalValidatorFees"> & Partial<ShardStateTotals>;
  readonly state: Partial<ShardStateUnsplit>;
  readonly custom: McBlockExtra | undefined;
}

/** Assembles a block and the state after it. */
export function* sealBlock(
  input: BlockInput,
  { before, work, queue }: DoneWork,
  sum: WorkSum,
  own: OwnParts,
): Steps<MadeBlock> {
  const { info, valueFlow, custom } = own;
  const totals = {
    ...sum.totals,
    overloadHistory: sum.history.overload,
    underloadHistory: sum.history.underload,
    totalBalance: sum.accounts.rootExtra().balance,
    ...own.totals,
  };
  const state = storeCell(ShardStateUnsplit, {
    ...before,
    seqno: info.seqno,
    genUtime: input.now,
    genLt: work.maxLt,
    minRefMcSeqno: info.minRefMcSeqno,
    outMsgQueueInfo: makeLinked(OutMsgQueueInfo, queue),
    accounts: makeLinked(ShardAccounts, sum.accounts),
    totals: makeLinked(ShardStateTotals, totals),
    ...own.state,
  });
  const { inMessages, outMessages, accountBlocks } = sum;
  const lists = { inMessages, outMessages, accountBlocks };
  const { randSeed, createdBy } = input;
  const parts = { globalId: before.globalId, info, valueFlow, ...lists, randSeed, createdBy, custom };
  return yield* assembleBlock(parts, cellBefore(input), state);
}

/** How much of its limits a block has used; the state update is not known yet and not counted. */
function* loadOf(
  work: MessageWork,
  { inMessages, outMessages, accountBlocks }: Pick<WorkSum, "inMessages" | "outMessages" | "accountBlocks">,
  startLt: bigint,
): Steps<BlockLoad> {
  const bytes = yield* work.sizeWith([inMessages.root, outMessages.root, accountBlocks.root]);
  return { bytes, gas: work.gas, ltDelta: Number(work.maxLt - startLt) };
}
