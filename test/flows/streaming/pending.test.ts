import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { crcForm, writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import type { Localnet } from "../../../src/localnet/network/Localnet.ts";
import { signTransfers, type Transfer } from "../../../src/localnet/wallets/transfer.ts";
import type { Wallet } from "../../../src/localnet/wallets/Wallet.ts";
import { findSeqno } from "../../../src/localnet/wallets/Wallet.ts";
import { formatRawAddress, parseAddress } from "../../../src/model/Address.ts";
import { hashToBase64 } from "../../../src/model/Hash.ts";
import { SseClient, type StreamJson } from "../../kit/api/stream/streamClients.ts";
import { RemoteStage, type TestService } from "../../kit/app/remoteStage.ts";
import { sentOf } from "../../kit/chain/pendingStage.ts";
import { freshUrl } from "../../kit/history/database.ts";
import { eagerServer } from "../../kit/lite/eagerServer.ts";

const patience = { timeout: 300_000, interval: 50 };
const coin = 1_000_000_000n;

let stage: RemoteStage;
let net: Localnet;
/** Writes the index and accepts messages. */
let writer: TestService;
/** Only answers requests, from the same database. */
let reader: TestService;
let readerFlags: readonly string[];

beforeAll(async () => {
  stage = await RemoteStage.open();
  net = await stage.openNet();
  const config = stage.writeGlobalConfig("net.json", net, [await stage.openServer(eagerServer(net.lite))]);
  const flags = ["--network", config, "--trust", "--from", "genesis", "--database", await freshUrl()];
  writer = await stage.serve([...flags, "--index"]);
  await untilIndexed(writer);
  readerFlags = flags;
  reader = await stage.serve(flags);
  await untilIndexed(reader);
});
afterAll(() => stage.close());

async function untilIndexed(service: TestService): Promise<void> {
  await vi.waitFor(async () => {
    const { body } = await service.ask("/api/v3/masterchainInfo");
    expect(Object(body.last).seqno).toBe(net.ledger.headId.seqno);
  }, patience);
}

const somebody = (byte: string, workchain = 0) => parseAddress(`${workchain}:${byte.repeat(32)}`).address;

function walletAt(at: number): Wallet {
  const wallet = net.keys.wallets[at]?.wallet;
  if (wallet === undefined) throw new Error("there is no such wallet");
  return wallet;
}

function sign(wallet: Wallet, transfers: readonly Transfer[]): Cell {
  const seqno = findSeqno(wallet.version, net.account(wallet.address)) ?? 0;
  return signTransfers(wallet, transfers, {
    seqno,
    now: net.clock.seconds,
    validForSeconds: 3_600,
    deploy: seqno === 0,
  });
}

/** Sends a message to the service but not to the chain. */
async function post(message: Cell): Promise<string> {
  const boc = Buffer.from(writeBoc(message, crcForm)).toString("base64");
  const { body } = await writer.ask("/api/v3/message", { body: { boc } });
  return String(body.message_hash_norm);
}

const hashOf = (message: Cell) => hashToBase64(sentOf(message).normalizedHash);

async function listen(service: TestService, body: StreamJson): Promise<SseClient> {
  const stream = new SseClient(`${service.origins[0]}/api/streaming/v2/sse`, body);
  expect(await stream.opened).toBe(200);
  await expect.poll(() => stream.received.length, patience).toBeGreaterThan(0);
  return stream;
}

const reported = ({ type, finality, status, exit_code: code }: StreamJson) =>
  [type, finality, status, code].filter((each) => each !== undefined).join(" ");
const once = (events: readonly StreamJson[]) => events.map(reported).filter((each, at, all) => each !== all[at - 1]);

describe("non-final events in a process that did not predict them", () => {
  it("are retracted when the chain accepts another message instead", async () => {
    const wallet = walletAt(4);
    const message = sign(wallet, [{ to: somebody("a1"), amount: coin }]);
    const norm = hashOf(message);
    const subscription = {
      types: ["transactions", "actions", "trace", "messages"],
      ...{ addresses: [formatRawAddress(somebody("a1"))], trace_external_hash_norms: [norm] },
    };
    const streams = [
      await listen(writer, { ...subscription, min_finality: "pending" }),
      await listen(reader, { ...subscription, min_finality: "pending" }),
    ];
    // A client that got no unfinalized event gets no retraction either.
    const settledOnly = await listen(reader, { ...subscription, types: ["transactions", "actions", "trace"] });
    expect(await post(message)).toBe(norm);
    for (const { events } of streams.map((stream) => ({ events: () => stream.events })))
      await expect.poll(() => events().map(reported), patience).toContain("trace pending");
    await net.submit(writeBoc(sign(wallet, [{ to: somebody("a2"), amount: 2n * coin }])));
    await net.step();
    for (const stream of streams) {
      await expect.poll(() => stream.events.map(reported), patience).toContain("trace_invalidated");
      expect(once(stream.events)).toEqual([
        ...["messages pending received", "messages pending accepted", "messages pending pending"],
        ...["transactions pending", "actions pending", "trace pending"],
        ...["messages pending refused 33", "trace_invalidated"],
      ]);
      expect(stream.events.at(-1)).toEqual({ type: "trace_invalidated", trace_external_hash_norm: norm });
      stream.close();
    }
    expect(settledOnly.events).toEqual([]);
    settledOnly.close();
  });

  it("become more certain: predicted, partly committed, final", async () => {
    const wallet = walletAt(5);
    // The bounce from the masterchain comes in the next block.
    const to = somebody("b1", -1);
    const message = sign(wallet, [{ to, amount: coin, bounce: true }]);
    const norm = hashOf(message);
    const stream = await listen(reader, {
      types: ["transactions", "trace", "messages"],
      ...{ addresses: [formatRawAddress(wallet.address), formatRawAddress(to)], trace_external_hash_norms: [norm] },
      ...{ min_finality: "pending", cursor: true },
    });
    await post(message);
    await expect.poll(() => stream.events.map(reported), patience).toContain("trace pending");
    await net.submit(writeBoc(message));
    await net.step();
    const standings = () =>
      stream.events
        .filter(({ type }) => type === "transactions")
        .map((event) =>
          (event.transactions as readonly StreamJson[]).map((each) => `${each.finality} ${each.emulated}`),
        );
    await expect.poll(standings, patience).toHaveLength(2);
    await net.step();
    await net.step();
    await expect.poll(() => stream.events.map(reported), patience).toContain("messages finalized finalized");
    stream.close();
    expect(standings()).toEqual([
      ["pending true", "pending true", "pending true"],
      ["pending true", "finalized false", "finalized false"],
      ["finalized false", "finalized false", "finalized false"],
    ]);
    expect(once(stream.events)).toEqual([
      ...["messages pending received", "messages pending accepted", "messages pending pending"],
      ...["transactions pending", "trace pending", "transactions pending", "trace pending"],
      ...["transactions finalized", "trace finalized", "messages finalized finalized"],
    ]);
  });

  it("report the exit code with which an account rejects a message", async () => {
    const wallet = walletAt(3);
    const wrong = signTransfers(wallet, [{ to: somebody("c1"), amount: coin }], { seqno: 77, now: net.clock.seconds });
    const norm = hashOf(wrong);
    const stream = await listen(reader, { types: ["messages"], trace_external_hash_norms: [norm] });
    await post(wrong);
    await expect.poll(() => stream.events.map(reported).at(-1), patience).toMatch(/^messages pending refused -?\d+$/);
    stream.close();
    expect(stream.events.map(reported).slice(0, 2)).toEqual(["messages pending received", "messages pending accepted"]);
  });
});

describe("messages that another process sent", () => {
  /** What processes predict alike; fees and hashes depend on the second of the run. */
  const pendingOf = async (service: TestService, norm: string) => {
    const query = `ext_msg_hash=${encodeURIComponent(norm)}`;
    const traces = Object(await service.ask(`/api/v3/pendingTraces?${query}`)).body.traces as readonly StreamJson[];
    const actions = Object(await service.ask(`/api/v3/pendingActions?${query}`)).body.actions as readonly StreamJson[];
    const accountsOf = ({ transactions }: StreamJson) =>
      Object.values(Object(transactions)).map((each) => Object(each));
    return {
      traces: traces.map((each) => [
        each.external_hash,
        accountsOf(each)
          .map(({ account }) => account)
          .sort(),
      ]),
      actions: actions.map(({ type, details }) => ({ type, details })),
    };
  };

  it("are predicted here as well, also by a process that starts later, until the index has their traces", async () => {
    const wallet = walletAt(1);
    const message = sign(wallet, [{ to: somebody("b7"), amount: coin }]);
    const norm = hashOf(message);
    expect(await pendingOf(reader, norm)).toEqual({ traces: [], actions: [] });
    await post(message);
    await expect.poll(async () => (await pendingOf(writer, norm)).traces, patience).toHaveLength(1);
    const expected = await pendingOf(writer, norm);
    expect(expected.actions).toHaveLength(1);
    await expect.poll(() => pendingOf(reader, norm), patience).toEqual(expected);
    const later = await stage.serve(readerFlags);
    await expect.poll(() => pendingOf(later, norm), patience).toEqual(expected);
    await net.submit(writeBoc(message));
    await net.step();
    await net.step();
    for (const service of [writer, reader, later])
      await expect.poll(() => pendingOf(service, norm), patience).toEqual({ traces: [], actions: [] });
    await later.close();
  });

  it("are reported once to each stream, by the process that sent them", async () => {
    const wallet = walletAt(2);
    const message = sign(wallet, [{ to: somebody("b8"), amount: coin }]);
    const norm = hashOf(message);
    const stream = await listen(reader, {
      types: ["trace"],
      trace_external_hash_norms: [norm],
      min_finality: "pending",
    });
    await post(message);
    await expect.poll(async () => (await pendingOf(reader, norm)).traces, patience).toHaveLength(1);
    await net.submit(writeBoc(message));
    await net.step();
    await net.step();
    await expect.poll(() => once(stream.events), patience).toContain("trace finalized");
    expect(stream.events.map(reported).filter((each) => each === "trace pending")).toHaveLength(1);
    stream.close();
  });
});
