import { type KeyPair, mnemonicToPrivateKey } from "@ton/crypto";
import {
  Address,
  beginCell,
  external,
  internal,
  SendMode,
  storeMessage,
  TonClient,
  toNano,
  WalletContractV4,
} from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createV3Client } from "../../../src/api/client/v3Client.ts";
import { SseClient, type StreamJson, WsClient } from "../../kit/api/stream/streamClients.ts";
import { type StartedService, startService } from "../../kit/app/startedService.ts";

const patience = { timeout: 500_000, interval: 50 };
let service: StartedService;
let client: TonClient;
let keys: KeyPair;
let wallet: WalletContractV4;
let base: string;

beforeAll(async () => {
  service = await startService({ flags: ["--block-ms", "200", "--demo", "off"] });
  base = `${service.origin}/api/streaming/v2`;
  client = new TonClient({ endpoint: `${service.origin}/api/v2/jsonRPC`, timeout: 300_000 });
  keys = await mnemonicToPrivateKey([...service.wallet("v4r2").words]);
  wallet = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey });
  await vi.waitFor(
    async () => expect((await fetch(`${service.origin}/api/streaming/healthz`)).status).toBe(200),
    patience,
  );
}, 600_000);

afterAll(() => service.close());

const account = (byte: string) => Address.parse(`0:${byte.repeat(32)}`);
const raw = (address: Address) => `${address.workChain}:${address.hash.toString("hex").toUpperCase()}`;
const typesOf = (events: readonly StreamJson[]) => events.map(({ type, finality }) => `${type} ${finality}`);

/** Sends coins; returns the normalized hash of the message. */
async function send(to: Address, value: string): Promise<string> {
  const opened = client.open(wallet);
  const seqno = await opened.getSeqno();
  const messages = [internal({ to, value, bounce: false })];
  const body = wallet.createTransfer({
    seqno,
    secretKey: keys.secretKey,
    messages,
    sendMode: SendMode.PAY_GAS_SEPARATELY,
  });
  const message = external({ to: wallet.address, body });
  await client.sendFile(beginCell().store(storeMessage(message)).endCell().toBoc());
  await vi.waitFor(async () => expect(await opened.getSeqno()).toBe(seqno + 1), patience);
  const normal = beginCell()
    .storeUint(2, 2)
    .storeUint(0, 2)
    .storeAddress(wallet.address)
    .storeUint(0, 4)
    .storeBit(0)
    .storeBit(1);
  return normal.storeRef(body).endCell().hash().toString("base64");
}

