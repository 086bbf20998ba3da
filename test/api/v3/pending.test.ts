import { Value } from "typebox/value";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { v3Api } from "../../../src/api/v3/envelope.ts";
import { v3Endpoints } from "../../../src/api/v3/list.ts";
import { crcForm, writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { contractHistory, History } from "../../../src/history/queries/kit/History.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import { type Demo, makeDemo } from "../../../src/localnet/demo/Demo.ts";
import { playDemo } from "../../../src/localnet/demo/playDemo.ts";
import { makeComment } from "../../../src/localnet/wallets/transfer.ts";
import { type Address, makeAddress } from "../../../src/model/Address.ts";
import { hashToBase64 } from "../../../src/model/Hash.ts";
import { openApiServer, type TestServer } from "../../kit/api/apiServer.ts";
import { joinLive, type LiveStage } from "../../kit/api/liveStage.ts";
import { sameDigits } from "../../kit/api/v3/v3Stage.ts";
import { openFresh } from "../../kit/history/database.ts";
import { ledgerHeads } from "../../kit/history/indexStage.ts";
import { openIndexer } from "../../kit/history/openIndexer.ts";
import { jettonTransferBody } from "../../kit/localnet/jettonBody.ts";
import { type ChainKit, openChainKit, type TestChain } from "../../kit/localnet/localChain.ts";

type Json = Readonly<Record<string, unknown>>;
type JsonList = readonly Json[];

const coin = 1_000_000_000n;
const never = new AbortController().signal;
const nothing = { address_book: {}, metadata: {} };

let kit: ChainKit;
let chain: TestChain;
let demo: Demo;
let database: Database;
let live: LiveStage;
let server: TestServer;

beforeAll(async () => {
  kit = await openChainKit();
  chain = await kit.open();
  demo = makeDemo(chain.net.keys);
  await playDemo(chain.net, demo);
  database = await openFresh("postgres");
  const history = new History({ ...contractHistory, isTestnet: true }, { database });
  const { lite, ledger } = chain.net;
  live = joinLive({ server: lite, ledger, executor: kit.executor, history, clock: chain.clock });
  const services = { history, live: live.live, pending: live.pending };
  server = await openApiServer(v3Api, services, { head: () => ledger.headId.seqno });
  await index();
});

afterAll(async () => {
  await server?.close();
  await live?.close();
  await database?.close();
  await kit?.close();
});

/** Brings the index up to the newest block. */
async function index(): Promise<void> {
  const { lite, ledger } = chain.net;
  const random = seededRandom("pending");
  const modules = { server: lite, heads: ledgerHeads(ledger), database, executor: kit.executor, random };
  const options = { from: "genesis", to: ledger.headId.seqno, network: "testnet" } as const;
  await openIndexer({ ...modules, clock: systemClock }, options).indexer.run(never);
}

async function ask(name: string, args: Readonly<Record<string, string>>): Promise<Json> {
  const response = await fetch(`${server.origin}/api/v3/${name}?${new URLSearchParams(args)}`);
  const body = (await response.json()) as Json;
  if (response.status !== 200) return body;
  const declared = v3Endpoints.find((endpoint) => endpoint.name === name);
  expect(Value.Errors(declared?.result.schema ?? {}, body)).toEqual([]);
  return body;
}

async function send(message: Cell): Promise<Json> {
  const boc = Buffer.from(writeBoc(message, crcForm)).toString("base64");
  const response = await fetch(`${server.origin}/api/v3/message`, { method: "POST", body: JSON.stringify({ boc }) });
  await live.pending.idle();
  return (await response.json()) as Json;
}

const raw = (address: Address) => address.toUpperCase();
const listOf = (answer: Json, key: string) => answer[key] as JsonList;
const reported = (actions: JsonList) => actions.map(({ type, details, success }) => ({ type, details, success }));

async function tracesOf(sent: Json): Promise<JsonList> {
  return listOf(await ask("pendingTraces", { ext_msg_hash: String(sent.message_hash_norm) }), "traces");
}

describe("a sent message", () => {
  let sent: Json;
  let predicted: JsonList;

  it("is found with everything it will cause, by its hashes and by every account it touches", async () => {
    const { alice, bob } = demo.people;
    const body = jettonTransferBody({ to: bob.address, amount: 5n * coin, comment: "soon" });
    const transfer = { to: demo.jetton.walletOf(alice.address), amount: coin / 10n, bounce: true, body };
    const message = chain.sign(alice, transfer);
    sent = await send(message);
    expect(sent).toEqual({
      message_hash: hashToBase64(message.hash()),
      message_hash_norm: expect.stringMatching(/=$/),
    });
    const [trace, ...others] = await tracesOf(sent);
    expect(others).toEqual([]);
    expect(trace).toMatchObject({
      trace_id: null,
      external_hash: sent.message_hash_norm,
      mc_seqno_start: "0",
      mc_seqno_end: "0",
      trace_info: { trace_state: "pending", classification_state: "ok" },
      is_incomplete: false,
    });
    for (const which of [
      { ext_msg_hash: String(sent.message_hash) },
      { account: alice.address },
      { account: bob.address },
      { account: demo.jetton.walletOf(bob.address) },
    ])
      expect(listOf(await ask("pendingTraces", which), "traces")).toEqual([trace]);
    predicted = trace?.actions as JsonList;
    expect(predicted.map(({ type, finality, trace_id: id }) => ({ type, finality, id }))).toEqual([
      { type: "jetton_transfer", finality: "pending", id: null },
    ]);
    expect(predicted[0]?.details).toMatchObject({
      amount: String(5n * coin),
      comment: "soon",
      receiver: raw(bob.address),
    });
  });

  it("has actions for their participants", async () => {
    const { alice, carol } = demo.people;
    const own = await ask("pendingActions", { account: alice.address, include_transactions: "true" });
    const full = listOf(own, "actions").map(({ transactions_full: list }) => list as JsonList);
    expect(reported(listOf(own, "actions"))).toEqual(reported(predicted));
    expect(full.flat().map(({ emulated, finality }) => ({ emulated, finality }))).toEqual(
      full.flat().map(() => ({ emulated: true, finality: "pending" })),
    );
    expect(full.flat()).not.toEqual([]);
    expect(await ask("pendingActions", { account: carol.address })).toEqual({ actions: [], ...nothing });
  });

  it("has the transactions of an account", async () => {
    const { alice, carol } = demo.people;
    const answer = await ask("pendingTransactions", { account: alice.address });
    expect(
      listOf(answer, "transactions").map(({ account, emulated, trace_external_hash: external, in_msg: received }) => ({
        account,
        emulated,
        external,
        source: Object(received).source,
      })),
    ).toContainEqual({ account: raw(alice.address), emulated: true, external: sent.message_hash_norm, source: null });
    expect(await ask("pendingTransactions", { account: carol.address })).toEqual({
      code: 404,
      error: "emulated traces not found",
    });
  });

  it("is dropped when the index has it as predicted", async () => {
    await chain.rounds(3);
    await index();
    expect(await tracesOf(sent)).toEqual([]);
    expect(live.pending.counters()).toMatchObject({ traces: 0, bytes: 0, emulated: 1, refused: 0, failed: 0 });
    const { alice } = demo.people;
    expect(await ask("pendingActions", { account: alice.address })).toEqual({ actions: [], ...nothing });
    expect(await ask("pendingTransactions", { account: alice.address })).toMatchObject({ code: 404 });
    const settled = await ask("actions", { msg_hash: String(sent.message_hash_norm) });
    expect(reported(listOf(settled, "actions"))).toEqual(reported(predicted));
  });
});

describe("a message whose trace takes several blocks", () => {
  it("shows the committed part, and the prediction of the rest", async () => {
    const { bob } = demo.people;
    const far = makeAddress(-1, sameDigits("7"));
    const sent = await send(chain.sign(bob, { to: far, amount: coin, bounce: true, body: makeComment("and back") }));
    const [predicted] = await tracesOf(sent);
    expect(Object(predicted).trace_info).toEqual({
      trace_state: "pending",
      messages: 3,
      transactions: 3,
      pending_messages: 3,
      classification_state: "ok",
    });
    await chain.rounds(1);
    await index();
    const [begun] = await tracesOf(sent);
    const order = Object(begun).transactions_order as readonly string[];
    expect(begun).toMatchObject({
      trace_id: order[0],
      external_hash: sent.message_hash_norm,
      trace_info: { trace_state: "pending", messages: 3, transactions: 3, pending_messages: 1 },
    });
    const transactions = order.map((hash) => Object(begun).transactions[hash] as Json);
    expect(transactions.map(({ account, emulated, finality }) => [account, emulated, finality])).toEqual([
      [raw(bob.address), false, "finalized"],
      [raw(far), false, "finalized"],
      [raw(bob.address), true, "pending"],
    ]);
    const likely = await ask("pendingTransactions", { account: bob.address });
    expect(listOf(likely, "transactions")).toEqual(transactions.slice(2));
    expect(await ask("pendingTransactions", { account: far })).toEqual({ transactions: [], address_book: {} });
    expect(listOf(await ask("traces", { msg_hash: String(sent.message_hash) }), "traces")).toEqual([]);
    await chain.rounds(3);
    await index();
    expect(await tracesOf(sent)).toEqual([]);
    const [settled] = listOf(await ask("traces", { msg_hash: String(sent.message_hash) }), "traces");
    expect(Object(settled).trace_id).toBe(Object(begun).trace_id);
  });
});

describe("a message that would deploy a contract", () => {
  it("is classified with the contract's future state", async () => {
    const { alice } = demo.people;
    const newcomer = makeAddress(0, sameDigits("9"));
    const body = jettonTransferBody({ to: newcomer, amount: coin, comment: "hello" });
    const transfer = { to: demo.jetton.walletOf(alice.address), amount: coin / 10n, bounce: true, body };
    const sent = await send(chain.sign(alice, transfer));
    const [predicted] = await tracesOf(sent);
    const types = (Object(predicted).actions as JsonList).map(({ type }) => type);
    expect(types.toSorted()).toEqual(["contract_deploy", "jetton_transfer"]);
    await chain.rounds(3);
    await index();
    const settled = await ask("actions", { msg_hash: String(sent.message_hash), sort: "asc" });
    expect(listOf(settled, "actions").map(({ type }) => type)).toContain("jetton_transfer");
    expect(await tracesOf(sent)).toEqual([]);
  });
});

describe("a message that the chain never accepts", () => {
  it("is dropped after ten minutes", async () => {
    const { carol, dave } = demo.people;
    const sent = await send(chain.sign(carol, { to: dave.address, amount: 1n }));
    expect(await tracesOf(sent)).toHaveLength(1);
    await chain.clock.advance(599_000);
    expect(await tracesOf(sent)).toHaveLength(1);
    await chain.clock.advance(1_000);
    expect(await tracesOf(sent)).toEqual([]);
  });
});

describe("a server without pending traces", () => {
  it.each(["pendingTraces", "pendingActions", "pendingTransactions"])("refuses %s", async (name) => {
    const bare = await openApiServer(v3Api, { history: new History(contractHistory, { database }) });
    try {
      const response = await fetch(`${bare.origin}/api/v3/${name}?account=${demo.people.alice.address}`);
      const expected = { code: 500, error: "emulatedTracesRepository is not initialized" };
      expect([response.status, await response.json()]).toEqual([500, expected]);
    } finally {
      await bare.close();
    }
  });
});
