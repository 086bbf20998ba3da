import { emptyCell } from "../../cell/Builder.ts";
import { storeCell } from "../../cell/codec.ts";
import { makeDictionary } from "../../cell/dictionary.ts";
import { uintKey } from "../../cell/keys.ts";
import { type Linked, makeLinked } from "../../cell/linked.ts";
import { ShardAccounts } from "../../model/Account.ts";
import { makeAddress } from "../../model/Address.ts";
import { masterchain } from "../../model/BlockId.ts";
import type { BlockInfo } from "../../model/BlockInfo.ts";
import { findConfigParam, getConfigParam } from "../../model/ConfigParams.ts";
import { addCurrency, type CurrencyCollection, coinsOnly, noCurrency, subtractCurrency } from "../../model/Currency.ts";
import { type Hash, zeroHash } from "../../model/Hash.ts";
import type { McBlockExtra } from "../../model/McBlockExtra.ts";
import { McStateExtra } from "../../model/McStateExtra.ts";
import { type InCell, loadInCell, Message } from "../../model/Message.ts";
import type { InMsg } from "../../model/messageDescriptors.ts";
import { OutMsgQueueInfo } from "../../model/OutMsgQueue.ts";
import { listShardTops } from "../../model/ShardHashes.ts";
import { ShardStateTotals, ShardStateUnsplit } from "../../model/ShardState.ts";
import { CryptoSignaturePair } from "../../model/Signature.ts";
import type { ValueFlow } from "../../model/ValueFlow.ts";
import { LocalnetError } from "../errors.ts";
import { assembleBlock, type MadeBlock } from "./assemble.ts";
import { capability, hasCapability } from "./capabilities.ts";
import { configOfAccount, isImportantChange } from "./configAccount.ts";
import { nextHistory, weighsIn } from "./load.ts";
import { MessageWork } from "./MessageWork.ts";
import { nextExtra } from "./masterExtra.ts";
import { listProcessed } from "./processed.ts";
import {
  type BlockInput,
  exchangeMessages,
  loadBefore,
  loadOf,
  nextPoints,
  nextQueueInfo,
  plainInfo,
  startLtAfter,
  takeExternals,
} from "./shardBlock.ts";
import { type NewShardBlock, newWorkchains, shardFeesOf } from "./shardList.ts";
import { WorkAccounts } from "./WorkAccounts.ts";

export interface MasterBlockInput extends BlockInput {
  /** Shard blocks to commit, oldest first. */
  readonly shardBlocks: readonly (NewShardBlock & { readonly createdBy: Hash })[];
  /** Names the validators in the state, whatever their session. */
  readonly validatorSetHashShort: number;
  /** Whether the block before was a key block. */
  readonly prevIsKey: boolean;
  /** Signatures of the block before, where the consensus keeps them in blocks. */
  readonly prevSignatures?: readonly CryptoSignaturePair[];
}

/** Fees below this stay where they are until more have come together. */
const smallestRecovery = 1_000_000_000n;

/** What is fixed before the first transaction of a masterchain block runs. */
interface Plan {
  readonly before: ShardStateUnsplit;
  readonly extra: McStateExtra;
  readonly startLt: bigint;
  readonly created: CurrencyCollection;
  readonly feesImported: CurrencyCollection;
  readonly recovered: CurrencyCollection;
  /** Other currencies that the configuration wants to exist and that do not yet. */
  readonly minted: CurrencyCollection;
}

function plan(input: MasterBlockInput): Plan {
  const before = loadBefore(input.prev.state);
  if (before.custom === undefined) throw new LocalnetError("localnet/block", "no masterchain state");
  const created = coinsOnly(getConfigParam(input.config, 14).masterchainBlockFee);
  const feesImported = shardFeesOf(input.shardBlocks, []).rootExtra().fees;
  const waiting = before.totals.load().totalValidatorFees;
  const all = addCurrency(addCurrency(created, feesImported), waiting);
  const extra = before.custom.load();
  return {
    before,
    extra,
    minted: toMint(input, extra),
    startLt: startLtAfter(input.prev.endLt, ...input.shardBlocks.map(({ info }) => info.endLt)),
    created,
    feesImported,
    recovered: all.coins < smallestRecovery ? noCurrency : all,
  };
}

