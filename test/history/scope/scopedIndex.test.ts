import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Backfiller } from "../../../src/history/ingest/Backfiller.ts";
import { databaseSink } from "../../../src/history/ingest/databaseSink.ts";
import type { Sink } from "../../../src/history/ingest/SegmentWorker.ts";
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
      return await stage.indexer({ mostRows: 40 }, { database, sink: stopping }).run(stop.signal);
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

const chains = ["split", "demo"] as const;
const seeds = [1, 2, 3];

describe.each(chains)("an index of the %s chain with a scope", (chain) => {
  it.each(seeds)("has exactly the rows of traces that touch the scope (%i)", async (seed) => {
    const stage = stages[chain];
    const scope = await chooseScope(stage.database, seededRandom(`scope ${seed}`));
    await checkScope(stage, scope, (database) => stage.indexer({}, { database }).run(never), "postgres");
  });

  it("has the same rows in the built-in database", async () => {
    const stage = stages[chain];
    const scope = await chooseScope(stage.database, seededRandom("built-in"));
    await checkScope(stage, scope, (database) => stage.indexer({}, { database }).run(never), "embedded");
  });

  it.each(seeds)("has the same rows when every block is a commit (%i)", async (seed) => {
    const stage = stages[chain];
    const scope = await chooseScope(stage.database, seededRandom(`commits ${seed}`));
    await checkScope(stage, scope, (database) => stage.indexer({ mostRows: 1 }, { database }).run(never), "postgres");
  });

  it.each(seeds)("has the same rows when indexing is stopped and started again (%i)", async (seed) => {
    const stage = stages[chain];
    const random = seededRandom(`stopped ${seed}`);
    const scope = await chooseScope(stage.database, random);
    await checkScope(stage, scope, (database) => indexWithStops(stage, database, random), "postgres");
  });

  it.each([
    { workers: 2, rangeBlocks: 1 },
    { workers: 3, rangeBlocks: 3 },
    { workers: 2, rangeBlocks: 5 },
  ])("has the same rows when $workers workers fill ranges of $rangeBlocks blocks", async ({ workers, rangeBlocks }) => {
    const stage = stages[chain];
    const random = seededRandom(`together ${workers} ${rangeBlocks}`);
    const scope = await chooseScope(stage.database, random);
    await checkScope(stage, scope, (database) => indexTogether(stage, database, { workers, rangeBlocks }), "postgres");
  });
});
