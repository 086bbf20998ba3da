import { emptyCell } from "../../cell/Builder.ts";
import { storeCell } from "../../cell/codec.ts";
import { makeDictionary } from "../../cell/dictionary.ts";
import { uintKey } from "../../cell/keys.ts";
import { type Linked, makeLinked } from "../../cell/linked.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import { makeAddress } from "../../model/Address.ts";
import { masterchain } from "../../model/block/BlockId.ts";
import type { McBlockExtra } from "../../model/block/McBlockExtra.ts";
import { McStateExtra } from "../../model/block/McStateExtra.ts";
import type { InMsg } from "../../model/block/messageDescriptors.ts";
import { listShardTops } from "../../model/block/ShardHashes.ts";
import type { ShardStateUnsplit } from "../../model/block/ShardState.ts";
import { addCurrency, type CurrencyCollection, coinsOnly, noCurrency, subtractCurrency } from "../../model/Currency.ts";
import { type ConfigParams, findConfigParam, getConfigParam } from "../../model/config/ConfigParams.ts";
import { CryptoSignaturePair } from "../../model/config/Signature.ts";
import { type Hash, zeroHash } from "../../model/Hash.ts";
import { type InCell, loadInCell, Message } from "../../model/Message.ts";
import { LocalnetError } from "../errors.ts";
import type { MadeBlock } from "./assemble.ts";
import type { BlockInput } from "./BlockInput.ts";
import * as frame from "./blockFrame.ts";
import { configOfAccount, isImportantChange } from "./configAccount.ts";
import { exchangeMessages, nextPoints, nextQueueInfo, takeControls, takeExternals } from "./exchangeMessages.ts";
import type { MessageWork } from "./MessageWork.ts";
import { nextExtra } from "./masterExtra.ts";
import { listProcessed } from "./processed.ts";
import { type NewShardBlock, newWorkchains, shardFeesOf } from "./shardList.ts";
import type { WorkAccounts } from "./WorkAccounts.ts";

export interface MasterBlockInput extends BlockInput {
  /** Shard blocks to commit, oldest first. */
  readonly shardBlocks: readonly (NewShardBlock & { readonly createdBy: Hash })[];
  /** Identifies the validators of a session in the state; the sets that the configuration after the block has. */
  readonly hashOfSet: (config: ConfigParams, catchainSeqno: number) => number;
  /** Whether the previous block was a key block. */
  readonly prevIsKey: boolean;
  /** Signatures of the previous block, if the consensus stores them in blocks. */
  readonly prevSignatures?: readonly CryptoSignaturePair[];
}

/** Smaller fees are not recovered until more have accumulated. */
const smallestRecovery = 1_000_000_000n;

/** Values that are fixed before the first transaction of a masterchain block runs. */
interface Plan {
  readonly before: ShardStateUnsplit;
  readonly extra: McStateExtra;
  readonly startLt: bigint;
  readonly created: CurrencyCollection;
  readonly feesImported: CurrencyCollection;
  readonly recovered: CurrencyCollection;
  /** Extra currencies in the configuration that do not exist yet. */
  readonly minted: CurrencyCollection;
}

function plan(input: MasterBlockInput): Plan {
  const before = frame.loadBefore(input.prev);
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
    startLt: frame.startLtAfter(input.prev.endLt, ...input.shardBlocks.map(({ info }) => info.endLt)),
    created,
    feesImported,
    recovered: all.coins < smallestRecovery ? noCurrency : all,
  };
}

function toMint(input: MasterBlockInput, extra: McStateExtra): CurrencyCollection {
  let minted = noCurrency.extra;
  // A fork does not know how much of other currencies there is; its origin has minted them.
  if (extra.globalBalance.extra.root?.latest().isAbsent === true) return noCurrency;
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
  const { workchain, shard } = before.shard;
  const { queue, accounts, work } = frame.beginWork(input, before, startLt, 22);
  const points = listProcessed(queue.processed);
  await tickTockAll(input, accounts, work, false);
  const special = await takeSpecials(input, planned, work);
  await takeControls(work, input);
  await exchangeMessages(work, input, { workchain, shard, points, accounts }, queue);
  const lacksRoom = await takeExternals(work, input);
  await work.drain();
  await tickTockAll(input, accounts, work, true);
  // Messages that these send wait for the next block.
  work.enqueueOnly = true;
  await work.drain();
  const after = nextPoints(points, work, shard, input.prev.id.seqno + 1, input.prev.endLt, accounts.isWaiting);
  const newQueue = await frame.inTurns(input, nextQueueInfo(queue, work, after, input.config));
  return frame.inTurns(
    input,
    finish(input, planned, special, {
      before,
      startLt,
      work,
      accounts,
      queue: newQueue,
      points: after,
      isFull: lacksRoom || work.isFull,
    }),
  );
}

