import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatCursor } from "../../../src/api/stream/cursor.ts";
import { renderBlock } from "../../../src/api/stream/renderEvents.ts";
import type { OwnAccount, StreamBlock, StreamTrace } from "../../../src/api/stream/StreamBlock.ts";
import { StreamHub } from "../../../src/api/stream/StreamHub.ts";
import { readSubscription, sseWording } from "../../../src/api/stream/Subscription.ts";
import type { Transport } from "../../../src/api/stream/transport/Transport.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import type { Address } from "../../../src/model/Address.ts";
import { type Hash, zeroHash } from "../../../src/model/Hash.ts";
import { quietLog } from "../../kit/api/apiServer.ts";
import { accountAt as account, FakeIndex, hashAt as hash, makeBlock } from "../../kit/api/stream/fakeIndex.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

/** A client that accepts a number of messages and then none until it is resumed. */
class FakeTransport implements Transport {
  readonly received: string[] = [];
  closedWith: number | undefined;
  waitingBytes = 0;
  #onDrain: (() => void)[] = [];
  readonly #isSlow: boolean;

  constructor(isSlow: boolean) {
    this.#isSlow = isSlow;
  }

  send(json: string): void {
    this.received.push(json);
    if (this.#isSlow) this.waitingBytes += 1 << 20;
  }

  keepAlive(): void {}

  get needsDrain(): boolean {
    return this.waitingBytes > 0;
  }

  onDrain(listener: () => void): void {
    this.#onDrain.push(listener);
  }

  drain(): void {
    this.waitingBytes = 0;
    for (const listener of this.#onDrain.splice(0)) listener();
  }

  close(code: number): void {
    this.closedWith = code;
  }

  destroy(): void {
    this.closedWith = 0;
  }
}

const wanted = {
  types: ["transactions", "actions", "account_state_change", "blocks"],
  addresses: [account(0), account(1)],
};
const context = {
  wording: sseWording,
  maxAddresses: 10,
  mayAskForAll: false,
  headers: {},
  before: undefined,
};

async function waitForEvents(): Promise<void> {
  for (let turn = 0; turn < 60; turn++) await Promise.resolve();
}

/** Opens a hub like a new process. */
const openHub = (index: FakeIndex) =>
  new StreamHub({ source: index.source(), zeroState: zeroHash, clock: systemClock, log: quietLog });

async function connect(
  hub: StreamHub,
  transport: FakeTransport,
  properties: Readonly<Record<string, unknown>>,
  rules = context,
) {
  const { subscription, beginning } = readSubscription({ ...wanted, ...properties }, rules);
  const { connection, leave } = hub.join(transport);
  const { after, replay, existing } = await hub.begin(beginning);
  connection.subscribe(subscription, after, replay);
  hub.start(connection, existing);
  return { connection, leave };
}

function fail(): never {
  throw new Error("the block has no trace");
}

const types = (received: readonly string[]) =>
  received.map((each) => {
    const { type, finality } = JSON.parse(each) as Readonly<Record<string, string>>;
    return finality === undefined ? type : `${type} ${finality}`;
  });

const eventsOnly = (received: readonly string[]) => received.filter((each) => !each.includes("replay_finished"));
const cursorOf = (event: string) => String((JSON.parse(event) as { cursor: string }).cursor);

/** All events up to a block, as an undisturbed reader receives them. */
async function expectAll(last: number): Promise<readonly string[]> {
  const index = new FakeIndex();
  index.last = last;
  const hub = openHub(index);
  const transport = new FakeTransport(false);
  await connect(hub, transport, { from_mc_seqno: 1 });
  for (let turn = 0; turn < last; turn++) await waitForEvents();
  await hub.close(0);
  return eventsOnly(transport.received);
}

const step = fc.oneof(
  { weight: 5, arbitrary: fc.constant("grow" as const) },
  { weight: 3, arbitrary: fc.constant("drain" as const) },
  { weight: 2, arbitrary: fc.constant("cut" as const) },
  { weight: 1, arbitrary: fc.constant("restart" as const) },
);

describe("the stream of a network", () => {
  it("delivers every event once and in order, despite failing connections, readers and processes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.boolean(),
        fc.integer({ min: 0, max: 5 }),
        async (steps, isSlow, lost) => {
          const index = new FakeIndex();
          let hub = openHub(index);
          let transport = new FakeTransport(isSlow);
          let { leave } = await connect(hub, transport, { from_mc_seqno: 1 });
          const received: string[] = [];
          const reconnect = async (isKilled: boolean): Promise<void> => {
            // Messages in transit when the connection was cut are lost.
            const came = eventsOnly(transport.received);
            received.push(...came.slice(0, Math.max(0, came.length - lost)));
            if (!isKilled) leave();
            const after = received.at(-1);
            transport = new FakeTransport(isSlow);
            ({ leave } = await connect(
              hub,
              transport,
              after === undefined ? { from_mc_seqno: 1 } : { after: cursorOf(after) },
            ));
          };
          for (const each of steps) {
            if (each === "grow") index.grow();
            if (each === "drain") transport.drain();
            if (each === "restart") {
              await hub.close(0);
              hub = openHub(index);
            }
            if (each === "cut" || each === "restart") await reconnect(each === "restart");
            await waitForEvents();
          }
          for (let turn = 0; turn < index.last * 8; turn++) {
            transport.drain();
            await waitForEvents();
          }
          received.push(...eventsOnly(transport.received));
          await hub.close(0);
          expect(received).toEqual(await expectAll(index.last));
        },
      ),
      { numRuns: 60 },
    );
  });

