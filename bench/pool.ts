import { setMaxListeners } from "node:events";
import { systemClock } from "../src/lib/clock.ts";
import { systemRandom } from "../src/lib/random.ts";
import type { AdnlHandler } from "../src/lite/adnl/AdnlInbound.ts";
import { AdnlServer } from "../src/lite/adnl/AdnlServer.ts";
import { makeAdnlKey } from "../src/lite/adnl/keys.ts";
import { LiteError } from "../src/lite/errors.ts";
import { LitePool, pooledConnection } from "../src/lite/pool/LitePool.ts";
import type { FetchHead } from "../src/lite/pool/PoolModules.ts";
import { blockIdFromTl } from "../src/lite/queries/ids.ts";
import { LiteConnection } from "../src/lite/server/LiteConnection.ts";
import { ask, type LiteServer } from "../src/lite/server/LiteServer.ts";
import { getConfigAll, getMasterchainInfoExt } from "../src/lite/tl/liteQueries.ts";
import { currentTime, masterchainInfoExt } from "../src/lite/tl/liteRecords.ts";
import { encodeQuery, unwrapQuery } from "../src/lite/tl/queryEnvelope.ts";
import { encode } from "../src/lite/tl/types.ts";
import { type Benchmark, benchmark, type Measured } from "./kit/benchmark.ts";

const modules = { clock: systemClock, random: systemRandom };
const over = new LiteError("lite/closed", "measured");
const { signal } = new AbortController();
setMaxListeners(0, signal);

const bytes32 = new Uint8Array(32);
const block = { workchain: -1, shard: -(2n ** 63n), seqno: 100, rootHash: bytes32, fileHash: bytes32 };
const zero = { workchain: -1, rootHash: bytes32, fileHash: bytes32 };
const told = { mode: 0, version: 0, capabilities: 0n, last: block, lastUtime: 1, now: 1, stateRootHash: bytes32 };
const headAnswer = encode(masterchainInfoExt.boxed, { ...told, init: zero });
const answer = encode(currentTime.boxed, { now: 5 });

const claimedHead: FetchHead = async (server, given) => {
  const { last, lastUtime } = await ask(server, getMasterchainInfoExt, { mode: 0 }, { signal: given });
  return { block: blockIdFromTl(last), genUtime: lastUtime };
};

/** A server that delays everything, including its head, and counts the other queries. */
interface Actor {
  readonly server: AdnlServer;
  readonly connection: LiteConnection;
  delayMs: number;
  asked: number;
}

async function openActor(delayMs: number): Promise<Actor> {
  const seed = systemRandom.bytes(32);
  const state = { delayMs, asked: 0 };
  const headId = encodeQuery(getMasterchainInfoExt, { mode: 0 }).subarray(0, 4);
  const handler: AdnlHandler = async (query) => {
    const isHead = Buffer.from(unwrapQuery(query).subarray(0, 4)).equals(headId);
    state.asked += isHead ? 0 : 1;
    if (state.delayMs > 0) await systemClock.sleep(state.delayMs * (0.8 + Math.random() * 0.4));
    return isHead ? headAnswer : answer;
  };
  const address = { host: "127.0.0.1", port: 0, seeds: [seed], maxInFlight: 100 };
  const server = await AdnlServer.open(address, { ...modules, handler });
  const reached = { host: "127.0.0.1", port: server.port, publicKey: makeAdnlKey(seed).publicKey };
  const connection = new LiteConnection(reached, modules, pooledConnection);
  return Object.assign(state, { server, connection });
}

async function openPool(actors: readonly Actor[]): Promise<LitePool> {
  const servers = actors.map(({ connection }, index) => ({ name: `${index}`, address: "", server: connection }));
  const find = async () => undefined;
  const pool = LitePool.open(servers, { ...modules, head: claimedHead, find });
  while (pool.status().servers.some(({ state }) => state.kind !== "ok")) await systemClock.sleep(10);
  return pool;
}

function close(actors: readonly Actor[], ...others: readonly LiteServer[]): void {
  for (const other of [...others, ...actors.map(({ connection }) => connection)]) other.destroy(over);
  for (const { server } of actors) server.destroy(over);
}

let asked = 0;

/** A unique query, so that it is not deduplicated. */
function newQuery(): Uint8Array {
  asked += 1;
  return encodeQuery(getConfigAll, { mode: asked, id: block });
}

const inFlight = 24;
const askMany = (server: LiteServer) =>
  Promise.all(Array.from({ length: inFlight }, () => server.ask(newQuery(), { signal })));

/** Compares the pool around one connection with the bare connection. */
function overheadBenchmark(): Benchmark {
  const declare = (bare?: LiteServer, pool?: LiteServer) =>
    benchmark({
      name: `queries through a pool, ${inFlight} in flight`,
      group: "pool",
      unit: "queries/s",
      amount: inFlight,
      baseline: { name: "bare connection", run: () => bare && askMany(bare) },
      subject: { run: () => pool && askMany(pool) },
    });
  const measure = async () => {
    const actors = [await openActor(0), await openActor(0)];
    const [first, second] = actors;
    const pool = await openPool(second === undefined ? [] : [second]);
    try {
      return await declare(first?.connection, pool).measure();
    } finally {
      close(actors, pool);
    }
  };
  return { ...declare(), measure };
}

const reads = 4_000;
const readers = 8;

/** The 99th percentile of read times. */
async function p99Of(pool: LitePool): Promise<number> {
  const times: number[] = [];
  const reader = async () => {
    for (let left = reads / readers; left > 0; left--) {
      const startedMs = performance.now();
      await pool.ask(newQuery(), { signal });
      times.push(performance.now() - startedMs);
    }
  };
  await Promise.all(Array.from({ length: readers }, reader));
  return times.sort((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN;
}

/** One server turns slow when the measurement starts; the ratio is healthy to slow, so 0.5 means twice as slow. */
const slowBenchmark: Benchmark = {
  name: "p99, one of three servers answering in 2 s",
  group: "pool",
  unit: "ms",
  baseline: "p99, three healthy",
  mark: 0.5,
  measure: async (): Promise<Measured> => {
    const actors = [await openActor(5), await openActor(5), await openActor(5)];
    const pool = await openPool(actors);
    try {
      await p99Of(pool);
      const healthy = await p99Of(pool);
      const [slow] = actors;
      if (slow !== undefined) slow.delayMs = 2_000;
      const value = await p99Of(pool);
      return { value, ratio: healthy / value };
    } finally {
      close(actors, pool);
    }
  },
};

const sharedBenchmark: Benchmark = {
  name: "upstream queries for 100 identical",
  group: "pool",
  unit: "queries",
  baseline: "one query",
  mark: 1,
  measure: async (): Promise<Measured> => {
    const actors = [await openActor(5), await openActor(5), await openActor(5)];
    const pool = await openPool(actors);
    try {
      const query = newQuery();
      await Promise.all(Array.from({ length: 100 }, () => pool.ask(query, { signal })));
      const value = actors.reduce((sum, actor) => sum + actor.asked, 0);
      return { value, ratio: 1 / value };
    } finally {
      close(actors, pool);
    }
  },
};

export const benchmarks = (): readonly Benchmark[] => [overheadBenchmark(), slowBenchmark, sharedBenchmark];
