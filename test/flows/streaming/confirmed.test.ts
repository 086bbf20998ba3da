import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import type { LiteServer } from "../../../src/lite/server/LiteServer.ts";
import { getNonfinalPendingShardBlocks } from "../../../src/lite/tl/liteQueries.ts";
import { serverError } from "../../../src/lite/tl/liteRecords.ts";
import { decodeQuery } from "../../../src/lite/tl/queryEnvelope.ts";
import { encode } from "../../../src/lite/tl/types.ts";
import type { Localnet } from "../../../src/localnet/network/Localnet.ts";
import { signTransfers } from "../../../src/localnet/wallets/transfer.ts";
import type { Wallet } from "../../../src/localnet/wallets/Wallet.ts";
import { findSeqno } from "../../../src/localnet/wallets/Wallet.ts";
import { type Address, formatRawAddress, parseAddress } from "../../../src/model/Address.ts";
import { hashToBase64 } from "../../../src/model/Hash.ts";
import { SseClient, type StreamJson } from "../../kit/api/stream/streamClients.ts";
import { RemoteStage, type TestService } from "../../kit/app/remoteStage.ts";
import { sentOf } from "../../kit/chain/pendingStage.ts";

const patience = { timeout: 120_000, interval: 20 };
let stage: RemoteStage;
let net: Localnet;
let service: TestService;
let wallet: Wallet;
let flags: readonly string[];

beforeAll(async () => {
  stage = await RemoteStage.open();
  net = await stage.openNet(0, { shards: 2 });
  const config = stage.writeGlobalConfig("net.json", net, [await stage.openServer(net.lite)]);
  flags = ["--network", config, "--trust", "--from", "genesis", "--confirmed-ms", "20", "--index"];
  service = await stage.serve(flags);
  await untilIndexed();
  const first = net.keys.wallets[0]?.wallet;
  if (first === undefined) throw new Error("a wallet expected");
  wallet = first;
});
afterAll(() => stage.close());

async function untilIndexed(): Promise<void> {
  await vi.waitFor(async () => {
    const { body } = await service.ask("/api/v3/masterchainInfo");
    expect(Object(body.last).seqno).toBe(net.ledger.headId.seqno);
  }, patience);
}

const somebody = (byte: string) => parseAddress(`0:${byte.repeat(32)}`).address;

function sign(to: Address, value: bigint): Cell {
  const seqno = findSeqno(wallet.version, net.account(wallet.address)) ?? 0;
  return signTransfers(wallet, [{ to, amount: value }], {
    seqno,
    now: net.clock.seconds,
    validForSeconds: 3_600,
    deploy: seqno === 0,
  });
}

/** An account of the same shard: a transfer to it is complete in one block. */
function nearWallet(): Address {
  const half = (address: Address) => Number.parseInt(address.split(":")[1]?.slice(0, 1) ?? "", 16) >> 3;
  const found = ["44", "cc"].map(somebody).find((address) => half(address) === half(wallet.address));
  if (found === undefined) throw new Error("an account of the same shard expected");
  return found;
}

/** Sends a message past the service: it is not predicted. */
async function submit(message: Cell): Promise<string> {
  await net.submit(writeBoc(message));
  return hashToBase64(sentOf(message).normalizedHash);
}

/** Makes a round until its shard blocks are signed. */
function beginRound(): Promise<unknown> {
  stage.masters.hold();
  const round = net.step();
  round.catch(() => {});
  return round;
}

async function listen(addresses: readonly Address[], more: StreamJson = {}): Promise<SseClient> {
  const types = ["transactions", "actions", "account_state_change"];
  const body = { types, addresses: addresses.map(formatRawAddress), min_finality: "confirmed", ...more };
  const stream = new SseClient(`${service.origins[0]}/api/streaming/v2/sse`, body);
  expect(await stream.opened).toBe(200);
  await vi.waitFor(() => expect(stream.received.length).toBeGreaterThan(0), patience);
  return stream;
}

interface Level {
  readonly finality: string;
  readonly emulated: boolean;
}

/** What is shown of pending traces and their actions: of each transaction its account, of each action its type. */
async function listPending(which: URLSearchParams) {
  const traces = (await service.ask(`/api/v3/pendingTraces?${which}`)).body.traces as StreamJson[];
  const actions = (await service.ask(`/api/v3/pendingActions?${which}`)).body.actions as StreamJson[];
  const shown = ({ type, finality, success }: StreamJson) => ({ type, finality, success });
  return {
    traces: traces.map(({ transactions, actions: own }) => ({
      transactions: Object.values(Object(transactions) as Record<string, StreamJson>).map(({ finality, emulated }) => ({
        finality,
        emulated,
      })),
      actions: (own as StreamJson[]).map(shown),
    })),
    actions: actions.map(shown),
  };
}

