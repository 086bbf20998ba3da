import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Backfiller } from "../../../src/history/ingest/Backfiller.ts";
import { databaseSink } from "../../../src/history/ingest/databaseSink.ts";
import { Indexer } from "../../../src/history/ingest/Indexer.ts";
import type { Sink } from "../../../src/history/ingest/steps/CommitQueue.ts";
import { formatScope, type Scope } from "../../../src/history/scope/Scope.ts";
import { claimScope } from "../../../src/history/scope/storedScope.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { type Random, seededRandom } from "../../../src/lib/random.ts";
import { makeDemo } from "../../../src/localnet/demo/Demo.ts";
import { playDemo } from "../../../src/localnet/demo/playDemo.ts";
import { type Engine, openFresh } from "../../kit/history/database.ts";
import { type IndexStage, openIndexStage } from "../../kit/history/indexStage.ts";
import {
  chooseScope,
  compareEntities,
  expectedRows,
  listDifferences,
  storedRows,
} from "../../kit/history/scope/scopedRows.ts";
import { type ChainKit, openChainKit } from "../../kit/localnet/localChain.ts";
import { importSplitChain } from "../../kit/localnet/splitChain.ts";
import { someOf } from "../../kit/suite/everything.ts";

const never = new AbortController().signal;

let kit: ChainKit;
let stages: Readonly<Record<"split" | "demo", IndexStage>>;
beforeAll(async () => {
  kit = await openChainKit();
  const { net } = await kit.open();
  await playDemo(net, makeDemo(net.keys));
  stages = {
    split: await openIndexStage(importSplitChain(), await openFresh("postgres")),
    demo: await openIndexStage(net.ledger, await openFresh("postgres")),
  };
  for (const stage of Object.values(stages)) await stage.indexer({}).run(never);
});
afterAll(async () => {
  for (const stage of Object.values(stages ?? {})) await stage.close();
  await kit?.close();
});

/** Indexes a chain with a scope into a new database and compares it with the whole index. */
async function checkScope(
  stage: IndexStage,
  scope: Scope,
  index: (database: Database) => Promise<void>,
  engine: Engine,
) {
  const database = await openFresh(engine);
  try {
    await claimScope(database, scope);
    await index(database);
    const [stored, expected] = [await storedRows(database), await expectedRows(stage.database, scope)];
    expect(listDifferences(stored, expected), formatScope(scope)).toEqual([]);
    expect(await compareEntities(stage.database, database, scope), formatScope(scope)).toEqual([]);
  } finally {
    await database.close();
  }
}

/** Stops the indexer after a few commits, again and again. */
async function indexWithStops(stage: IndexStage, database: Database, random: Random): Promise<void> {
  for (;;) {
    const stop = new AbortController();
    const sink = databaseSink(database);
    let left = 1 + random.int(4);
    const stopping: Sink = {
      commit: async (batches, segment) => {
        if (left === 0) stop.abort(new Error("stopped"));
        stop.signal.throwIfAborted();
        left -= 1;
        await sink.commit(batches, segment);
      },
    };
    try {
      return await stage.indexer({ maxRows: 40 }, { database, sink: stopping }).run(stop.signal);
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    }
  }
}

/** Indexes the newest blocks, then fills what is before them with several backfillers. */
async function indexTogether(
  stage: IndexStage,
  database: Database,
  { workers, rangeBlocks }: { readonly workers: number; readonly rangeBlocks: number },
): Promise<void> {
  const last = stage.ledger.headId.seqno;
  await stage.indexer({ from: last - 3 }, { database }).run(never);
  const stop = new AbortController();
  const running = Array.from({ length: workers }, (_, index) => {
    const options = { holder: `test ${index}`, rangeBlocks, network: "testnet", lookEveryMs: 5 } as const;
    return new Backfiller({ ...stage.modules, database }, options).run(stop.signal).catch(() => {});
  });
  await stage.indexer({ backfillers: 0 }, { database }).run(never);
  stop.abort();
  await Promise.all(running);
}

