import { describe, expect, it } from "vitest";
import { setEntry } from "../../../src/cell/augmentedEdits.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import { Linked, makeLinked } from "../../../src/cell/linked.ts";
import { ShardAccountBlocks } from "../../../src/model/block/AccountBlock.ts";
import { Block, BlockExtra } from "../../../src/model/block/Block.ts";
import { BlockInfo } from "../../../src/model/block/BlockInfo.ts";
import { InMsgDescr, OutMsgDescr } from "../../../src/model/block/messageDescriptors.ts";
import { ValueFlow } from "../../../src/model/block/ValueFlow.ts";
import { addCurrency, coinsOnly } from "../../../src/model/Currency.ts";
import { Transaction } from "../../../src/model/Transaction.ts";
import { deleteEntry } from "../../kit/cell/deleteEntry.ts";
import { checkBlock } from "../../kit/localnet/check/checkBlock.ts";
import { fixtureBlocks } from "../../kit/model/fixtureChain.ts";

const blocks = [...fixtureBlocks("chain"), ...fixtureBlocks("traffic")];

/** The busiest block: it has every part that can be changed. */
const busiest = blocks.reduce((a, b) => (transactionsOf(a) >= transactionsOf(b) ? a : b));

function transactionsOf(root: Cell): number {
  let count = 0;
  const { accountBlocks } = loadCell(Block, root).extra.load();
  accountBlocks.load().forEach(({ transactions }) => {
    count += transactions.count();
  });
  return count;
}

function withInfo(mutate: (info: BlockInfo) => BlockInfo): Cell {
  const block = loadCell(Block, busiest);
  return storeCell(Block, { ...block, info: makeLinked(BlockInfo, mutate(block.info.load())) });
}

function withFlow(mutate: (flow: ValueFlow) => ValueFlow): Cell {
  const block = loadCell(Block, busiest);
  return storeCell(Block, { ...block, valueFlow: makeLinked(ValueFlow, mutate(block.valueFlow.load())) });
}

function withExtra(mutate: (extra: BlockExtra) => BlockExtra): Cell {
  const block = loadCell(Block, busiest);
  return storeCell(Block, { ...block, extra: makeLinked(BlockExtra, mutate(block.extra.load())) });
}

const one = coinsOnly(1n);

function first<T>(list: readonly T[]): T {
  const [item] = list;
  if (item === undefined) throw new Error("the block has nothing to bend");
  return item;
}

/** The same block with the first transaction of its first account changed. */
function withTransaction(mutate: (transaction: Transaction) => Transaction): Cell {
  return withExtra((extra) => {
    const accounts = extra.accountBlocks.load();
    const [account, block] = first(accounts.entries({ limit: 1 }));
    const [lt, link] = first(block.transactions.entries({ limit: 1 }));
    const mutated = new Linked(storeCell(Transaction, mutate(link.load())), Transaction);
    const entry = block.transactions.findEntry(lt);
    if (entry === undefined) throw new Error("no such transaction");
    const transactions = setEntry(block.transactions, lt, mutated, entry.extra);
    const changed = setEntry(accounts, account, { ...block, transactions }, transactions.rootExtra());
    return { ...extra, accountBlocks: makeLinked(ShardAccountBlocks, changed) };
  });
}

function withoutFirst(part: "inMessages" | "outMessages"): Cell {
  return withExtra((extra) => {
    if (part === "inMessages") {
      const list = extra.inMessages.load();
      return { ...extra, inMessages: makeLinked(InMsgDescr, deleteEntry(list, first(list.entries({ limit: 1 }))[0])) };
    }
    const list = extra.outMessages.load();
    return { ...extra, outMessages: makeLinked(OutMsgDescr, deleteEntry(list, first(list.entries({ limit: 1 }))[0])) };
  });
}

const mutated: Readonly<Record<string, () => Cell>> = {
  "a block that ends before it begins": () => withInfo((info) => ({ ...info, endLt: info.startLt })),
  "a block that begins before the one before it ended": () => withInfo((info) => ({ ...info, startLt: 0n })),
  "a gap between seqnos": () => withInfo((info) => ({ ...info, seqno: info.seqno + 1 })),
  "another time than that of its transactions": () => withInfo((info) => ({ ...info, genUtime: info.genUtime + 1 })),
  "an end before its last message": () => withInfo((info) => ({ ...info, endLt: info.startLt + 1n })),
  "accounts of another shard": () =>
    withInfo((info) => ({ ...info, shard: { ...info.shard, shard: 0x0100000000000000n } })),
  "value from nowhere": () =>
    withFlow((flow) => ({
      ...flow,
      passed: { ...flow.passed, toNextBlock: addCurrency(flow.passed.toNextBlock, one) },
    })),
  "value that disappears": () =>
    withFlow((flow) => ({
      ...flow,
      passed: { ...flow.passed, fromPrevBlock: addCurrency(flow.passed.fromPrevBlock, one) },
    })),
  "fees that nobody paid": () =>
    withFlow((flow) => ({
      ...flow,
      feesCollected: addCurrency(flow.feesCollected, one),
      passed: { ...flow.passed, fromPrevBlock: addCurrency(flow.passed.fromPrevBlock, one) },
    })),
  "imports that no message brought": () =>
    withFlow((flow) => ({
      ...flow,
      passed: {
        ...flow.passed,
        imported: addCurrency(flow.passed.imported, one),
        toNextBlock: addCurrency(flow.passed.toNextBlock, one),
      },
    })),
  "exports that no message carries": () =>
    withFlow((flow) => ({
      ...flow,
      passed: {
        ...flow.passed,
        exported: addCurrency(flow.passed.exported, one),
        fromPrevBlock: addCurrency(flow.passed.fromPrevBlock, one),
      },
    })),
  "an incoming message left out": () => withoutFirst("inMessages"),
  "an outgoing message left out": () => withoutFirst("outMessages"),
  "a transaction with other fees": () => withTransaction((t) => ({ ...t, totalFees: addCurrency(t.totalFees, one) })),
  "a transaction of another account": () => withTransaction((t) => ({ ...t, account: t.prevHash })),
  "a transaction at another logical time": () => withTransaction((t) => ({ ...t, lt: t.lt + 1n })),
  "a transaction that starts from another state": () =>
    withTransaction((t) => ({ ...t, stateUpdate: { ...t.stateUpdate, oldHash: t.prevHash } })),
  "a transaction that leads to another state": () =>
    withTransaction((t) => ({ ...t, stateUpdate: { ...t.stateUpdate, newHash: t.prevHash } })),
  "a transaction with a wrong count of messages": () => withTransaction((t) => ({ ...t, outCount: t.outCount + 1 })),
};

describe("the block check", () => {
  it("accepts every block of a real node", () => {
    for (const block of blocks) checkBlock(block);
  });

  it.each(Object.keys(mutated))("rejects %s", (name) => {
    expect(() => checkBlock((mutated[name] as () => Cell)())).toThrowError(
      expect.objectContaining({ code: "localnet/block" }),
    );
  });
});
