import type { Indexer, IndexerOptions } from "../../../src/history/ingest/Indexer.ts";
import { AccountQueries } from "../../../src/history/ingest/source/AccountQueries.ts";
import { openSource } from "../../../src/history/ingest/source/BlockSource.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { openPostgres } from "../../../src/history/store/engine/postgres/openPostgres.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import { rememberingServer } from "../lite/rememberingServer.ts";
import { importSplitChain } from "../localnet/splitChain.ts";
import { freshUrl, quietModules } from "./database.ts";
import { emptyAll } from "./databaseRows.ts";
import { faultyDatabase, faultyServer, HastyClock, type Trouble } from "./indexFaults.ts";
import { type IndexStage, ledgerHeads, openIndexStage } from "./indexStage.ts";
import { dumpIndex } from "./indexTables.ts";

const backoff = { firstMs: 0, factor: 1, maxMs: 0 };
const noTrouble: Trouble = () => undefined;

/** Takes the writer lock away like a process that takes over, and leaves it free. */
const unlockSql = [
  `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
   and database = (select oid from pg_database where datname = current_database())`,
  "update index_writer set epoch = epoch + 1, holder = null",
];

export type Dump = Awaited<ReturnType<typeof dumpIndex>>;

/** Runs of an indexer over faulty parts, all in one PostgreSQL. */
export interface FaultTrials {
  readonly stage: IndexStage;
  readonly database: Database;
  /** Empties the tables. */
  clear(): Promise<void>;
  /** Indexes to the end, with a restart after each simulated stop of the process; returns the rows of all tables. */
  index(options: Partial<IndexerOptions>, trouble?: Trouble, lateBy?: number): Promise<Dump>;
  close(): Promise<void>;
}

/** Opens trials over the recorded chain with shard splits. */
export async function openFaultTrials(): Promise<FaultTrials> {
  const url = await freshUrl("all");
  const database = await openPostgres(url, quietModules);
  const other = await openPostgres(url, quietModules, { readers: 1 });
  const stage = await openIndexStage(importSplitChain(), database);
  const sound = rememberingServer(stage.server);
  let cleared = 0;
  return {
    stage,
    database,
    clear: async () => {
      cleared += 1;
      await emptyAll(database);
      // Dead rows slow down queries until a vacuum.
      if (cleared % 25 === 0) await database.runAlone("vacuum");
    },
    index: async (options, trouble = noTrouble, lateBy = 0) => {
      for (;;) {
        const stop = new AbortController();
        const clock = new HastyClock();
        const unlock = async (): Promise<void> => {
          for (const sql of unlockSql) await other.runAlone(sql);
        };
        const around = { clock, unlock, lateBy, abort: () => stop.abort() };
        const random = seededRandom("trial");
        const server = faultyServer(sound, trouble, around);
        const faulty = faultyDatabase(database, trouble, around);
        const modules = { server, clock, random };
        const asking = { attempts: 2, backoff };
        const indexer = stage.indexer(
          { backoff, maxRows: 40, ...options },
          {
            ...modules,
            database: faulty.part,
            source: openSource({ ...modules, heads: ledgerHeads(stage.ledger) }, asking),
            queries: new AccountQueries(modules, asking),
          },
        );
        const isDone = await runOnce(indexer, stop.signal);
        await faulty.waitUntilIdle();
        if (faulty.writtenUnlocked() > 0) throw new Error("rows were written without the writer's lock");
        if (isDone) return dumpIndex(database);
      }
    },
    close: async () => {
      await other.close();
      await stage.close();
    },
  };
}

/** Returns false if the run was stopped. */
async function runOnce(indexer: Indexer, signal: AbortSignal): Promise<boolean> {
  try {
    await indexer.run(signal);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
