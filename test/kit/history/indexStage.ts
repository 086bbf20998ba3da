import { databaseSink } from "../../../src/history/ingest/databaseSink.ts";
import { Indexer, type IndexerModules, type IndexerOptions } from "../../../src/history/ingest/Indexer.ts";
import { AccountQueries } from "../../../src/history/ingest/source/AccountQueries.ts";
import { type BlockSource, openSource } from "../../../src/history/ingest/source/BlockSource.ts";
import type { Heads } from "../../../src/history/ingest/source/followHeads.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { orAborted } from "../../../src/lib/abort.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import type { LiteServer } from "../../../src/lite/server/LiteServer.ts";
import type { Ledger } from "../../../src/localnet/ledger/Ledger.ts";
import { LocalLiteServer } from "../../../src/localnet/network/LocalLiteServer.ts";
import { openExecutor } from "../../../src/tvm/run/openExecutor.ts";
import { openFresh } from "./database.ts";

/** The heads of a ledger; waits forever for blocks above its newest. */
export function ledgerHeads(ledger: Pick<Ledger, "headId">): Heads {
  return {
    reach: async (seqno, signal) => {
      if (ledger.headId.seqno >= seqno) return ledger.headId;
      return orAborted(new Promise<never>(() => {}), signal);
    },
  };
}

/** What an indexer needs: a chain, an executor, an empty database. */
export interface IndexStage {
  readonly ledger: Ledger;
  readonly server: LiteServer;
  readonly database: Database;
  readonly source: BlockSource;
  /** The modules of this stage. */
  readonly modules: IndexerModules;
  /** An indexer over these modules, with some replaced. */
  indexer(options: Partial<IndexerOptions>, parts?: Partial<IndexerModules>): Indexer;
  close(): Promise<void>;
}

/**
 * Opens a stage over a chain, by default with a PostgreSQL database, which takes less time than the built-in one;
 * closes the database on close.
 */
export async function openIndexStage(ledger: Ledger, given?: Database): Promise<IndexStage> {
  const clock = systemClock;
  const random = seededRandom("index");
  const server = new LocalLiteServer({ ledger });
  const executor = await openExecutor({}, { clock });
  const database = given ?? (await openFresh("postgres"));
  const heads = ledgerHeads(ledger);
  const source = openSource({ server, heads, clock, random });
  const queries = new AccountQueries({ clock, random });
  const sink = databaseSink(database);
  const modules = { source, server, queries, executor, database, sink, clock, heads, random };
  return {
    ledger,
    server,
    database,
    source,
    modules,
    indexer: (options, parts = {}) => {
      const own = parts.database === undefined ? modules : { ...modules, sink: databaseSink(parts.database) };
      const last = { from: "genesis", to: ledger.headId.seqno, network: "testnet" } as const;
      return new Indexer({ ...own, ...parts }, { ...last, ...options });
    },
    close: async () => {
      await database.close();
      await executor.close();
      await server.close();
    },
  };
}
