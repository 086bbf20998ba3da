import { databaseSink } from "../../../src/history/ingest/databaseSink.ts";
import { Indexer, type IndexerOptions } from "../../../src/history/ingest/Indexer.ts";
import { AccountQueries } from "../../../src/history/ingest/source/AccountQueries.ts";
import { type BlockSource, openSource, type SourceOptions } from "../../../src/history/ingest/source/BlockSource.ts";
import type { Heads } from "../../../src/history/ingest/source/followHeads.ts";
import type { ArrivedAccounts } from "../../../src/history/ingest/states/ArrivedAccounts.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import type { Clock } from "../../../src/lib/clock.ts";
import type { Log } from "../../../src/lib/log.ts";
import type { Random } from "../../../src/lib/random.ts";
import type { LiteServer } from "../../../src/lite/server/LiteServer.ts";
import type { Executor } from "../../../src/tvm/Executor.ts";

export interface OpenIndexerModules {
  readonly server: LiteServer;
  readonly heads: Heads;
  /** Migrated, and with rows of this network only. */
  readonly database: Database;
  readonly executor: Executor;
  readonly clock: Clock;
  readonly random: Random;
  readonly log?: Log;
  readonly arrived?: ArrivedAccounts;
}

/** Builds an indexer without starting it. The caller closes the modules. */
export function openIndexer(
  modules: OpenIndexerModules,
  options: IndexerOptions & { readonly source?: SourceOptions },
): { readonly indexer: Indexer; readonly source: BlockSource } {
  const { source: sourceOptions = {}, ...indexerOptions } = options;
  const source = openSource(modules, sourceOptions);
  const queries = new AccountQueries(modules, sourceOptions);
  const sink = databaseSink(modules.database);
  return { source, indexer: new Indexer({ ...modules, source, queries, sink }, indexerOptions) };
}
