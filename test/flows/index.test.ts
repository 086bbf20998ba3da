import { Address, Cell, Dictionary, loadDepthBalanceInfo, loadShardAccount, type Slice } from "@ton/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseSink } from "../../src/history/ingest/databaseSink.ts";
import { Indexer } from "../../src/history/ingest/Indexer.ts";
import { indexStatus } from "../../src/history/ingest/IndexStatus.ts";
import { AccountQueries } from "../../src/history/ingest/source/AccountQueries.ts";
import { openSource } from "../../src/history/ingest/source/BlockSource.ts";
import type { Database } from "../../src/history/store/Database.ts";
import * as tables from "../../src/history/store/schema/tables.ts";
import { verifySample } from "../../src/history/verify/verifySample.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { seededRandom } from "../../src/lib/random.ts";
import { LocalLiteServer } from "../../src/localnet/network/LocalLiteServer.ts";
import { openFresh } from "../kit/history/database.ts";
import { emptyAll } from "../kit/history/databaseRows.ts";
import { faultyDatabase, faultyServer, HastyClock, randomTrouble } from "../kit/history/indexFaults.ts";
import { type IndexStage, ledgerHeads, openIndexStage } from "../kit/history/indexStage.ts";
import { dumpIndex } from "../kit/history/indexTables.ts";
import { growSplitChain, importSplitChain } from "../kit/localnet/splitChain.ts";
import { someOf } from "../kit/suite/everything.ts";

const backoff = { firstMs: 1, factor: 1, maxMs: 1 };
const never = new AbortController().signal;

let stage: IndexStage;
let whole: Awaited<ReturnType<typeof dumpIndex>>;
let second: Database;

/** An empty embedded database. The engine is reused: starting one takes longer than most tests. */
async function emptyDatabase(): Promise<Database> {
  await emptyAll(second);
  return second;
}

beforeAll(async () => {
  stage = await openIndexStage(importSplitChain());
  await stage.indexer({}).run(never);
  whole = await dumpIndex(stage.database);
  second = await openFresh("postgres");
});

afterAll(async () => {
  await second?.close();
  await stage?.close();
});

describe("an index of a chain whose basechain splits", () => {
  it("has every block and transaction once, and no open or broken trace", async () => {
    const { ledger, database } = stage;
    const [row] = await database.query(
      `select (select count(*) from blocks where workchain = -1) as masters, (select count(*) from open_edges) as open,
         (select count(*) from traces where state <> 'complete' or classification_state <> 'ok') as unfinished,
         (select sum(tx_count) from blocks) - (select count(*) from transactions) as lost,
         (select sum(nodes) from traces) - (select count(*) from transactions) as untraced`,
    );
    const nothing = { open: 0n, unfinished: 0n, lost: 0n, untraced: 0n };
    expect(row).toEqual({ masters: BigInt(ledger.headId.seqno), ...nothing });
  });

  it("has the initial accounts of the zero states", async () => {
    const { ledger, database } = stage;
    const entry = {
      parse: (slice: Slice) => [loadDepthBalanceInfo(slice), loadShardAccount(slice)] as const,
      serialize: () => {},
    };
    const expected = ledger.zeroStates.flatMap(({ bytes }) => {
      const accounts = Cell.fromBoc(Buffer.from(bytes))[0]?.refs[1] ?? Cell.EMPTY;
      const all = Dictionary.load(Dictionary.Keys.BigUint(256), entry, accounts.beginParse()).values();
      return all.flatMap(([{ balance }, { account }]) =>
        account ? `${account.addr.toString()} ${balance.coins}` : [],
      );
    });
    const rows = await database.query("select account, balance from account_states");
    const read = tables.accountStates.columns.account.read;
    const stored = new Set(rows.map((row) => `${Address.parse(read(row.account ?? null)).toString()} ${row.balance}`));
    expect(expected.length).toBeGreaterThan(3);
    expect(expected.filter((each) => !stored.has(each))).toEqual([]);
  });

  it("reports its progress", async () => {
    const utime = Number(
      (await stage.database.query("select max(gen_utime) as at from blocks where workchain = -1"))[0]?.at,
    );
    const clock = { ...systemClock, now: () => (utime + 7) * 1000 };
    expect(await indexStatus(stage.database, clock)).toEqual({
      segments: [{ firstSeqno: 1, nextSeqno: 41 }],
      ranges: [],
      blocksLeft: 0,
      secondsLeft: 0,
      lastSeqno: 40,
      lastUtime: utime,
      lagSeconds: 7,
      missing: 0,
      withoutPools: [],
      pendingTraces: 0,
      unclassifiedTraces: 0,
      partitions: 10,
      sealedPartitions: 0,
      withoutValidators: [],
    });
  });

  it("matches its blocks when they are fetched again, and reports differences", async () => {
    const modules = { ...stage.modules, network: "testnet", random: seededRandom("verify") } as const;
    const few = { count: 1000, accountsPerBlock: 2, tracesPerBlock: 2 };
    const sound = await verifySample(modules, few, never);
    expect(sound.differences).toEqual([]);
    expect(sound.blocks).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    expect((await verifySample(modules, { count: 3 }, never)).blocks).toHaveLength(3);
    const database = await emptyDatabase();
    await stage.indexer({ to: 2 }, { database }).run(never);
    await database.write((session) =>
      session.run(`update transactions set total_fees = total_fees + 1 where mc_block_seqno = 2;
        delete from blocks where mc_block_seqno = 1 and workchain = -1`),
    );
    const mutated = await verifySample({ ...modules, database }, few, never);
    const kinds = new Set(
      mutated.differences.map(({ kind, table, mcSeqno, columns }) => [kind, table, mcSeqno, columns].join(" ")),
    );
    expect([...kinds]).toEqual(["missing blocks 1 ", "different transactions 2 totalFees"]);
  });
});