/** Messages of the chain itself: recovered fees, and minted coins. */
interface SpecialMessages {
  readonly recoverCreateMsg: Linked<InMsg> | undefined;
  readonly mintMsg: Linked<InMsg> | undefined;
}

async function takeSpecials(input: MasterBlockInput, planned: Plan, work: MessageWork): Promise<SpecialMessages> {
  const { config, now } = input;
  const take = async (value: CurrencyCollection, to: Hash) =>
    value.coins > 0n || !value.extra.isEmpty
      ? work.takeSpecial(messageWithoutSender(to, value, planned.startLt, now))
      : undefined;
  const recoverCreateMsg = await take(planned.recovered, findConfigParam(config, 3) ?? getConfigParam(config, 1));
  const mintMsg = await take(planned.minted, findConfigParam(config, 2) ?? getConfigParam(config, 0));
  return { recoverCreateMsg, mintMsg };
}

/** Accounts that the chain runs: ticks before everything else, tocks after everything. */
async function tickTockAll(
  input: MasterBlockInput,
  accounts: WorkAccounts,
  work: MessageWork,
  isTock: boolean,
): Promise<void> {
  const special = findConfigParam(input.config, 31)?.keys() ?? [];
  const configAccount = getConfigParam(input.config, 0);
  const lt = work.maxLt;
  const elector = input.isFork ? findConfigParam(input.config, 1) : undefined;
  for (const account of [...new Set([...special, configAccount])].sort()) {
    if (account === elector) continue;
    const mark = accounts.tickTockMark(account);
    if (mark !== undefined && (isTock ? mark.tock : mark.tick)) await work.tickTock(account, isTock, lt);
  }
}

/** Recovered fees and minted coins are messages without a sender. */
function messageWithoutSender(to: Hash, value: CurrencyCollection, createdLt: bigint, now: number): InCell<Message> {
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

/** The fields of masterchain blocks only. */
function extraOf(
  input: MasterBlockInput,
  planned: Plan,
  special: SpecialMessages,
  after: McStateExtra,
  keyBlock: boolean,
): McBlockExtra {
  const registered = newWorkchains(input.config, planned.extra.shardHashes, input.now);
  const signatures = (input.prevSignatures ?? []).map((pair, i): [number, CryptoSignaturePair] => [i, pair]);
  const prevBlockSignatures = makeDictionary(uintKey(16), CryptoSignaturePair, signatures);
  return {
    keyBlock,
    shardHashes: after.shardHashes,
    shardFees: shardFeesOf(input.shardBlocks, registered),
    details: { prevBlockSignatures, ...special },
    config: keyBlock ? after.config : undefined,
  };
}

function* finish(
  input: MasterBlockInput,
  planned: Plan,
  special: SpecialMessages,
  done: frame.DoneWork,
): Steps<MadeBlock> {
  const { extra, created, feesImported, recovered, minted } = planned;
  const { before, accounts, points } = done;
  const sum = yield* frame.sumUp(input, done, 22);
  const valueFlow = frame.makeFlow(done.work.controlled, sum, { feesImported, recovered, created, minted });
  const config = configOfAccount(accounts.current(extra.config.configAccount), extra.config);
  const keyBlock = isImportantChange(extra.config, config);
  const flows = [valueFlow, ...input.shardBlocks.map((block) => block.valueFlow)];
  const custom = nextExtra({ input, before: extra, beforeUtime: before.genUtime, config, keyBlock, created, flows });
  const fees = addCurrency(sum.totals.totalValidatorFees, valueFlow.feesCollected);
  const minRefMcSeqno = Math.min(
    input.prev.id.seqno + 1,
    ...points.map((point) => point.masterSeqno),
    ...listShardTops(custom.shardHashes).map((top) => top.description.minRefMcSeqno),
  );
  const prevKeyBlockSeqno = custom.history.lastKeyBlock?.seqno ?? 0;
  return yield* frame.sealBlock(input, done, sum, {
    info: {
      ...frame.plainInfo(input, done, sum),
      ...{ notMaster: false, keyBlock, minRefMcSeqno, prevKeyBlockSeqno, masterRef: undefined },
    },
    valueFlow,
    totals: {
      totalValidatorFees: subtractCurrency(fees, planned.recovered),
      libraries: accounts.republished(sum.totals.libraries),
    },
    state: { custom: makeLinked(McStateExtra, custom) },
    custom: extraOf(input, planned, special, custom, keyBlock),
  });
}