  it("waits for a slow reader with a cursor, closes one without, and delays nobody else", async () => {
    const index = new FakeIndex();
    const hub = openHub(index);
    const [slow, lost, quick] = [new FakeTransport(true), new FakeTransport(true), new FakeTransport(false)];
    await connect(hub, slow, { cursor: true });
    await connect(hub, lost, {});
    await connect(hub, quick, { cursor: true });
    for (let block = 0; block < 20; block++) {
      index.grow();
      await waitForEvents();
    }
    expect([slow.closedWith, lost.closedWith, quick.closedWith]).toEqual([undefined, 1013, undefined]);
    expect(slow.received.length).toBeLessThan(12);
    const all = (await expectAll(21)).filter((event) => Number(JSON.parse(event).mc_block?.seqno ?? 2) >= 2);
    expect(eventsOnly(quick.received).length).toBeGreaterThan(all.length / 2);
    for (let turn = 0; turn < 200; turn++) {
      slow.drain();
      await waitForEvents();
    }
    expect(eventsOnly(slow.received)).toEqual(eventsOnly(quick.received));
    // A block is read once for all its readers.
    expect(index.reads).toBeLessThanOrEqual(21);
    await hub.close(0);
  });

  it("closes a client that takes no answers when 64 of them wait, and not before", async () => {
    const hub = new StreamHub({
      source: new FakeIndex().source(),
      zeroState: zeroHash,
      clock: new ManualClock(),
      log: quietLog,
    });
    const transport = new FakeTransport(false);
    const { connection } = hub.join(transport);
    transport.waitingBytes = 1;
    for (let count = 0; count < 64; count++) connection.answer("{}");
    expect(transport.closedWith).toBeUndefined();
    connection.answer("{}");
    expect([transport.closedWith, transport.received]).toEqual([1013, []]);
    await hub.close(0);
  });

  it("sends no predictions of finalized traces, and retracts those of dead processes", async () => {
    const index = new FakeIndex();
    const clock = new ManualClock();
    const hub = new StreamHub({ source: index.source(), zeroState: zeroHash, clock, log: quietLog });
    const transport = new FakeTransport(false);
    await connect(hub, transport, { types: ["transactions"], min_finality: "pending" });
    // Two blocks at once: events of the first are finalized, too.
    index.last += 1;
    index.grow();
    await waitForEvents();
    const received = transport.received.length;
    const [first, second] = [makeBlock(2), makeBlock(3)].map(({ traces }) => traces.at(-1));
    for (const trace of [first, second]) if (trace !== undefined) hub.predict({ ...trace, finality: "pending" });
    await waitForEvents();
    expect(transport.received).toHaveLength(received);
    const lasting = { ...(makeBlock(9).traces[0] ?? fail()), finality: "pending" as const };
    hub.predict(lasting);
    await waitForEvents();
    expect(types(transport.received.slice(received))).toEqual(["transactions pending"]);
    for (let minute = 0; minute < 12; minute++) await clock.advance(60_000);
    expect(types(transport.received.slice(received))).toEqual(["transactions pending", "trace_invalidated"]);
    await hub.close(0);
  });