function toMint(input: MasterBlockInput, extra: McStateExtra): CurrencyCollection {
  let minted = noCurrency.extra;
  findConfigParam(input.config, 7)?.forEach((amount, id) => {
    const missing = amount - (extra.globalBalance.extra.find(id) ?? 0n);
    if (missing > 0n) minted = minted.set(id, missing);
  });
  return { coins: 0n, extra: minted };
}

/** Makes the next masterchain block. */
export async function makeMasterBlock(input: MasterBlockInput): Promise<MadeBlock> {
  const planned = plan(input);
  const { before, startLt } = planned;
  const queue = before.outMsgQueueInfo.load();
  const accounts = new WorkAccounts(before.accounts.load());
  const withMetadata = hasCapability(input.config, capability.messageMetadata);
  const { workchain, shard } = before.shard;
  const options = { workchain, shard, now: input.now, startLt, runner: input.runner, accounts };
  const limits = getConfigParam(input.config, 22);
  const work = new MessageWork({ ...options, queue: queue.queue, withMetadata, limits });
  const points = listProcessed(queue.processed);
  await tickTockAll(input, accounts, work, false);
  const collector = findConfigParam(input.config, 3) ?? getConfigParam(input.config, 1);
  const minter = findConfigParam(input.config, 2) ?? getConfigParam(input.config, 0);
  const special = async (value: CurrencyCollection, to: Hash): Promise<Linked<InMsg> | undefined> =>
    value.coins > 0n || !value.extra.isEmpty
      ? work.takeSpecial(messageFromNobody(to, value, startLt, input.now))
      : undefined;
  const recoverCreateMsg = await special(planned.recovered, collector);
  const mintMsg = await special(planned.minted, minter);
  await exchangeMessages(work, input, { workchain, shard, points }, queue);
  await takeExternals(work, input);
  await work.drain();
  await tickTockAll(input, accounts, work, true);
  // What these send waits for the next block.
  work.enqueueOnly = true;
  await work.drain();
  const seqno = input.prev.id.seqno + 1;
  const after = nextPoints(points, work, shard, seqno, input.prev.endLt);
  return finish({
    input,
    planned,
    work,
    accounts,
    recoverCreateMsg,
    mintMsg,
    points: after,
    queue: nextQueueInfo(queue, work, after, input.config),
  });
}

/** Accounts that run by themselves: all before anything else, those with the other mark after everything. */
async function tickTockAll(
  input: MasterBlockInput,
  accounts: WorkAccounts,
  work: MessageWork,
  isTock: boolean,
): Promise<void> {
  const special = findConfigParam(input.config, 31)?.keys() ?? [];
  const configAccount = getConfigParam(input.config, 0);
  const lt = work.maxLt;
  for (const account of [...new Set([...special, configAccount])].sort()) {
    const mark = accounts.tickTockMark(account);
    if (mark !== undefined && (isTock ? mark.tock : mark.tick)) await work.tickTock(account, isTock, lt);
  }
}

/** Fees given back and coins minted come as messages that nobody sent. */
function messageFromNobody(to: Hash, value: CurrencyCollection, createdLt: bigint, now: number): InCell<Message> {
  const message: Message = {
    info: {
      kind: "internal",
      ihrDisabled: true,
      bounce: true,
      bounced: false,
      src: makeAddress(masterchain, zeroHash),
      dest: makeAddress(masterchain, to),
      value,
      extraFlags: 0n,
      fwdFee: 0n,
      createdLt,
      createdAt: now,
    },
    init: undefined,
    body: emptyCell,
    initPlace: "inline",
    bodyPlace: "inline",
  };
  return loadInCell(Message, storeCell(Message, message));
}

interface Done {
  readonly input: MasterBlockInput;
  readonly planned: Plan;
  readonly work: MessageWork;
  readonly accounts: WorkAccounts;
  readonly recoverCreateMsg: Linked<InMsg> | undefined;
  readonly mintMsg: Linked<InMsg> | undefined;
  readonly points: readonly { readonly masterSeqno: number }[];
  readonly queue: OutMsgQueueInfo;
}