describe("the same rows", () => {
  it("result from blocks written one at a time", async () => {
    const database = await emptyDatabase();
    await stage.indexer({ maxRows: 1, rememberedTransactions: 0 }, { database }).run(never);
    expect(await dumpIndex(database)).toEqual(whole);
  });

  it("result in the built-in database", async () => {
    const database = await openFresh("embedded");
    await stage.indexer({}, { database }).run(never);
    const rows = await dumpIndex(database);
    await database.close();
    expect(rows).toEqual(whole);
  });

  it("result from runs that are stopped and restarted", async () => {
    const database = await emptyDatabase();
    for (const to of [1, 7, 14, 15, 16, 31, 40]) await stage.indexer({ to }, { database }).run(never);
    expect(await dumpIndex(database)).toEqual(whole);
  });

  it("result from a run that is stopped during its work", async () => {
    const database = await emptyDatabase();
    const stop = new AbortController();
    const indexer = stage.indexer({ maxRows: 1 }, { database });
    const stopped = new Error("enough");
    const watching = (async () => {
      while ((indexer.status().lastSeqno ?? 0) < 5) await systemClock.sleep(1);
      stop.abort(stopped);
    })();
    await expect(indexer.run(stop.signal)).rejects.toMatchObject({ code: "lib/aborted", cause: stopped });
    await watching;
    expect(indexer.status().kind).toBe("stopped");
    await stage.indexer({}, { database }).run(never);
    expect(await dumpIndex(database)).toEqual(whole);
  });

  it.each(someOf([2, 16, 39], (from) => from === 16))(
    "result if the later part, from block %d, is indexed first",
    async (from) => {
      const database = await emptyDatabase();
      await stage.indexer({ from }, { database }).run(never);
      await stage.indexer({}, { database }).run(never);
      expect(await dumpIndex(database)).toEqual(whole);
    },
  );

  it("result if the head is followed while the gap before it is filled", async () => {
    const { ledger } = stage;
    const database = await emptyDatabase();
    await stage.indexer({ to: 6 }, { database }).run(never);
    const source = openSource(
      { server: stage.server, heads: ledgerHeads(ledger), clock: systemClock, random: seededRandom("gap") },
      { ahead: 2 },
    );
    const own = { source, database };
    const follow = { from: "genesis", network: "testnet", maxBehind: 10, maxRows: 1 } as const;
    const indexer = new Indexer({ ...stage.modules, ...own, sink: databaseSink(database) }, follow);
    const stop = new AbortController();
    const running = indexer.run(stop.signal).catch(() => {});
    while (indexer.status().kind !== "following") await systemClock.sleep(5);
    stop.abort();
    await running;
    expect(await dumpIndex(database)).toEqual(whole);
  });

  it("result from a chain that grows while it is followed", async () => {
    const { ledger, grow } = growSplitChain(1);
    const database = await emptyDatabase();
    const heads = ledgerHeads(ledger);
    const growing = {
      reach: async (seqno: number, signal: AbortSignal) => {
        if (ledger.headId.seqno < seqno) grow();
        return heads.reach(seqno, signal);
      },
    };
    const server = new LocalLiteServer({ ledger });
    const parts = { server, heads: growing, clock: systemClock, random: seededRandom("grow") };
    const own = { server, database, heads: growing, source: openSource(parts, { ahead: 1 }) };
    const indexer = stage.indexer({ to: 40 }, own);
    await indexer.run(never);
    await server.close();
    expect(await dumpIndex(database)).toEqual(whole);
    expect(indexer.status()).toMatchObject({ kind: "done", head: 40, lastSeqno: 40 });
  });

  it.each(someOf(["a", "b"], (seed) => seed === "a"))(
    "result from a run in which server and database fail sometimes (%s)",
    async (seed) => {
      const random = seededRandom(seed);
      const plain = await emptyDatabase();
      const { trouble, met } = randomTrouble(random, { rate: 0.07, max: 60 });
      const clock = new HastyClock();
      const server = faultyServer(stage.server, trouble, { clock });
      const database = faultyDatabase(plain, trouble);
      const modules = { server, clock, random };
      const parts = {
        ...modules,
        database: database.part,
        source: openSource({ ...modules, heads: ledgerHeads(stage.ledger) }, { attempts: 2, backoff }),
        queries: new AccountQueries(modules, { attempts: 2, backoff }),
      };
      await stage.indexer({ backoff, maxRows: 50 }, parts).run(never);
      await database.waitUntilIdle();
      expect(await dumpIndex(plain), met.join(", ")).toEqual(whole);
      expect(met.length).toBeGreaterThan(0);
    },
  );
});