  it("reads only what changed with a block while nobody is connected, and no prediction of it counts any more", async () => {
    const index = new FakeIndex();
    const hub = openHub(index);
    const [first] = makeBlock(2).traces;
    const prediction = { ...(first ?? fail()), finality: "pending" as const };
    hub.predict(prediction);
    index.grow();
    await waitForEvents();
    expect([index.reads, index.changesRead]).toEqual([0, 1]);
    const transport = new FakeTransport(false);
    await connect(hub, transport, { types: ["transactions"], min_finality: "pending" });
    hub.predict(prediction);
    await waitForEvents();
    expect(transport.received.filter((json) => json.includes("pending"))).toEqual([]);
    await hub.close(0);
  });

  it("takes back what was not final, and nothing that was", async () => {
    const hub = openHub(new FakeIndex());
    const [both, confirmed] = [new FakeTransport(false), new FakeTransport(false)];
    const subscription = { types: ["transactions", "actions"] };
    await connect(hub, both, { ...subscription, min_finality: "pending" });
    await connect(hub, confirmed, { ...subscription, min_finality: "confirmed" });
    const trace = { ...(makeBlock(9).traces[0] ?? fail()), finality: "pending" as const };
    hub.predict(trace);
    await waitForEvents();
    hub.predict({ ...trace, actionsFinality: "finalized" });
    await waitForEvents();
    hub.invalidate(trace.external);
    const pending = ["transactions pending", "actions pending"];
    expect(types(both.received)).toEqual([...pending, "transactions pending", "actions finalized"]);
    expect(types(confirmed.received)).toEqual(["actions finalized"]);
    await hub.close(0);
  });

  it("retracts shown actions to clients that request it", async () => {
    const hub = openHub(new FakeIndex());
    const [reported, untold] = [new FakeTransport(false), new FakeTransport(false)];
    const subscription = { types: ["actions"], min_finality: "pending" };
    await connect(hub, reported, { ...subscription, retract: true });
    await connect(hub, untold, subscription);
    const trace = { ...(makeBlock(9).traces[0] ?? fail()), finality: "pending" as const };
    hub.predict({ ...trace, actions: [] });
    hub.predict(trace);
    hub.predict({ ...trace, actions: [] });
    hub.predict({ ...trace, actions: [] });
    await waitForEvents();
    const hash = Buffer.from(trace.external, "hex").toString("base64");
    const common = { type: "actions", finality: "pending", trace_external_hash_norm: hash };
    expect(reported.received.map((each) => JSON.parse(each) as unknown)).toEqual([
      { ...common, actions: [{ a: trace.key }] },
      { ...common, actions: [] },
    ]);
    expect(untold.received).toHaveLength(1);
    await hub.close(0);
  });

  it("matches accounts by code and by jetton", () => {
    const [code, master, other] = [hash(7), account(9), account(8)];
    const [wallet, holder] = [account(5), account(6)];
    const transaction = (of: Address, kind: Partial<OwnAccount>, n: number) => ({
      ...{ account: of, hash: hash(n), mcSeqno: 2, bodyHash: undefined, involved: [], json: `{"n":${n}}` },
      ...kind,
    });
    const transactions = [transaction(wallet, { jetton: master }, 1), transaction(holder, { codeHash: code }, 2)];
    const action = { type: "ton_transfer", ancestors: [], accounts: [wallet], involved: [], json: '{"a":1}' };
    const trace = { external: hash(3), key: hash(3), endLt: 5n, finality: "finalized" as const, tree: "{}" };
    const block: StreamBlock = {
      ...{ mcSeqno: 2, utime: 2, open: [], block: { json: "{}", transactions: 2 } },
      traces: [{ ...trace, transactions, actions: [action] }],
      states: [
        { account: wallet, jetton: master, json: "{}" },
        { account: holder, codeHash: code, json: "{}" },
      ],
      jettons: [{ address: wallet, owner: holder, jetton: master, codeHash: undefined, json: "{}" }],
      ...{ accounts: new Set([wallet, holder]), jettonMasters: new Set([master]), codeHashes: new Set([code]) },
    };
    const all = ["transactions", "actions", "account_state_change", "jettons_change"];
    const reported = (properties: Readonly<Record<string, unknown>>) =>
      renderBlock(block, readSubscription({ types: all, ...properties }, context).subscription).map(({ text }) => text);
    const shown = (texts: readonly string[]) => texts.map((text) => (JSON.parse(`${text}}`) as { type: string }).type);
    expect(shown(reported({ jettons: [master] }))).toEqual(all);
    expect(shown(reported({ code_hashes: [code] }))).toEqual(["transactions", "account_state_change"]);
    expect(reported({ jettons: [other], code_hashes: [hash(9)] })).toEqual([]);
    expect(() => reported({})).toThrow("addresses are required for subscription");
    expect(() => reported({ code_hashes: ["x"] })).toThrow("invalid code hash: x");
    expect(() => reported({ jettons: Array.from({ length: 11 }, (_, at) => account(at)) })).toThrow(
      "too many addresses: 11 > max 10",
    );
  });