/** A transfer inside one shard: of the sender and of the receiver. */
function levelsOf({ finality, emulated }: Level): Awaited<ReturnType<typeof listPending>> {
  const actions = [{ type: "ton_transfer", finality, success: true }];
  const transaction = { finality, emulated };
  return { traces: [{ transactions: [transaction, transaction], actions }], actions };
}

const levels = (stream: SseClient) => stream.events.map(({ type, finality }) => `${type} ${finality}`);
describe("a message in a signed shard block", () => {
  it("is confirmed before the masterchain block, and final with it", async () => {
    const to = somebody("11");
    const stream = await listen([wallet.address, to]);
    const norm = await submit(sign(to, 5_000_000_000n));
    const round = beginRound();
    await vi.waitFor(() => expect(levels(stream)).toContain("transactions confirmed"), patience);
    await vi.waitFor(() => expect(levels(stream)).toContain("account_state_change confirmed"), patience);
    const own = stream.events.filter(({ type }) => type === "transactions");
    expect(own).toMatchObject([
      {
        finality: "confirmed",
        trace_external_hash_norm: norm,
        transactions: expect.arrayContaining([
          expect.objectContaining({
            account: formatRawAddress(wallet.address),
            emulated: false,
            finality: "confirmed",
          }),
        ]),
      },
    ]);
    const { body } = await service.ask(`/api/v3/pendingTransactions?account=${formatRawAddress(wallet.address)}`);
    expect(body.transactions).toMatchObject([{ emulated: false, finality: "confirmed" }]);
    const health = await service.ask("/api/streaming/healthz");
    expect(Object(health.body.components).confirmed).toMatchObject({
      ok: true,
      last_confirmed_block_time: expect.any(Number),
      confirmed_age_seconds: expect.any(Number),
    });
    stage.masters.release();
    await round;
    // The receiver may be in the other shard.
    await net.step();
    await net.step();
    await vi.waitFor(() => expect(levels(stream)).toContain("transactions finalized"), patience);
    await vi.waitFor(() => expect(levels(stream)).toContain("actions finalized"), patience);
    expect(levels(stream)).not.toContain("trace_invalidated undefined");
    await untilIndexed();
    const after = await service.ask(`/api/v3/pendingTransactions?account=${formatRawAddress(wallet.address)}`);
    expect(after.status).toBe(404);
    stream.close();
  });

  it("that was predicted is confirmed when nothing of it is predicted any more, and never goes down", async () => {
    const to = nearWallet();
    const stream = await listen([wallet.address, to], { types: ["transactions"], min_finality: "pending" });
    const message = sign(to, 2_000_000_000n);
    const boc = Buffer.from(writeBoc(message)).toString("base64");
    expect((await service.ask("/api/v3/message", { body: { boc } })).status).toBe(200);
    await vi.waitFor(() => expect(levels(stream)).toContain("transactions pending"), patience);
    const round = beginRound();
    await vi.waitFor(() => expect(levels(stream)).toContain("transactions confirmed"), patience);
    stage.masters.release();
    await round;
    await vi.waitFor(() => expect(levels(stream)).toContain("transactions finalized"), patience);
    const own = hashToBase64(sentOf(message).normalizedHash);
    const ofTrace = stream.events.filter((event) => event.trace_external_hash_norm === own);
    const seen = ofTrace.map(({ finality }) => String(finality));
    expect(seen.filter((each, at) => each !== seen[at - 1])).toEqual(["pending", "confirmed", "finalized"]);
    stream.close();
  });

  it("is in pending traces and actions as predicted, then as confirmed, until it is final", async () => {
    const to = nearWallet();
    const message = sign(to, 4_000_000_000n);
    const boc = Buffer.from(writeBoc(message)).toString("base64");
    expect((await service.ask("/api/v3/message", { body: { boc } })).status).toBe(200);
    const which = new URLSearchParams({ ext_msg_hash: hashToBase64(sentOf(message).normalizedHash) });
    const account = new URLSearchParams({ account: formatRawAddress(to) });
    const predicted = { finality: "pending", emulated: true };
    await vi.waitFor(async () => expect(await listPending(which)).toEqual(levelsOf(predicted)), patience);
    const round = beginRound();
    const confirmed = { finality: "confirmed", emulated: false };
    await vi.waitFor(async () => expect(await listPending(which)).toEqual(levelsOf(confirmed)), patience);
    expect(await listPending(account)).toEqual(levelsOf(confirmed));
    stage.masters.release();
    await round;
    await untilIndexed();
    await vi.waitFor(async () => expect(await listPending(account)).toEqual({ traces: [], actions: [] }), patience);
  });

  it("becomes final although the service was restarted in between", async () => {
    const to = somebody("55");
    const stream = await listen([to, wallet.address]);
    const from = net.ledger.headId.seqno + 1;
    const norm = await submit(sign(to, 3_000_000_000n));
    const round = beginRound();
    await vi.waitFor(() => expect(levels(stream)).toContain("transactions confirmed"), patience);
    stream.close();
    await service.close();
    stage.masters.release();
    await round;
    for (let i = 0; i < 3; i++) await net.step();
    service = await stage.serve(flags);
    await untilIndexed();
    const again = await listen([to, wallet.address], { from_mc_seqno: from });
    await vi.waitFor(() => expect(levels(again)).toContain("actions finalized"), patience);
    const own = again.events.filter((event) => event.trace_external_hash_norm === norm);
    expect(own.map(({ type, finality }) => `${type} ${finality}`)).toEqual([
      "transactions finalized",
      "actions finalized",
    ]);
    again.close();
  });

  it("is taken back when the masterchain goes on without it, once", async () => {
    const to = somebody("33");
    const stream = await listen([wallet.address, to]);
    const quiet = await listen([wallet.address, to], { min_finality: "finalized" });
    const norm = await submit(sign(to, 1_000_000_000n));
    const round = beginRound();
    await vi.waitFor(() => expect(levels(stream)).toContain("transactions confirmed"), patience);
    // The round fails with its only message, and the next ones are made without it.
    stage.masters.release(new Error("failed"));
    await expect(round).rejects.toThrow("failed");
    net.advanceTime(5);
    for (let i = 0; i < 3; i++) await net.step();
    await vi.waitFor(() => expect(levels(stream)).toContain("trace_invalidated undefined"), patience);
    await net.step();
    await untilIndexed();
    const taken = stream.events.filter(({ type }) => type === "trace_invalidated");
    expect(taken).toEqual([{ type: "trace_invalidated", trace_external_hash_norm: norm }]);
    expect(levels(quiet)).toEqual([]);
    stream.close();
    quiet.close();
  });
});