describe("server-sent events", () => {
  it("report a transfer when it is predicted and when it is final", async () => {
    const to = account("c1");
    const addresses = [to.toString(), wallet.address.toRawString()];
    const types = ["transactions", "actions", "account_state_change", "trace_invalidated"];
    const stream = new SseClient(`${base}/sse`, {
      ...{ types, addresses, min_finality: "pending", id: "a1" },
      ...{ include_address_book: true, include_metadata: true },
    });
    expect(await stream.opened).toBe(200);
    await vi.waitFor(
      () =>
        expect(stream.received[0]).toEqual({
          event: "connected",
          id: undefined,
          json: { id: "a1", status: "subscribed" },
        }),
      patience,
    );
    const norm = await send(to, "0.5");
    await vi.waitFor(() => expect(typesOf(stream.events)).toContain("account_state_change finalized"), patience);
    await vi.waitFor(() => expect(stream.events.length).toBeGreaterThanOrEqual(6), patience);
    stream.close();
    const ofTrace = stream.events.filter((event) => event.trace_external_hash_norm === norm);
    expect([...new Set(typesOf(ofTrace))]).toEqual([
      "transactions pending",
      "actions pending",
      "transactions finalized",
      "actions finalized",
    ]);
    for (const { type, transactions, actions, address_book: book, metadata } of ofTrace) {
      expect([typeof book, typeof metadata]).toEqual(["object", "object"]);
      if (type === "transactions") {
        const lts = (transactions as readonly StreamJson[]).map(({ lt }) => BigInt(String(lt)));
        expect(lts).toEqual(lts.toSorted((a, b) => (a > b ? -1 : 1)));
        expect(new Set((transactions as readonly StreamJson[]).map(({ account: each }) => each))).toEqual(
          new Set([raw(to), raw(wallet.address)]),
        );
      } else {
        expect(actions).toMatchObject([
          { type: "ton_transfer", accounts: expect.any(Array), details: { value: String(toNano("0.5")) } },
        ]);
      }
    }
    const states = stream.events.filter(({ type }) => type === "account_state_change");
    expect(states.map((each) => each.account).toSorted()).toEqual([raw(to), raw(wallet.address)].toSorted());
    const own = states.find((each) => each.account === raw(to))?.state;
    expect(own).toEqual({
      ...{ hash: expect.any(String), balance: String(toNano("0.5")), extra_currencies: null },
      ...{ account_status: "uninit", frozen_hash: null, data_hash: null, code_hash: null },
    });
  });

  it("report a whole trace by its message", async () => {
    const norm = await send(account("c2"), "0.1");
    const stream = new SseClient(`${base}/sse`, {
      ...{
        types: ["trace"],
        trace_external_hash_norms: [Buffer.from(norm, "base64").toString("hex")],
        from_mc_seqno: 1,
      },
    });
    await vi.waitFor(() => expect(typesOf(stream.events)).toContain("trace finalized"), patience);
    await vi.waitFor(() => expect(typesOf(stream.events)).toContain("replay_finished undefined"), patience);
    stream.close();
    // The index may reach the block of the message only after the catch-up.
    const trace = stream.events.find(({ type }) => type === "trace");
    expect(trace).toMatchObject({
      type: "trace",
      finality: "finalized",
      trace_external_hash_norm: norm,
      actions: [{ type: "ton_transfer" }],
    });
    expect(Object.keys(trace?.transactions as StreamJson)).toHaveLength(2);
    expect(trace?.trace).toMatchObject({ tx_hash: expect.any(String), children: [{ children: [] }] });
  });

  it("resume after any cut without gaps or repeats, live and replayed", async () => {
    const to = account("c3");
    const body = {
      types: ["transactions", "actions", "account_state_change", "blocks"],
      addresses: [raw(to)],
      cursor: true,
    };
    const whole = new SseClient(`${base}/sse`, body);
    await whole.opened;
    await vi.waitFor(() => expect(whole.received.length).toBeGreaterThan(0), patience);
    const start = String(whole.received[0]?.json.cursor);
    const pieces: StreamJson[] = [];
    const countReceived = (events: readonly StreamJson[]) =>
      events.filter(({ type }) => type === "transactions").length;
    const cuts = 6;
    let sent = 0;
    let last = start;
    for (let cut = 0; cut < cuts; cut++) {
      const part = new SseClient(`${base}/sse`, body, { "last-event-id": last });
      await part.opened;
      if (cut % 2 === 0) {
        await send(to, "0.01");
        sent += 1;
      }
      await vi.waitFor(() => expect(part.events.length).toBeGreaterThan(1 + cut), patience);
      // On a busy machine many blocks may come before the transfer's.
      const isLast = cut === cuts - 1;
      if (isLast) await vi.waitFor(() => expect(countReceived([...pieces, ...part.events])).toBe(sent), patience);
      part.close();
      await part.ended;
      pieces.push(...part.events.filter(({ type }) => type !== "replay_finished"));
      last = part.parser.lastId ?? last;
    }
    await vi.waitFor(() => expect(whole.events.length).toBeGreaterThanOrEqual(pieces.length), patience);
    whole.close();
    expect(pieces).toEqual(whole.events.slice(0, pieces.length));
    const replayed = new SseClient(`${base}/sse`, { ...body, after: start });
    await vi.waitFor(() => expect(replayed.events.length).toBeGreaterThan(pieces.length), patience);
    replayed.close();
    expect(replayed.events.slice(0, pieces.length)).toEqual(pieces);
    const { from_mc_seqno: first, to_mc_seqno: newest, ...rest } = Object(replayed.received[0]?.json.replay);
    expect(rest).toEqual({ remaining_blocks: newest - first + 1 });
    expect(countReceived(pieces)).toBe(3);
  });

  it("serve browser pages by GET", async () => {
    const url = `${base}/sse?types=blocks,transactions&addresses=${raw(wallet.address)}&cursor=1`;
    const stream = new SseClient(url, undefined);
    await vi.waitFor(() => expect(stream.events.length).toBeGreaterThan(1), patience);
    stream.close();
    expect(stream.text.startsWith("retry: 1000\nevent: connected\nid: c1.")).toBe(true);
    expect(stream.received.slice(1).every(({ event, id }) => event === undefined && id !== undefined)).toBe(true);
  });

  it("send keep-alives", async () => {
    const stream = new SseClient(`${base}/sse`, {
      types: ["transactions"],
      addresses: [raw(account("cc"))],
      cursor: true,
    });
    await vi.waitFor(() => expect(stream.parser.comments).toBeGreaterThan(0), patience);
    const [first] = stream.received;
    await vi.waitFor(() => expect(stream.parser.lastId).not.toBe(first?.id), patience);
    stream.close();
    expect(stream.events).toEqual([]);
  });

  it("refuse with the texts of the contract", async () => {
    const addresses = [raw(account("c1"))];
    const hash = "A".repeat(43);
    const cases: readonly (readonly [StreamJson | string, number, string | RegExp])[] = [
      ["{", 400, /^invalid subscription request: /],
      ["[]", 400, /^invalid subscription request: /],
      [{}, 400, "types are required for subscription"],
      [{ types: [] }, 400, "types are required for subscription"],
      [{ types: "transactions" }, 400, /^invalid subscription request: /],
      [{ types: ["nothing"], addresses }, 400, "invalid event type: nothing"],
      [{ types: ["actions"], addresses: ["nowhere"] }, 400, "invalid address: nowhere"],
      [
        { types: ["actions"], addresses, min_finality: "soon" },
        400,
        "invalid subscription request: unknown finality state: soon",
      ],
      [
        { types: ["actions"], addresses, trace_external_hash_norms: [hash] },
        400,
        'trace_external_hash_norms requires type "trace"',
      ],
      [{ types: ["trace"] }, 400, "trace_external_hash_norms are required for trace subscription"],
      [{ types: ["trace"], trace_external_hash_norms: [""] }, 400, "trace_external_hash_norms contains empty value"],
      [{ types: ["actions"] }, 400, "addresses are required for subscription"],
      [
        { types: ["actions"], addresses, msg_body_hash: hash },
        400,
        'msg_body_hash requires addresses and type "transactions"',
      ],
      [{ types: ["transactions"], addresses, msg_body_hash: "x" }, 400, "invalid msg_body_hash"],
      [{ types: ["actions"], addresses, after: "c1.x" }, 400, "invalid cursor"],
      [
        { types: ["actions"], addresses, from_mc_seqno: 0 },
        410,
        /^cursor is older than the index: its first block is [0-9]+$/,
      ],
    ];
    for (const [body, status, text] of cases) {
      const response = await fetch(`${base}/sse`, {
        method: "POST",
        body: typeof body === "string" ? body : JSON.stringify(body),
      });
      const answer = (await response.json()) as StreamJson;
      expect([response.status, Object.keys(answer)]).toEqual([status, ["error"]]);
      expect(answer.error).toEqual(typeof text === "string" ? text : expect.stringMatching(text));
    }
    const upgrade = await fetch(`${base}/ws`);
    expect([upgrade.status, await upgrade.text()]).toEqual([426, "Upgrade Required"]);
  });
});