  it("follows a message by its hash", async () => {
    const index = new FakeIndex();
    const hub = openHub(index);
    const transport = new FakeTransport(false);
    const [trace] = makeBlock(3).traces;
    const external = trace?.external ?? fail();
    await connect(hub, transport, { types: ["messages"], trace_external_hash_norms: [external] });
    for (const status of ["received", "accepted", "pending"] as const) hub.tellStatus({ external, status });
    hub.tellStatus({ external: hash(99), status: "accepted" });
    hub.tellStatus({ external, status: "refused", exitCode: 33 });
    index.grow();
    index.grow();
    await waitForEvents();
    const common = { type: "messages", trace_external_hash_norm: Buffer.from(external, "hex").toString("base64") };
    expect(transport.received.map((each) => JSON.parse(each) as unknown)).toEqual([
      ...["received", "accepted", "pending"].map((status) => ({ ...common, finality: "pending", status })),
      { ...common, finality: "pending", status: "refused", exit_code: 33 },
      { ...common, finality: "finalized", status: "finalized" },
    ]);
    await hub.close(0);
  });

  it("starts with the newest existing events, each once, and sends cursors only on request", async () => {
    const index = new FakeIndex();
    index.last = 30;
    const hub = openHub(index);
    const transport = new FakeTransport(false);
    await connect(hub, transport, { replay_existing: true });
    for (let turn = 0; turn < 40; turn++) await waitForEvents();
    const replayed = transport.received.map((each) => JSON.parse(each) as Record<string, unknown>);
    const of = (type: string) => replayed.filter((each) => each.type === type);
    const [all, known] = [await expectAll(30), replayed.map(({ type }) => type)];
    expect(new Set(known)).toEqual(new Set(["transactions", "actions", "account_state_change", "blocks"]));
    expect(of("transactions")).toHaveLength(all.filter((each) => each.includes('"type":"transactions"')).length);
    expect(of("account_state_change").map((each) => each.account)).toHaveLength(2);
    expect(of("blocks")).toMatchObject([{ mc_block: { seqno: 30 } }]);
    expect(replayed.some((each) => "cursor" in each)).toBe(false);
    index.grow();
    await waitForEvents();
    expect(transport.received.length).toBeGreaterThan(replayed.length);
    await hub.close(0);
  });

  it("closes a reader without a cursor that does not read predictions", async () => {
    const hub = openHub(new FakeIndex());
    const [lost, kept] = [new FakeTransport(true), new FakeTransport(true)];
    const subscription = { types: ["transactions"], min_finality: "pending" };
    await connect(hub, lost, subscription);
    await connect(hub, kept, { ...subscription, cursor: true });
    for (let n = 0; n < 4; n++) {
      hub.predict({ ...(makeBlock(9).traces[0] ?? fail()), finality: "pending" });
      await waitForEvents();
    }
    expect([lost.closedWith, kept.closedWith]).toEqual([1013, undefined]);
    await hub.close(0);
  });

  it("lets 256 events wait for a reader, and closes it at the next one", async () => {
    const hub = openHub(new FakeIndex());
    const readers = [new FakeTransport(false), new FakeTransport(false)] as const;
    const [first] = makeBlock(9).traces;
    for (const reader of readers) {
      await connect(hub, reader, { types: ["transactions"], min_finality: "pending" });
      reader.waitingBytes = 1;
    }
    const predict = (n: number) =>
      hub.predict({ ...(first ?? fail()), finality: "pending", external: hash(5_000 + n) });
    for (let n = 0; n < 256; n++) predict(n);
    await waitForEvents();
    expect(readers.map(({ closedWith, received }) => [closedWith, received.length])).toEqual([
      [undefined, 0],
      [undefined, 0],
    ]);
    readers[0].drain();
    predict(256);
    await waitForEvents();
    expect(readers.map(({ closedWith, received }) => [closedWith, received.length])).toEqual([
      [undefined, 257],
      [1013, 0],
    ]);
    await hub.close(0);
  });

