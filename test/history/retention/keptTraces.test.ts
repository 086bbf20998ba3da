import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { databaseSink } from "../../../src/history/ingest/databaseSink.ts";
import { normalizedOf } from "../../../src/history/ingest/decode/DecodedBatch.ts";
import type { Sink } from "../../../src/history/ingest/steps/CommitQueue.ts";
import { assembleTraces } from "../../../src/history/ingest/traces/assembleTraces.ts";
import { TraceMemory } from "../../../src/history/ingest/traces/TraceMemory.ts";
import { dropOld } from "../../../src/history/retention/dropOld.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { readRow, selectList } from "../../../src/history/store/schema/Table.ts";
import * as tables from "../../../src/history/store/schema/tables.ts";
import { verifySample } from "../../../src/history/verify/verifySample.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import { type Engine, enginesOfStatements, openFresh } from "../../kit/history/database.ts";
import { type IndexStage, openIndexStage } from "../../kit/history/indexStage.ts";
import { ingestAll } from "../../kit/history/ingestStage.ts";
import { narrowPartitions, narrowWidth } from "../../kit/history/retention/narrowPartitions.ts";
import { named } from "../../kit/history/traceBlocks.ts";
import { type ChainKit, openChainKit, recordLog, type TestChain } from "../../kit/localnet/localChain.ts";

const never = new AbortController().signal;
const rounds = 28;

let kit: ChainKit;
let chain: TestChain;
beforeAll(async () => {
  kit = await openChainKit();
  chain = await kit.open();
  // Every second a message goes to an account of the other workchain that does not exist, and bounces: a trace of
  // several masterchain blocks.
  for (let round = 0; round < rounds; round++) {
    const to = makeAddress(-1, named(`nobody ${round}`));
    await chain.send(chain.wallet(round % 4), { to, amount: 1_000_000_000n, bounce: true });
    await chain.rounds(1);
  }
});
afterAll(() => kit?.close());

/** Removes everything before the newest partition after every commit. */
function sinkThatForgets(database: Database, removed: number[]): Sink {
  const sink = databaseSink(database);
  return {
    commit: async (batches, segment, made) => {
      await sink.commit(batches, segment, made);
      const [newest] = await database.query("select max(gen_utime) as at from blocks");
      const first = await dropOld(database, Number(newest?.at));
      if (first !== undefined) removed.push(first);
    },
  };
}

/** Traces, open messages and traces of transactions, as an index has them that begins at a logical time. */
async function assembleFrom(lt: bigint) {
  const { steps } = await ingestAll(chain.net.ledger);
  const memory = new TraceMemory();
  const traces = new Map<string, tables.TraceRow>();
  const edges = new Map<string, string>();
  const traceIds = new Map<string, string>();
  for (const { decoded } of steps) {
    const transactions = decoded.transactions.map(({ seen }) => seen).filter((each) => each.lt >= lt);
    const input = { mcSeqno: decoded.batch.mcSeqno, transactions, normalized: normalizedOf(decoded) };
    const step = assembleTraces(memory, input);
    memory.apply(step);
    for (const { row } of step.touched) traces.set(row.traceId, row);
    for (const hash of step.closedEdges) edges.delete(hash);
    for (const { msgHash, traceId } of step.openEdges) edges.set(msgHash, traceId);
    for (const [hash, traceId] of step.traceIds) traceIds.set(hash, traceId);
  }
  return {
    traces: sorted([...traces.values()].map(plain)),
    edges: sorted([...edges]),
    transactions: sorted([...traceIds]),
  };
}

async function readAssembled(database: Database) {
  const rows = await database.query(`select ${selectList(tables.traces, "t")} from traces t`);
  const edges = await database.query(
    "select encode(msg_hash, 'hex') as a, encode(trace_id, 'hex') as b from open_edges",
  );
  const own = await database.query("select encode(hash, 'hex') as a, encode(trace_id, 'hex') as b from transactions");
  return {
    traces: sorted(rows.map((row) => plain(readRow(tables.traces, row)))),
    edges: sorted(edges.map(({ a, b }) => [a, b])),
    transactions: sorted(own.map(({ a, b }) => [a, b])),
  };
}

function plain({ classificationState: _, ...row }: tables.TraceRow): object {
  return row;
}

function sorted(rows: readonly object[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row, (_, value) => (typeof value === "bigint" ? `${value}` : value))).sort();
}

async function verifyAll({ modules }: IndexStage, database: Database) {
  const own = { ...modules, database, network: "testnet", random: seededRandom("verify") } as const;
  return verifySample(own, { count: 1_000, accountsPerBlock: 1_000, tracesPerBlock: 1_000 }, never);
}

describe.each(enginesOfStatements)("traces that began before the kept history, in the %s engine", (engine: Engine) => {
  let stage: IndexStage;
  beforeEach(async () => {
    stage = await openIndexStage(chain.net.ledger, await openFresh(engine));
    await narrowPartitions(stage.database);
  });
  afterEach(() => stage?.close());

  it.each([
    ["in memory", 64],
    ["in the tables", 0],
  ])("are those of an index that begins there, when their transactions are %s", async (_, rememberedBlocks) => {
    const { database } = stage;
    const removed: number[] = [];
    const log = recordLog();
    const sink = sinkThatForgets(database, removed);
    await stage.indexer({ maxRows: 1, rememberedBlocks }, { sink, log }).run(never);
    expect(removed.length).toBeGreaterThan(2);
    const [newest] = await database.query("select max(start_lt) as lt from blocks");
    const expected = await assembleFrom((BigInt(String(newest?.lt)) / narrowWidth) * narrowWidth);
    expect(expected.traces.filter((row) => row.includes('"broken"')).length).toBeGreaterThan(0);
    expect(await readAssembled(database)).toEqual(expected);
    expect((await verifyAll(stage, database)).differences).toEqual([]);
    expect(log.lines).toEqual([]);
  });
});