describe("WebSockets", () => {
  it("change their subscription while open", async () => {
    const socket = new WsClient(`${base}/ws?api_key=`);
    expect(await socket.opened).toBe(101);
    socket.send({ operation: "ping" });
    socket.send({ operation: "ping", id: 7 });
    socket.send({
      operation: "subscribe",
      id: "1",
      types: ["transactions"],
      addresses: [raw(account("d1"))],
      min_finality: "pending",
    });
    await vi.waitFor(
      () =>
        expect(socket.received).toEqual([
          { status: "pong" },
          { id: 7, status: "pong" },
          { id: "1", status: "subscribed" },
        ]),
      patience,
    );
    await send(account("d1"), "0.01");
    await vi.waitFor(
      () => expect(typesOf(socket.events)).toEqual(["transactions pending", "transactions finalized"]),
      patience,
    );
    socket.send({ operation: "unsubscribe", id: "2", addresses: [raw(account("d1"))] });
    socket.send({ operation: "subscribe", id: "3", types: ["account_state_change"], addresses: [raw(account("d2"))] });
    await vi.waitFor(() => expect(socket.received.at(-1)).toEqual({ id: "3", status: "subscribed" }), patience);
    await send(account("d1"), "0.01");
    await send(account("d2"), "0.01");
    await vi.waitFor(() => expect(typesOf(socket.events).at(-1)).toBe("account_state_change finalized"), patience);
    expect(socket.events).toHaveLength(3);
    socket.close();
  });

  it("answer unsupported requests with an error, and close on unreadable ones", async () => {
    const socket = new WsClient(`${service.origin}/streaming/v2/ws`);
    await socket.opened;
    const requests: readonly (readonly [unknown, StreamJson])[] = [
      [
        { operation: "dance", id: "1" },
        { id: "1", error: "unknown operation: dance" },
      ],
      [
        { operation: "subscribe", id: "2" },
        { id: "2", error: "types are required" },
      ],
      [{ operation: "subscribe", types: ["actions"] }, { error: "addresses are required" }],
      [
        { operation: "unsubscribe", id: "3" },
        { id: "3", error: "addresses or trace_external_hash_norms are required" },
      ],
      [
        { operation: "subscribe", id: "4", types: ["actions"], addresses: ["x"] },
        { id: "4", error: "invalid address: x" },
      ],
    ];
    for (const [request] of requests) socket.send(request);
    await vi.waitFor(() => expect(socket.received).toEqual(requests.map(([, answer]) => answer)), patience);
    socket.sendFrame(1, Buffer.from('{"operation":"pi'), false);
    socket.sendFrame(0, Buffer.from('ng"}'));
    await vi.waitFor(() => expect(socket.received.at(-1)).toEqual({ status: "pong" }), patience);
    for (const each of ["{", "[]", "no"]) socket.send(each);
    await socket.closed;
    expect(socket.closedWith).toEqual({ code: 1003, reason: "no JSON" });
    const large = new WsClient(`${base}/ws`);
    await large.opened;
    large.sendFrame(1, Buffer.alloc(1_048_577));
    await large.closed;
    expect(large.closedWith?.code).toBe(1009);
  });
});

