import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import type { LiteServer } from "../../lite/LiteServer.ts";
import type { Executor } from "../../tvm/Executor.ts";
import type { Database } from "../store/Database.ts";
import { databaseSink } from "./databaseSink.ts";
import type { Heads } from "./heads.ts";
import { Indexer, type IndexerOptions } from "./pipeline.ts";
import { Questions } from "./Questions.ts";
import { type BlockSource, openSource, type SourceOptions } from "./source.ts";

export interface OpenIndexerModules {
  readonly server: LiteServer;
  readonly heads: Heads;
  /** Migrated, and of this network. */
  readonly database: Database;
  readonly executor: Executor;
  readonly clock: Clock;
  readonly random: Random;
  readonly log?: Log;
}

/** Puts an index together; nothing is done until it runs. The modules stay the caller's to close. */
export function openIndexer(
  modules: OpenIndexerModules,
  options: IndexerOptions & { readonly source?: SourceOptions },
): { readonly indexer: Indexer; readonly source: BlockSource } {
  const { source: sourceOptions = {}, ...indexerOptions } = options;
  const source = openSource(modules, sourceOptions);
  const questions = new Questions(modules, sourceOptions);
  const sink = databaseSink(modules.database);
  return { source, indexer: new Indexer({ ...modules, source, questions, sink }, indexerOptions) };
}
