import type { Cell } from "../../../../src/cell/Cell.ts";
import { loadCell } from "../../../../src/cell/codec.ts";
import { isAccountWrite } from "../../../../src/model/AccountWrite.ts";
import { Block, type BlockExtra } from "../../../../src/model/block/Block.ts";
import { masterchain, shardContains } from "../../../../src/model/block/BlockId.ts";
import type { BlockInfo } from "../../../../src/model/block/BlockInfo.ts";
import type { McBlockExtra } from "../../../../src/model/block/McBlockExtra.ts";
import type { ValueFlow } from "../../../../src/model/block/ValueFlow.ts";
import { addCurrency, coinsOnly, noCurrency } from "../../../../src/model/Currency.ts";
import { firstBlockLt } from "../../../../src/model/Message.ts";
import type { Transaction } from "../../../../src/model/Transaction.ts";
import { checkAccountBlocks, type TransactionsByHash } from "./checkAccounts.ts";
import { checkInMessages, checkOutMessages } from "./checkMessages.ts";
import { rejectBlock, sameCurrency } from "./rules.ts";

/** Checks that all parts of a block are consistent; throws with the broken rule. */
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
  const isControlled = [...transactions.values()].some(isControl);
  checkFlow(flow, extra, info, isControlled);
  checkMaster(extra, flow, info, isControlled);
  checkAddresses(info, transactions);
}

function checkInfo(info: BlockInfo): void {
  if (info.endLt <= info.startLt) rejectBlock("a block must end after its start");
  if (info.prev.some(({ endLt }) => endLt > info.startLt))
    rejectBlock("a block must start after the end of the previous one");
  if (info.masterRef !== undefined && info.masterRef.endLt > info.startLt)
    rejectBlock("a block must start after the end of its masterchain block");
  if (info.notMaster !== (info.shard.workchain !== masterchain)) rejectBlock("wrong shard block flag");
  if (info.notMaster !== (info.masterRef !== undefined)) rejectBlock("only shard blocks refer to a masterchain block");
  if (Math.max(...info.prev.map(({ seqno }) => seqno)) + 1 !== info.seqno) rejectBlock("gap in seqnos");
}

function checkBalance(flow: ValueFlow): void {
  const { passed, made } = flow;
  const burned = flow.kind === "v2" ? flow.burned : noCurrency;
  const sources = [passed.fromPrevBlock, passed.imported, made.feesImported, made.created, made.minted, made.recovered];
  const sinks = [passed.toNextBlock, passed.exported, flow.feesCollected, burned];
  if (!sameCurrency(sources.reduce(addCurrency), sinks.reduce(addCurrency)))
    rejectBlock("the value flow is not balanced");
}

/** Whether the owner of the network wrote the account, or sent the message in the name of somebody else. */
function isControl(transaction: Transaction): boolean {
  const info = transaction.messages.in?.info;
  return isAccountWrite(transaction) || (info?.kind === "internal" && info.createdLt < firstBlockLt);
}

/** Checks the value flow against the lists of the block. Controls mint and burn coins in every block. */
function checkFlow(flow: ValueFlow, extra: BlockExtra, info: BlockInfo, isControlled: boolean): void {
  const imports = extra.inMessages.load().rootExtra();
  if (!sameCurrency(flow.passed.imported, imports.valueImported))
    rejectBlock("imported value differs from the messages");
  if (!sameCurrency(flow.passed.exported, extra.outMessages.load().rootExtra()))
    rejectBlock("exported value differs from the messages");
  const parts = [extra.accountBlocks.load().rootExtra(), coinsOnly(imports.feesCollected), flow.made.created];
  const fees = [...parts, flow.made.feesImported].reduce(addCurrency);
  const burned = flow.kind === "v2" && !isControlled ? flow.burned : noCurrency;
  if (!sameCurrency(addCurrency(flow.feesCollected, burned), fees))
    rejectBlock("fees differ from the transactions and messages");
  const { feesImported, recovered, minted } = flow.made;
  const foreign = isControlled ? [feesImported, recovered] : [feesImported, recovered, minted];
  if (info.notMaster && !foreign.every((value) => sameCurrency(value, noCurrency)))
    rejectBlock("only the masterchain imports, recovers and mints value");
}

function checkMaster(extra: BlockExtra, flow: ValueFlow, info: BlockInfo, isControlled: boolean): void {
  if ((extra.custom === undefined) === !info.notMaster) rejectBlock("only masterchain blocks have a masterchain part");
  const custom = extra.custom?.load();
  if (custom === undefined) return;
  if (custom.keyBlock !== info.keyBlock) rejectBlock("the two key block flags differ");
  if (!sameCurrency(custom.shardFees.rootExtra().fees, flow.made.feesImported))
    rejectBlock("imported fees differ from the shard fees");
  checkSpecial(custom, flow, isControlled);
}

function checkSpecial(custom: McBlockExtra, flow: ValueFlow, isControlled: boolean): void {
  const { recoverCreateMsg, mintMsg } = custom.details;
  for (const [message, value] of [
    [recoverCreateMsg, flow.made.recovered],
    [mintMsg, isControlled ? undefined : flow.made.minted],
  ] as const) {
    if (value === undefined) continue;
    const inMsg = message?.load();
    const { info } = inMsg?.kind === "immediate" ? inMsg.inEnvelope.load().message.load() : { info: undefined };
    const sent = info?.kind === "internal" ? info.value : noCurrency;
    if (!sameCurrency(sent, value)) rejectBlock("recovered or minted value differs from its message");
  }
}

function checkAddresses(info: BlockInfo, transactions: TransactionsByHash): void {
  for (const { account } of transactions.values())
    if (!shardContains(info.shard.shard, account)) rejectBlock("an account does not belong to the shard");
}