  it("leaves a mebibyte to each slow reader, however many others there are, until those that wait fill their share", async () => {
    const hub = openHub(new FakeIndex());
    const subscription = { types: ["transactions"], min_finality: "pending" };
    const [first = fail()] = makeBlock(9).traces;
    const json = `{"padding":"${"x".repeat(100_000)}"}`;
    const large = first.transactions.map((each) => ({ ...each, json }));
    const predict = (n: number) =>
      hub.predict({ ...first, transactions: large, finality: "pending", external: hash(5_000 + n) });
    const readers = Array.from({ length: 200 }, () => new FakeTransport(false));
    for (const reader of readers) await connect(hub, reader, subscription);
    const [slow = fail()] = readers;
    slow.waitingBytes = 1;
    for (let n = 0; n < 8; n++) predict(n);
    await waitForEvents();
    expect([slow.closedWith, hub.counters().slow]).toEqual([undefined, 1]);
    slow.drain();
    expect([slow.received.length, hub.counters().waitingBytes]).toEqual([8, 0]);
    for (const reader of readers) reader.waitingBytes = 1;
    for (let n = 8; n < 16; n++) predict(n);
    await waitForEvents();
    // A two-hundredth of 64 MiB is less than four of them.
    expect(new Set(readers.map(({ closedWith }) => closedWith))).toEqual(new Set([1013]));
    await hub.close(0);
  });

  it("sends what a slow reader has waiting in order, the newest of each trace", async () => {
    const hub = openHub(new FakeIndex());
    const reader = new FakeTransport(true);
    await connect(hub, reader, { types: ["transactions"], min_finality: "pending" });
    const [first, other] = [makeBlock(9).traces[0] ?? fail(), makeBlock(13).traces[0] ?? fail()];
    const grown = (trace: StreamTrace, n: number): StreamTrace => ({
      ...{ ...trace, finality: "pending" },
      transactions: trace.transactions.map((each) => ({ ...each, json: `{"n":${n}}` })),
    });
    reader.waitingBytes = 1;
    for (const [trace, n] of [
      [first, 1],
      [other, 2],
      [first, 3],
      [first, 4],
    ] as const)
      hub.predict(grown(trace, n));
    await waitForEvents();
    for (let turn = 0; turn < 4; turn++) reader.drain();
    expect(reader.received.map((each) => (JSON.parse(each) as { transactions: unknown }).transactions)).toEqual([
      [{ n: 4 }],
      [{ n: 2 }],
    ]);
    await hub.close(0);
  });

  it("pages a replay of more than 100,000 events", async () => {
    const states = Array.from({ length: 20_000 }, (_, at) => ({ account: account(at), json: "{}" }));
    const index = new FakeIndex((mcSeqno) => ({ ...makeBlock(mcSeqno), traces: [], states }));
    index.last = 8;
    const hub = openHub(index);
    const given = { types: ["account_state_change"], addresses: ["*"] };
    const pages: FakeTransport[] = [];
    let beginning: Readonly<Record<string, unknown>> = { from_mc_seqno: 1 };
    for (let page = 0; page < 2; page++) {
      const transport = new FakeTransport(false);
      pages.push(transport);
      await connect(hub, transport, { ...given, ...beginning }, { ...context, mayAskForAll: true });
      for (let turn = 0; turn < 40; turn++) await waitForEvents();
      beginning = { after: cursorOf(transport.received.at(-1) ?? "{}") };
    }
    const ends = pages.map(({ received }) => JSON.parse(received.at(-1) ?? "{}") as unknown);
    const finished = { type: "replay_finished", cursor: expect.any(String) };
    expect(ends).toEqual([{ ...finished, remaining_blocks: 3 }, finished]);
    expect(pages.map(({ received, closedWith }) => [received.length - 1, closedWith])).toEqual([
      [100_000, 1000],
      [60_000, undefined],
    ]);
    await hub.close(0);
  });

  it("rejects unreachable positions", async () => {
    const index = new FakeIndex();
    const hub = openHub(index);
    const begin = (after: string) => hub.begin({ after, fromSeqno: undefined, replayExisting: false });
    await expect(begin("c1.nothing")).rejects.toMatchObject({ status: 400, message: "invalid cursor" });
    const other = formatCursor({ mcSeqno: 1, rank: 9, lt: 0n, key: "" }, hash(5).replace(/^0/, "f") as Hash);
    await expect(begin(other)).rejects.toMatchObject({ status: 400, message: "invalid cursor" });
    const early = formatCursor({ mcSeqno: 0, rank: 0, lt: 0n, key: "" }, zeroHash);
    await expect(begin(early)).rejects.toMatchObject({
      status: 410,
      message: "cursor is older than the index: its first block is 1",
    });
    await hub.close(0);
  });
});