function flow(
  { planned, work }: Done,
  transactionFees: CurrencyCollection,
  fromPrevBlock: CurrencyCollection,
  toNextBlock: CurrencyCollection,
): ValueFlow {
  const { created, feesImported, recovered, minted } = planned;
  const imports = work.inMessages.rootExtra();
  const fees = [transactionFees, coinsOnly(imports.feesCollected), created, feesImported];
  const exported = work.outMessages.rootExtra();
  return {
    kind: "v1",
    passed: { fromPrevBlock, toNextBlock, imported: imports.valueImported, exported },
    feesCollected: fees.reduce(addCurrency),
    made: { feesImported, recovered, created, minted },
  };
}

/** What only masterchain blocks say. */
function extraOf(
  { input, planned, recoverCreateMsg, mintMsg }: Done,
  after: McStateExtra,
  keyBlock: boolean,
): McBlockExtra {
  const registered = newWorkchains(input.config, planned.extra.shardHashes, input.now);
  const signatures = (input.prevSignatures ?? []).map((pair, i): [number, CryptoSignaturePair] => [i, pair]);
  return {
    keyBlock,
    shardHashes: after.shardHashes,
    shardFees: shardFeesOf(input.shardBlocks, registered),
    details: {
      prevBlockSignatures: makeDictionary(uintKey(16), CryptoSignaturePair, signatures),
      recoverCreateMsg,
      mintMsg,
    },
    config: keyBlock ? after.config : undefined,
  };
}

function finish(done: Done): MadeBlock {
  const { input, planned, work, accounts } = done;
  const { before, extra } = planned;
  const totals = before.totals.load();
  const newAccounts = accounts.after();
  const accountBlocks = accounts.blocks();
  const valueFlow = flow(done, accountBlocks.rootExtra(), totals.totalBalance, newAccounts.rootExtra().balance);
  const config = configOfAccount(accounts.current(extra.config.configAccount), extra.config);
  const keyBlock = isImportantChange(extra.config, config);
  const history = nextHistory(
    { overload: totals.overloadHistory, underload: totals.underloadHistory },
    loadOf(work, accounts, accountBlocks, planned.startLt),
    getConfigParam(input.config, 22),
  );
  const { created, minted } = planned;
  const custom = nextExtra({ input, before: extra, beforeUtime: before.genUtime, config, keyBlock, created, minted });
  const minRefMcSeqno = Math.min(
    input.prev.id.seqno + 1,
    ...done.points.map((point) => point.masterSeqno),
    ...listShardTops(custom.shardHashes).map((top) => top.description.minRefMcSeqno),
  );
  const info: BlockInfo = {
    ...plainInfo(input, before, planned.startLt, work.maxLt),
    notMaster: false,
    wantSplit: weighsIn(history.overload),
    wantMerge: weighsIn(history.underload),
    keyBlock,
    minRefMcSeqno,
    prevKeyBlockSeqno: custom.history.lastKeyBlock?.seqno ?? 0,
    masterRef: undefined,
  };
  const newTotals = {
    ...totals,
    overloadHistory: history.overload,
    underloadHistory: history.underload,
    totalBalance: newAccounts.rootExtra().balance,
    totalValidatorFees: subtractCurrency(
      addCurrency(totals.totalValidatorFees, valueFlow.feesCollected),
      planned.recovered,
    ),
    libraries: accounts.republished(totals.libraries),
  };
  const state = storeCell(ShardStateUnsplit, {
    ...before,
    seqno: info.seqno,
    genUtime: input.now,
    genLt: work.maxLt,
    minRefMcSeqno,
    outMsgQueueInfo: makeLinked(OutMsgQueueInfo, done.queue),
    accounts: makeLinked(ShardAccounts, newAccounts),
    totals: makeLinked(ShardStateTotals, newTotals),
    custom: makeLinked(McStateExtra, custom),
  });
  const blockExtra = extraOf(done, custom, keyBlock);
  const lists = { inMessages: work.inMessages, outMessages: work.outMessages, accountBlocks };
  const { randSeed, createdBy } = input;
  const parts = { globalId: before.globalId, info, valueFlow, ...lists, randSeed, createdBy, custom: blockExtra };
  return assembleBlock(parts, input.prev.state, state);
}
