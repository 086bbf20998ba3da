import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiError, createV3Client } from "../../../src/api/client/v3Client.ts";
import { writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { formatRawAddress, parseAddress } from "../../../src/model/Address.ts";
import { hashToBase64 } from "../../../src/model/Hash.ts";
import { SseClient } from "../../kit/api/stream/streamClients.ts";
import {
  CountingWalletClient,
  LibraryClient,
  MessengerClient,
  PaymentsClient,
  type WalletClient,
  WalletKitClient,
} from "../../kit/api/stream/walletClients.ts";
import type { TestService } from "../../kit/app/remoteStage.ts";
import { bocOf, postMessage, UnsentStage } from "../../kit/app/unsentStage.ts";
import { sentOf } from "../../kit/chain/pendingStage.ts";

const patience = { timeout: 300_000, interval: 50 };
const coin = 1_000_000_000n;

let stage: UnsentStage;
let service: TestService;

beforeAll(async () => {
  stage = await UnsentStage.open();
  service = await stage.serve("--index");
});
afterAll(() => stage.close());

const somebody = (byte: string) => parseAddress(`0:${byte.repeat(32)}`).address;
const hashOf = (message: Cell) => hashToBase64(sentOf(message).normalizedHash);

/** A transfer, as the clients that hear of it see its receiver. */
function transfer(walletAt: number, byte: string, options = {}): Cell {
  return stage.sign(stage.walletAt(walletAt), [{ to: somebody(byte), amount: coin }], options);
}

async function openAll(byte: string): Promise<Readonly<Record<string, WalletClient>>> {
  const base = `${service.origins[0]}/api/streaming/v2`;
  const addresses = [formatRawAddress(somebody(byte))];
  const types = ["transactions", "actions", "account_state_change", "jettons_change"];
  const clients = {
    kit: new WalletKitClient(base, addresses),
    counting: new CountingWalletClient(base, addresses),
    messenger: new MessengerClient(base, addresses),
    library: new LibraryClient(base, { types, addresses, min_finality: "pending" }),
    payments: new PaymentsClient(base, addresses),
  };
  const ready: string[] = [];
  for (const [name, each] of Object.entries(clients)) void each.ready.then(() => ready.push(name));
  await expect.poll(() => ready.length, patience).toBe(5);
  return clients;
}

/** What each client took, a kind in a row once. */
function taken(clients: Readonly<Record<string, WalletClient>>): unknown {
  const kinds = ({ taken: events }: WalletClient) =>
    events.map(({ type, finality = "" }) => `${type} ${finality}`.trim());
  const once = (names: readonly string[]) => names.filter((each, at) => each !== names[at - 1]);
  return Object.fromEntries(Object.entries(clients).map(([name, each]) => [name, once(kinds(each))]));
}

function expected(...ends: readonly string[]) {
  return {
    kit: ["transactions pending", ...ends],
    counting: ["actions pending", ...ends],
    messenger: ["transactions pending", ...ends],
    library: ["transactions pending", "actions pending", ...ends],
    payments: ["transactions pending", ...ends],
  };
}

function close(clients: Readonly<Record<string, WalletClient>>): void {
  for (const each of Object.values(clients)) {
    each.close();
    expect(each.faults).toEqual([]);
  }
}

async function land(message: Cell): Promise<void> {
  await stage.net.submit(writeBoc(message));
  await stage.net.step();
}

describe("clients of wallets that were shown a prediction", () => {
  it("get one event when another message of the same account was executed instead", async () => {
    const [message, other] = [transfer(4, "a1"), transfer(4, "a2")];
    const clients = await openAll("a1");
    await postMessage(service, message);
    await expect.poll(() => taken(clients), patience).toEqual(expected());
    await land(other);
    await expect.poll(() => taken(clients), patience).toEqual(expected("trace_invalidated"));
    for (const { taken: events } of Object.values(clients))
      expect(events.at(-1)).toEqual({ type: "trace_invalidated", trace_external_hash_norm: hashOf(message) });
    close(clients);
  });

  it("get one event when a message has expired", async () => {
    const message = transfer(5, "b1", { validForSeconds: 60 });
    const clients = await openAll("b1");
    await postMessage(service, message);
    await expect.poll(() => taken(clients), patience).toEqual(expected());
    stage.net.advanceTime(120);
    await stage.net.step();
    await expect.poll(() => taken(clients), patience).toEqual(expected("trace_invalidated"));
    // Nothing more follows with later blocks.
    await stage.net.step();
    await expect
      .poll(
        async () =>
          (await service.ask("/api/v3/pendingTraces?ext_msg_hash=".concat(encodeURIComponent(hashOf(message))))).body
            .traces,
        patience,
      )
      .toEqual([]);
    expect(taken(clients)).toEqual(expected("trace_invalidated"));
    close(clients);
  });

  it("keep what a highload wallet sends, in whatever order its messages land", async () => {
    const [message, other] = [transfer(9, "c1", { seqno: 1 }), transfer(9, "c2", { seqno: 2 })];
    const clients = await openAll("c1");
    await postMessage(service, message);
    await expect.poll(() => taken(clients), patience).toEqual(expected());
    const predicted = ["transactions pending", "actions pending"];
    await land(other);
    // The wallet has changed, so the prediction is made again, unless the chain has the message by then.
    await expect.poll(() => taken(clients), patience).toEqual({ ...expected(), library: [...predicted, ...predicted] });
    await land(message);
    const ends = ["transactions finalized", "account_state_change finalized"];
    await expect
      .poll(() => taken(clients), patience)
      .toEqual({
        ...{ kit: ["transactions pending", ...ends], messenger: ["transactions pending", ...ends] },
        counting: ["actions pending", "actions finalized", "account_state_change finalized"],
        library: [
          ...[...predicted, ...predicted, "transactions finalized", "actions finalized"],
          "account_state_change finalized",
        ],
        payments: ["transactions pending", "transactions finalized"],
      });
    close(clients);
  });
});

describe("a subscription to confirmed events", () => {
  it("hears neither predictions nor their end, and everything final", async () => {
    const wallet = stage.walletAt(7);
    const [lost, taken] = [1, 2].map((n) => stage.sign(wallet, [{ to: somebody("e1"), amount: BigInt(n) * coin }]));
    if (lost === undefined || taken === undefined) throw new Error("there are no messages");
    const url = `${service.origins[0]}/api/streaming/v2/sse`;
    const addresses = [formatRawAddress(somebody("e1"))];
    const types = ["transactions", "actions", "account_state_change"];
    const listen = async (min_finality: string) => {
      const stream = new SseClient(url, { types, addresses, min_finality });
      expect(await stream.opened).toBe(200);
      await expect.poll(() => stream.received.length, patience).toBe(1);
      return stream;
    };
    const [pending, confirmed, finalized] = [
      await listen("pending"),
      await listen("confirmed"),
      await listen("finalized"),
    ];
    await postMessage(service, lost);
    await expect.poll(() => pending.events.length, patience).toBe(2);
    await land(taken);
    // The block and the end of the prediction come in either order.
    for (const type of ["account_state_change", "trace_invalidated"])
      await expect.poll(() => pending.events.map((event) => event.type), patience).toContain(type);
    const final = types.map((type) => `${type} finalized`);
    const levels = (stream: SseClient) => stream.events.map(({ type, finality }) => `${type} ${finality}`);
    for (const stream of [confirmed, finalized]) await expect.poll(() => levels(stream), patience).toEqual(final);
    // The masterchain block of a round comes together with its shard blocks: there is nothing in between to see.
    expect(confirmed.events).toEqual(finalized.events);
    for (const stream of [pending, confirmed, finalized]) stream.close();
  });

  it("misses nothing: no lite server shows a shard block before its masterchain block", async () => {
    for (let round = 0; round < 3; round++) {
      await stage.net.step();
      const newest = async () => Object((await service.ask("/api/v2/getMasterchainInfo")).body.result).last.seqno;
      await expect.poll(newest, patience).toBe(stage.net.ledger.headId.seqno);
      const { body } = await service.ask(`/api/v2/shards?seqno=${await newest()}`);
      for (const { workchain, shard, seqno } of Object(body.result).shards) {
        const at = `workchain=${workchain}&shard=${shard}`;
        expect((await service.ask(`/api/v2/lookupBlock?${at}&seqno=${seqno}`)).status).toBe(200);
        expect((await service.ask(`/api/v2/lookupBlock?${at}&seqno=${seqno + 1}`)).body.ok).toBe(false);
      }
    }
  });
});

describe("sendAndWait", () => {
  const client = () => createV3Client(`${service.origins[0]}/api/v3`);
  const refusal = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);
  const url = () => `${service.origins[0]}/api/streaming/v2/sse`;

  // The client waits ten seconds for a trace in spite of a failure: two of these waits at once.
  it.concurrent("throws when the account refuses the message, with the exit code", async () => {
    const message = transfer(3, "d1", { seqno: 77 });
    const error = await refusal(client().sendAndWait(bocOf(message)));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: "api/message",
      data: {
        ...{ url: url(), hash: hashOf(message), exitCode: 33 },
        error: "the account refuses the message with exit code 33",
      },
    });
  });

  it.concurrent("throws when the message expires", async () => {
    const message = transfer(5, "d2", { validForSeconds: 60 });
    const ended = refusal(client().sendAndWait(bocOf(message), { timeoutMs: 200_000 }));
    const isPending = async () =>
      (await service.ask(`/api/v3/pendingTraces?ext_msg_hash=${encodeURIComponent(hashOf(message))}`)).body.traces;
    await expect.poll(isPending, patience).toHaveLength(1);
    stage.net.advanceTime(120);
    await stage.net.step();
    expect(await ended).toMatchObject({
      code: "api/message",
      data: { url: url(), hash: hashOf(message), exitCode: 36 },
    });
  });

  it("throws when the trace does not come in time, and when it is cancelled", async () => {
    const message = transfer(6, "d3");
    expect(await refusal(client().sendAndWait(bocOf(message), { timeoutMs: 500 }))).toMatchObject({
      code: "api/no-trace",
      data: { url: url(), hash: hashOf(message) },
    });
    const signal = AbortSignal.timeout(500);
    expect(await refusal(client().sendAndWait(bocOf(message), { signal }))).toMatchObject({
      code: "api/unreachable",
      data: { url: url() },
      cause: expect.anything(),
    });
  });

  it("throws the answer of the server, or why there is no answer", async () => {
    expect(await refusal(client().sendAndWait("AAAA"))).toMatchObject({
      code: "api/refused",
      data: { status: 500, url: `${service.origins[0]}/api/v3/message` },
    });
    expect(await refusal(createV3Client("http://127.0.0.1:1/api/v3").sendAndWait("AAAA"))).toMatchObject({
      code: "api/unreachable",
      data: { url: "http://127.0.0.1:1/api/v3/masterchainInfo?" },
      cause: expect.any(Error),
    });
  });

  it("finds the trace of a message that the chain took before it was predicted", async () => {
    const message = transfer(6, "d4");
    await land(message);
    await expect
      .poll(async () => Object((await service.ask("/api/v3/masterchainInfo")).body.last).seqno, patience)
      .toBe(stage.net.ledger.headId.seqno);
    expect(await client().sendAndWait(bocOf(message))).toMatchObject({
      ...{ type: "trace", finality: "finalized", trace_external_hash_norm: hashOf(message) },
    });
  });
});

describe("watch", () => {
  it("continues after a restart of the server, without gaps or repeats", async () => {
    const fetch = ((text: string, init?: RequestInit) =>
      globalThis.fetch(
        text.replace("http://server.test", String(service.origins[0])),
        init,
      )) as typeof globalThis.fetch;
    const seqnos: number[] = [];
    const stop = new AbortController();
    const reading = (async () => {
      const v3 = createV3Client("http://server.test/api/v3", { fetch });
      for await (const event of v3.watch({ types: ["blocks"], from_mc_seqno: 1 }, { signal: stop.signal }))
        if (event.type === "blocks") seqnos.push(Number(Object(event.mc_block).seqno));
    })().catch((error: unknown) => error);
    const all = () => Array.from({ length: stage.net.ledger.headId.seqno }, (_, at) => at + 1);
    for (let round = 0; round < 2; round++) {
      await expect.poll(() => seqnos, patience).toEqual(all());
      await service.close();
      await stage.net.step();
      await stage.net.step();
      service = await stage.serve("--index");
    }
    await expect.poll(() => seqnos, patience).toEqual(all());
    stop.abort();
    expect(await reading).toMatchObject({ code: "api/unreachable" });
  });
});
