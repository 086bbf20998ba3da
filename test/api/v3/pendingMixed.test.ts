import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { crcForm, writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import type { Wallet } from "../../../src/localnet/wallets/Wallet.ts";
import type { Address } from "../../../src/model/Address.ts";
import { type DemoStage, type Json, type JsonList, listOf, openDemoStage } from "../../kit/api/demoStage.ts";
import { eagerServer } from "../../kit/lite/eagerServer.ts";
import { jettonTransferBody } from "../../kit/localnet/jettonBody.ts";

const coin = 1_000_000_000n;
const notFound = { code: 404, error: "emulated traces not found" };

let stage: DemoStage;

// With several shards a trace spans several blocks.
beforeAll(async () => {
  stage = await openDemoStage({ engine: "embedded", shards: 4, wrap: eagerServer });
});

afterAll(() => stage?.close());

/** Sends a message through the API; the test decides when the chain gets it. */
async function send(message: Cell): Promise<string> {
  const boc = Buffer.from(writeBoc(message, crcForm)).toString("base64");
  const url = `${stage.server.origin}/api/v3/message`;
  const response = await fetch(url, { method: "POST", body: JSON.stringify({ boc }) });
  await stage.live.pending.idle();
  return String(Object(await response.json()).message_hash_norm);
}

async function goOn(rounds = 1): Promise<void> {
  await stage.chain.rounds(rounds);
  await stage.index();
}

/** A trace in an answer, with its transactions in order. */
interface Recorded {
  readonly trace: Json;
  readonly transactions: JsonList;
}

async function report(external: string): Promise<Recorded> {
  const traces = listOf(await stage.ask("pendingTraces", { ext_msg_hash: external }), "traces");
  expect(traces).toHaveLength(1);
  const trace = Object(traces[0]);
  const order = trace.transactions_order as readonly string[];
  expect(Object.keys(trace.transactions).toSorted()).toEqual(order.toSorted());
  return { trace, transactions: order.map((hash) => trace.transactions[hash]) };
}

const reported = ({ type, details, success }: Json) => ({ type, details, success });
const standing = ({ account, emulated, finality }: Json) => [account, emulated, finality];
const raw = (address: Address) => address.toUpperCase();
const outOf = (transaction: Json | undefined, at: number): Json => Object(transaction).out_msgs[at];

/** Committed transactions in the form they have in an unfinished trace. */
async function readCommitted(external: string, transactions: JsonList): Promise<JsonList> {
  const committed: Json[] = [];
  for (const { hash, emulated } of transactions) {
    if (emulated === true) continue;
    const [found] = listOf(await stage.ask("transactions", { hash: String(hash) }), "transactions");
    committed.push({ ...found, trace_external_hash: external });
  }
  return committed;
}

/** A predicted transaction as shown when its incoming message was sent differently than predicted. */
function follow(predicted: Json, from: Json, to: Json, traceId: unknown, received?: Json): Json {
  const lt = BigInt(String(to.created_lt)) - BigInt(String(from.created_lt));
  const seconds = Number(to.created_at) - Number(from.created_at);
  const move = (message: Json): Json => ({
    ...message,
    created_lt: String(BigInt(String(message.created_lt)) + lt),
    created_at: String(Number(message.created_at) + seconds),
  });
  return {
    ...predicted,
    trace_id: traceId,
    lt: String(BigInt(String(predicted.lt)) + lt),
    now: Number(predicted.now) + seconds,
    in_msg: received ?? move(Object(predicted.in_msg)),
    out_msgs: (predicted.out_msgs as JsonList).map(move),
  };
}

interface Expected {
  readonly predicted: Recorded;
  readonly transactions: JsonList;
  readonly tree: unknown;
  readonly pendingMessages: number;
}

/** The whole unfinished trace as shown; its actions are the predicted ones. */
function mixedTrace({ predicted, transactions, tree, pendingMessages }: Expected): Json {
  const [root] = transactions;
  const largest = (key: string) => Math.max(...transactions.map((each) => Number(each[key])));
  const end = { lt: String(largest("lt")), utime: largest("now"), seqno: largest("mc_block_seqno") };
  return {
    ...predicted.trace,
    trace_id: root?.hash,
    mc_seqno_start: String(root?.mc_block_seqno),
    mc_seqno_end: String(end.seqno),
    start_lt: root?.lt,
    start_utime: root?.now,
    end_lt: end.lt,
    end_utime: end.utime,
    trace_info: { ...Object(predicted.trace.trace_info), pending_messages: pendingMessages },
    actions: (predicted.trace.actions as JsonList).map((action) => ({
      ...action,
      trace_id: root?.hash,
      // Ids depend on the current messages and transactions.
      action_id: expect.any(String),
      start_lt: outOf(root, 0).created_lt,
      start_utime: Number(outOf(root, 0).created_at),
      end_lt: end.lt,
      end_utime: end.utime,
      trace_end_lt: end.lt,
      trace_end_utime: end.utime,
      trace_mc_seqno_end: end.seqno,
      transactions: expect.toSatisfy(
        (hashes: readonly string[]) =>
          hashes.toSorted().join() ===
          transactions
            .map(({ hash }) => hash)
            .toSorted()
            .join(),
      ),
    })),
    trace: tree,
    transactions_order: transactions.map(({ hash }) => hash),
    transactions: Object.fromEntries(transactions.map((each) => [each.hash, each])),
  };
}

interface Tree {
  readonly tx_hash: unknown;
  readonly in_msg_hash: unknown;
  readonly children: readonly Tree[];
}

function node(transaction: Json | undefined, ...children: readonly Tree[]): Tree {
  return { tx_hash: transaction?.hash, in_msg_hash: Object(transaction?.in_msg).hash, children };
}

/** The path of a jetton transfer: a wallet, two jetton wallets, and the receiver twice. */
function transferTree([wallet, from, to, notified, paid]: JsonList): Tree {
  return node(wallet, node(from, node(to, node(notified), node(paid))));
}

describe("a jetton transfer over two blocks", () => {
  let external: string;
  let predicted: Recorded;

  it("is predicted completely at first", async () => {
    const { alice, bob } = stage.demo.people;
    const body = jettonTransferBody({ to: bob.address, amount: 5n * coin, comment: "soon" });
    const own = stage.demo.jetton.walletOf(alice.address);
    const message = stage.chain.sign(alice, { to: own, amount: coin / 10n, bounce: true, body });
    external = await send(message);
    predicted = await report(external);
    const receivers = [alice.address, own, stage.demo.jetton.walletOf(bob.address), bob.address, bob.address];
    expect(predicted.transactions.map(standing)).toEqual(receivers.map((each) => [raw(each), true, "pending"]));
    expect(predicted.trace).toMatchObject({ trace_id: null, trace_info: { messages: 5, pending_messages: 5 } });
    await stage.chain.submit(message);
  });

  it("shows the committed part, and continues as predicted", async () => {
    await goOn();
    const mixed = await report(external);
    const [root, ...more] = await readCommitted(external, mixed.transactions);
    expect([root?.finality, more]).toEqual(["finalized", []]);
    const [from, to] = [outOf(predicted.transactions[0], 0), outOf(root, 0)];
    const rest = predicted.transactions
      .slice(1)
      .map((each, at) => follow(each, from, to, root?.hash, at === 0 ? to : undefined));
    const transactions = [root ?? {}, ...rest];
    const tree = transferTree(transactions);
    expect(mixed.trace).toEqual(mixedTrace({ predicted, transactions, tree, pendingMessages: 4 }));
  });

  it("lists only its predicted transactions as pending", async () => {
    const { alice, bob } = stage.demo.people;
    const { transactions } = await report(external);
    const likely = transactions.filter(({ emulated }) => emulated);
    const ask = async (account: Address) => listOf(await stage.ask("pendingTransactions", { account }), "transactions");
    const own = async (account: Address) => [
      await ask(account),
      likely.filter((each) => each.account === raw(account)),
    ];
    for (const account of [alice.address, bob.address, stage.demo.jetton.walletOf(bob.address)]) {
      const [answered, expected] = await own(account);
      expect(answered).toEqual(expected);
    }
    expect([(await ask(alice.address)).length, (await ask(bob.address)).length]).toEqual([0, 2]);
  });

  it("has the same actions for its participants, with transactions of both kinds", async () => {
    const { bob } = stage.demo.people;
    const { trace, transactions } = await report(external);
    const answer = await stage.ask("pendingActions", { account: bob.address, include_transactions: "true" });
    const [shown = {}] = trace.actions as JsonList;
    const byHash = new Map(transactions.map((each) => [each.hash, each]));
    const full = (shown.transactions as readonly string[]).map((hash) => byHash.get(hash));
    expect(listOf(answer, "actions")).toEqual([{ ...shown, transactions_full: full }]);
  });

  it("is found by every account it touches, committed or not", async () => {
    const { trace, transactions } = await report(external);
    for (const { account } of transactions)
      expect(listOf(await stage.ask("pendingTraces", { account: String(account) }), "traces")).toEqual([trace]);
  });

  it("is dropped when the index has all of it, with the predicted actions", async () => {
    const { alice, bob } = stage.demo.people;
    await goOn();
    const none = { address_book: {}, metadata: {} };
    const byMessage = { ext_msg_hash: external };
    expect(await stage.ask("pendingTraces", byMessage)).toEqual({ traces: [], ...none });
    expect(await stage.ask("pendingActions", byMessage)).toEqual({ actions: [], ...none });
    for (const { address: account } of [alice, bob])
      expect(await stage.ask("pendingTransactions", { account })).toEqual(notFound);
    const settled = listOf(await stage.ask("actions", { msg_hash: external }), "actions");
    expect(settled.map(reported)).toEqual((predicted.trace.actions as JsonList).map(reported));
    expect(stage.live.pending.counters()).toMatchObject({ traces: 0, refused: 0, failed: 0 });
  });
});

/** The index of an account's shard among four. */
const shardOf = (address: Address): number => Number.parseInt(address.slice(2, 3), 16) >> 2;

/** The block of each transaction of a jetton transfer: a message to another shard arrives one block later. */
function blocksOf(sender: Address, receiver: Address): number[] {
  const { walletOf } = stage.demo.jetton;
  const path = [sender, walletOf(sender), walletOf(receiver), receiver];
  const blocks = [0];
  for (const [at, each] of path.slice(1).entries())
    blocks.push((blocks[at] ?? 0) + (shardOf(path[at] ?? each) === shardOf(each) ? 0 : 1));
  return [...blocks, blocks.at(-1) ?? 0];
}

describe("a jetton transfer over three blocks", () => {
  let sender: Wallet;
  let receiver: Wallet;
  let external: string;
  let predicted: Recorded;

  /** A jetton owner and any other account. */
  function findPair(): [Wallet, Wallet] {
    const { alice, bob, carol, dave, erin } = stage.demo.people;
    const pairs = [alice, bob, carol, dave].flatMap((from) =>
      [alice, bob, carol, dave, erin].filter((to) => to !== from).map((to): [Wallet, Wallet] => [from, to]),
    );
    const pair = pairs.find(([from, to]) => blocksOf(from.address, to.address).at(-1) === 2);
    if (pair === undefined) throw new Error("no transfer between the people of the demo set takes three blocks");
    return pair;
  }

  it("is predicted completely at first", async () => {
    [sender, receiver] = findPair();
    const { walletOf } = stage.demo.jetton;
    const own = walletOf(sender.address);
    const body = jettonTransferBody({ to: receiver.address, amount: coin, comment: "later" });
    const message = stage.chain.sign(sender, { to: own, amount: coin / 10n, bounce: true, body });
    external = await send(message);
    predicted = await report(external);
    const path = [sender.address, own, walletOf(receiver.address), receiver.address, receiver.address];
    expect(predicted.transactions.map(standing)).toEqual(path.map((each) => [raw(each), true, "pending"]));
    await stage.chain.submit(message);
  });

  it.each([1, 2])("replaces predictions transaction by transaction: %d of three blocks", async (blocks) => {
    await goOn();
    const mixed = await report(external);
    const committed = await readCommitted(external, mixed.transactions);
    const made = blocksOf(sender.address, receiver.address).filter((block) => block < blocks).length;
    expect(committed).toHaveLength(made);
    const [root] = committed;
    const rest = predicted.transactions.slice(made).map((each, at) => {
      // The last wallet sends two messages; every earlier transaction sends one.
      const out = made === 3 ? at : 0;
      const [from, to] = [outOf(predicted.transactions[made - 1], out), outOf(committed[made - 1], out)];
      return follow(each, from, to, root?.hash, made === 3 || at === 0 ? to : undefined);
    });
    const transactions = [...committed, ...rest];
    const expected = { predicted, transactions, tree: transferTree(transactions), pendingMessages: 5 - made };
    expect(mixed.trace).toEqual(mixedTrace(expected));
  });

  it("is dropped when the index has all of it, with the predicted actions", async () => {
    await goOn();
    const none = { address_book: {}, metadata: {} };
    expect(await stage.ask("pendingTraces", { ext_msg_hash: external })).toEqual({ traces: [], ...none });
    const settled = listOf(await stage.ask("actions", { msg_hash: external }), "actions");
    expect(settled.map(reported)).toEqual((predicted.trace.actions as JsonList).map(reported));
    expect(stage.live.pending.counters()).toMatchObject({ traces: 0, refused: 0, failed: 0 });
  });
});

describe("a purchase that another account makes first", () => {
  let external: string;
  let begun: Recorded;

  it("is shown as committed, without the predicted rest", async () => {
    const { alice, dave } = stage.demo.people;
    const { openSale: sale } = stage.demo.market;
    const [item] = stage.demo.nft.items;
    const buy = { to: sale, amount: 26n * coin, bounce: true };
    const message = stage.chain.sign(alice, buy);
    external = await send(message);
    const predicted = await report(external);
    expect(predicted.transactions.map(({ account }) => account)).toContain(raw(item));
    expect(predicted.trace.is_incomplete).toBe(false);
    await stage.chain.send(dave, buy);
    await goOn(3);
    await stage.chain.submit(message);
    await goOn(2);
    begun = await report(external);
    expect(begun.transactions.map(standing)).toEqual([
      [raw(alice.address), false, "finalized"],
      [raw(sale), false, "finalized"],
    ]);
    expect(begun.trace).toMatchObject({
      is_incomplete: true,
      trace_info: { messages: 3, transactions: 2, pending_messages: 1 },
    });
    expect(listOf(await stage.ask("pendingTraces", { account: item }), "traces")).toEqual([]);
    expect(await stage.ask("pendingTransactions", { account: item })).toEqual(notFound);
  });

  it("continues with a new prediction from there", async () => {
    const { alice } = stage.demo.people;
    await stage.live.pending.idle();
    const mixed = await report(external);
    const [bought, refused, back, ...more] = mixed.transactions;
    expect([bought, refused, more]).toEqual([...begun.transactions, []]);
    expect(standing(back ?? {})).toEqual([raw(alice.address), true, "pending"]);
    expect(Object(back).in_msg).toEqual(outOf(refused, 0));
    expect(mixed.trace).toEqual({
      ...begun.trace,
      is_incomplete: false,
      end_lt: back?.lt,
      end_utime: back?.now,
      trace_info: {
        trace_state: "pending",
        messages: 3,
        transactions: 3,
        pending_messages: 1,
        classification_state: "ok",
      },
      actions: mixed.trace.actions,
      trace: node(bought, node(refused, node(back))),
      transactions_order: mixed.transactions.map(({ hash }) => hash),
      transactions: Object.fromEntries(mixed.transactions.map((each) => [each.hash, each])),
    });
    expect(listOf(await stage.ask("pendingTransactions", { account: alice.address }), "transactions")).toEqual([back]);
    expect(stage.live.pending.counters()).toMatchObject({ traces: 1, resumed: 1, failed: 0 });
    const meaning = (mixed.trace.actions as JsonList).map(reported);
    await goOn();
    expect(listOf(await stage.ask("pendingTraces", { ext_msg_hash: external }), "traces")).toEqual([]);
    const settled = listOf(
      await stage.ask("actions", { trace_id: String(mixed.trace.trace_id), sort: "asc" }),
      "actions",
    );
    expect(settled.map(reported)).toEqual(meaning);
  });
});