/** Every way of indexing is tried with one of the chains. */
const chains = ["split", "demo"] as const;
const seeds = someOf([1, 2], (seed) => seed === 1);
const shares = someOf(
  [
    { workers: 2, rangeBlocks: 1 },
    { workers: 3, rangeBlocks: 3 },
    { workers: 2, rangeBlocks: 5 },
  ],
  ({ workers }) => workers === 3,
);

describe.each(chains)("an index of the %s chain with a scope", (chain) => {
  it.each(seeds)("has exactly the rows of traces that touch the scope (%i)", async (seed) => {
    const stage = stages[chain];
    const scope = await chooseScope(stage.database, seededRandom(`scope ${seed}`));
    await checkScope(stage, scope, (database) => stage.indexer({}, { database }).run(never), "postgres");
  });

  it.each(chain === "split" ? (["embedded"] as const) : [])("has the same rows in the %s database", async (engine) => {
    const stage = stages[chain];
    const scope = await chooseScope(stage.database, seededRandom("built-in"));
    await checkScope(stage, scope, (database) => stage.indexer({}, { database }).run(never), engine);
  });

  it.each(chain === "split" ? seeds : [])("has the same rows when every block is a commit (%i)", async (seed) => {
    const stage = stages[chain];
    const scope = await chooseScope(stage.database, seededRandom(`commits ${seed}`));
    await checkScope(stage, scope, (database) => stage.indexer({ maxRows: 1 }, { database }).run(never), "postgres");
  });

  it.each(chain === "demo" ? seeds : [])(
    "has the same rows when indexing is stopped and started again (%i)",
    async (seed) => {
      const stage = stages[chain];
      const random = seededRandom(`stopped ${seed}`);
      const scope = await chooseScope(stage.database, random);
      await checkScope(stage, scope, (database) => indexWithStops(stage, database, random), "postgres");
    },
  );

  it.each(chain === "demo" ? shares : [])(
    "has the same rows when $workers workers fill ranges of $rangeBlocks blocks",
    async ({ workers, rangeBlocks }) => {
      const stage = stages[chain];
      const random = seededRandom(`together ${workers} ${rangeBlocks}`);
      const scope = await chooseScope(stage.database, random);
      await checkScope(
        stage,
        scope,
        (database) => indexTogether(stage, database, { workers, rangeBlocks }),
        "postgres",
      );
    },
  );
});

describe("the bounds of a scope", () => {
  const everything = { accounts: [], jettons: [], collections: [], codeHashes: [] };

  /** Indexes until the indexer ends by itself; returns the masterchain blocks that are there. */
  async function indexBetween(scope: Scope): Promise<readonly number[]> {
    const { modules } = stages.split;
    const database = await openFresh("postgres");
    try {
      await claimScope(database, scope);
      const own = { ...modules, database, sink: databaseSink(database) };
      await new Indexer(own, { from: "genesis", network: "testnet" }).run(never);
      const rows = await database.query("select seqno from blocks where workchain = -1 order by seqno");
      return rows.map(({ seqno }) => Number(seqno));
    } finally {
      await database.close();
    }
  }

  const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

  it("are blocks, both included, and the indexer ends with the last one", async () => {
    const [from, until] = [10, 20].map((seqno) => ({ kind: "block", seqno }) as const);
    expect(await indexBetween({ ...everything, from, until })).toEqual(range(10, 20));
  });

  it("are times, both included", async () => {
    const rows = await stages.split.database.query(
      "select seqno, gen_utime from blocks where workchain = -1 order by seqno",
    );
    const timeOf = (seqno: number) => Number(rows.find((row) => Number(row.seqno) === seqno)?.gen_utime);
    const between = rows.filter((row) => Number(row.gen_utime) >= timeOf(10) && Number(row.gen_utime) <= timeOf(20));
    const [from, until] = [10, 20].map((seqno) => ({ kind: "time", at: timeOf(seqno) }) as const);
    expect(await indexBetween({ ...everything, from, until })).toEqual(between.map((row) => Number(row.seqno)));
  });
});
