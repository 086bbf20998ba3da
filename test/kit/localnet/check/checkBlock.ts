import type { Cell } from "../../../../src/cell/Cell.ts";
import { loadCell } from "../../../../src/cell/codec.ts";
import { Block, type BlockExtra } from "../../../../src/model/block/Block.ts";
import { masterchain, shardContains } from "../../../../src/model/block/BlockId.ts";
import type { BlockInfo } from "../../../../src/model/block/BlockInfo.ts";
import type { McBlockExtra } from "../../../../src/model/block/McBlockExtra.ts";
import type { ValueFlow } from "../../../../src/model/block/ValueFlow.ts";
import { addCurrency, coinsOnly, noCurrency } from "../../../../src/model/Currency.ts";
import { checkAccountBlocks, type TransactionsByHash } from "./checkAccounts.ts";
import { checkInMessages, checkOutMessages } from "./checkMessages.ts";
import { rejectBlock, sameCurrency } from "./rules.ts";

/** Everything a block says of itself must fit together; a block that does not is refused with what is wrong. */
export function checkBlock(root: Cell): void {
  const block = loadCell(Block, root);
  const info = block.info.load();
  const extra = block.extra.load();
  checkInfo(info);
  const transactions = checkAccountBlocks(info, extra.accountBlocks.load());
  const hasIhrFees = (info.genSoftware?.version ?? 0) < 12;
  checkInMessages(extra, transactions, hasIhrFees);
  checkOutMessages(extra, transactions, hasIhrFees);
  const flow = block.valueFlow.load();
  checkBalance(flow);
  checkFlow(flow, extra, info);
  checkMaster(extra, flow, info);
  checkAddresses(info, transactions);
}

function checkInfo(info: BlockInfo): void {
  if (info.endLt <= info.startLt) rejectBlock("a block ends after it begins");
  if (info.prev.some(({ endLt }) => endLt > info.startLt)) rejectBlock("a block begins after the one before it ended");
  if (info.masterRef !== undefined && info.masterRef.endLt > info.startLt)
    rejectBlock("a block begins after the masterchain block it refers to ended");
  if (info.notMaster !== (info.shard.workchain !== masterchain)) rejectBlock("only shard blocks are marked as such");
  if (info.notMaster !== (info.masterRef !== undefined))
    rejectBlock("shard blocks, and only those, refer to the masterchain");
  if (Math.max(...info.prev.map(({ seqno }) => seqno)) + 1 !== info.seqno) rejectBlock("seqnos have no gaps");
}

function checkBalance(flow: ValueFlow): void {
  const { passed, made } = flow;
  const burned = flow.kind === "v2" ? flow.burned : noCurrency;
  const sources = [passed.fromPrevBlock, passed.imported, made.feesImported, made.created, made.minted, made.recovered];
  const sinks = [passed.toNextBlock, passed.exported, flow.feesCollected, burned];
  if (!sameCurrency(sources.reduce(addCurrency), sinks.reduce(addCurrency))) rejectBlock("no value is lost or made");
}

/** The value flow must be that of the lists. */
function checkFlow(flow: ValueFlow, extra: BlockExtra, info: BlockInfo): void {
  const imports = extra.inMessages.load().rootExtra();
  if (!sameCurrency(flow.passed.imported, imports.valueImported)) rejectBlock("imported value is that of the messages");
  if (!sameCurrency(flow.passed.exported, extra.outMessages.load().rootExtra()))
    rejectBlock("exported value is that of the messages");
  const parts = [extra.accountBlocks.load().rootExtra(), coinsOnly(imports.feesCollected), flow.made.created];
  const fees = [...parts, flow.made.feesImported].reduce(addCurrency);
  const burned = flow.kind === "v2" ? flow.burned : noCurrency;
  if (!sameCurrency(addCurrency(flow.feesCollected, burned), fees))
    rejectBlock("fees are those of the transactions and messages");
  const { feesImported, recovered, minted } = flow.made;
  if (info.notMaster && ![feesImported, recovered, minted].every((value) => sameCurrency(value, noCurrency)))
    rejectBlock("only the masterchain imports fees, gives them back and mints");
}

function checkMaster(extra: BlockExtra, flow: ValueFlow, info: BlockInfo): void {
  if ((extra.custom === undefined) === !info.notMaster)
    rejectBlock("masterchain blocks, and only those, have an own part");
  const custom = extra.custom?.load();
  if (custom === undefined) return;
  if (custom.keyBlock !== info.keyBlock) rejectBlock("a key block is marked twice");
  if (!sameCurrency(custom.shardFees.rootExtra().fees, flow.made.feesImported))
    rejectBlock("imported fees are those of the shards");
  checkSpecial(custom, flow);
}

function checkSpecial(custom: McBlockExtra, flow: ValueFlow): void {
  const { recoverCreateMsg, mintMsg } = custom.details;
  for (const [message, value] of [
    [recoverCreateMsg, flow.made.recovered],
    [mintMsg, flow.made.minted],
  ] as const) {
    const inMsg = message?.load();
    const { info } = inMsg?.kind === "immediate" ? inMsg.inEnvelope.load().message.load() : { info: undefined };
    const sent = info?.kind === "internal" ? info.value : noCurrency;
    if (!sameCurrency(sent, value)) rejectBlock("fees given back and coins minted come as messages of the same value");
  }
}

function checkAddresses(info: BlockInfo, transactions: TransactionsByHash): void {
  for (const { account } of transactions.values())
    if (!shardContains(info.shard.shard, account)) rejectBlock("accounts belong to the shard");
}
