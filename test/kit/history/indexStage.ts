import { databaseSink } from "../../../src/history/ingest/databaseSink.ts";
import { Indexer, type IndexerModules, type IndexerOptions } from "../../../src/history/ingest/Indexer.ts";
import { type BlockSource, openSource } from "../../../src/history/ingest/source/BlockSource.ts";
import type { Heads } from "../../../src/history/ingest/source/heads.ts";
import { AccountQueries } from "../../../src/history/ingest/states/AccountQueries.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { orAborted } from "../../../src/lib/abort.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import type { LiteServer } from "../../../src/lite/LiteServer.ts";
import { LocalLiteServer } from "../../../src/localnet/LocalLiteServer.ts";
import type { Ledger } from "../../../src/localnet/ledger/Ledger.ts";
import { openExecutor } from "../../../src/tvm/openExecutor.ts";
import { openFresh } from "./database.ts";

/** The newest block of a ledger, which others may follow. */
export function ledgerHeads(ledger: Pick<Ledger, "headId">): Heads {
  return {
    reach: async (seqno, signal) => {
      if (ledger.headId.seqno >= seqno) return ledger.headId;
      return orAborted(new Promise<never>(() => {}), signal);
    },
  };
}

/** What an index needs around it, in this process: a chain, a machine, an empty database. */
export interface IndexStage {
  readonly ledger: Ledger;
  readonly server: LiteServer;
  readonly database: Database;
  readonly source: BlockSource;
  /** All of its own parts. */
  readonly modules: IndexerModules;
  /** An index over the stage's own parts, some of them exchanged. */
  indexer(options: Partial<IndexerOptions>, parts?: Partial<IndexerModules>): Indexer;
  close(): Promise<void>;
}

/** Opens a stage over a chain; its database is a built-in one unless one is given, which then is closed with it. */
export async function openIndexStage(ledger: Ledger, given?: Database): Promise<IndexStage> {
  const clock = systemClock;
  const random = seededRandom("index");
  const server = new LocalLiteServer({ ledger });
  const executor = await openExecutor({}, { clock });
  const database = given ?? (await openFresh("embedded"));
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