describe("the client of v3", () => {
  it("watches, and resumes where it stopped after a restart", async () => {
    const v3 = createV3Client(`${service.origin}/api/v3`);
    const seqnos: number[] = [];
    let after: string | undefined;
    for (let round = 0; round < 2; round++) {
      for await (const event of v3.watch({ types: ["blocks"], ...(after !== undefined && { after }) })) {
        if (event.type !== "blocks") continue;
        seqnos.push(Number(Object(event.mc_block).seqno));
        after = event.cursor;
        if (seqnos.length % 3 === 0) break;
      }
    }
    expect(seqnos).toEqual(seqnos.map((_, at) => (seqnos[0] ?? 0) + at));
  });

  it("sends a message and waits for everything it causes", async () => {
    const v3 = createV3Client(`${service.origin}/api/v3`);
    const opened = client.open(wallet);
    const messages = [internal({ to: account("e1"), value: "0.02", bounce: false })];
    const body = wallet.createTransfer({ seqno: await opened.getSeqno(), secretKey: keys.secretKey, messages });
    const message = external({ to: wallet.address, body });
    const boc = beginCell().store(storeMessage(message)).endCell().toBoc().toString("base64");
    const trace = await v3.sendAndWait(boc);
    expect(trace).toMatchObject({ type: "trace", finality: "finalized", actions: [{ type: "ton_transfer" }] });
    expect(Object.keys(Object(trace.transactions))).toHaveLength(2);
  });
});