describe("a lite server that does not report signed shard blocks", () => {
  /** How often the query came over the socket, and how often any other. */
  const asked = { pending: 0, others: 0 };
  const refusing: LiteServer = {
    ask: (query, options) => {
      const isPending = decodeQuery(query).query.id === getNonfinalPendingShardBlocks.id;
      asked[isPending ? "pending" : "others"]++;
      if (!isPending) return net.lite.ask(query, options);
      return Promise.resolve(encode(serverError.boxed, { code: 0, message: "query is not allowed" }));
    },
    close: async () => {},
    destroy: () => {},
  };

  beforeAll(async () => {
    await service.close();
    const config = stage.writeGlobalConfig("refusing.json", net, [await stage.openServer(refusing)]);
    service = await stage.serve(flags.map((flag) => (flag.endsWith("net.json") ? config : flag)));
    await untilIndexed();
  });

  it("is asked once, and streams have what is final", async () => {
    const to = nearWallet();
    const stream = await listen([wallet.address, to], { types: ["transactions"] });
    await vi.waitFor(() => expect(asked.pending).toBe(1), patience);
    for (const value of [1_000_000_000n, 2_000_000_000n]) {
      const norm = await submit(sign(to, value));
      const before = asked.others;
      const round = beginRound();
      // The shard blocks are signed, and the server is asked for other things.
      await vi.waitFor(() => expect(net.ledger.pending.list().length).toBeGreaterThan(0), patience);
      await service.ask(`/api/v2/getAddressBalance?address=${formatRawAddress(to)}`);
      expect(asked.others).toBeGreaterThan(before);
      const { status } = await service.ask(`/api/v3/pendingTransactions?account=${formatRawAddress(to)}`);
      expect(status).toBe(404);
      stage.masters.release();
      await round;
      const ofTrace = () => stream.events.filter((event) => event.trace_external_hash_norm === norm);
      await vi.waitFor(() => expect(ofTrace().map(({ finality }) => finality)).toEqual(["finalized"]), patience);
    }
    expect(asked.pending).toBe(1);
    const health = await service.ask("/api/streaming/healthz");
    expect([health.status, Object(health.body.components).confirmed]).toEqual([
      200,
      { ok: true, state: "no server reports signed shard blocks" },
    ]);
    stream.close();
  });
});
