import type { Facts } from "../../contracts/engine/Facts.ts";
import type { Trace } from "../../model/Trace.ts";
import type { BlockSource } from "../ingest/source/BlockSource.ts";
import { indexStart } from "../ingest/source/indexStart.ts";
import { AccountScope } from "../scope/AccountScope.ts";
import type { SqlSession } from "../store/Database.ts";
import { findRunBlock } from "./findRunBlock.ts";
import { Interpreter } from "./Interpreter.ts";
import type { KnownEntities } from "./KnownEntities.ts";
import { StateRunner, type StateRunnerModules } from "./StateRunner.ts";

export interface BlockFactModules extends StateRunnerModules {
  readonly source: Pick<BlockSource, "batches">;
  readonly database: Pick<SqlSession, "query">;
  readonly network: Facts["network"];
  /** The first block of the index. */
  readonly first: number;
}

/** Prepares facts for the classification of a trace. */
export type PrepareFacts = (trace: Trace, known: KnownEntities) => Promise<void>;

const noTables = { query: async () => [] };
const nothing = { accounts: [], jettons: [], collections: [], codeHashes: [], from: undefined, until: undefined };

/** Makes all facts come from the chain at the block where a trace ended, because the tables leave accounts out. */
export function factsAtBlocks(modules: BlockFactModules, signal: AbortSignal): PrepareFacts {
  const { database, network, source, first } = modules;
  const openRunner = () => new StateRunner({ ...modules, database: noTables });
  const startLt = indexStart(source, first);
  return async (trace, known) => {
    const place = await findRunBlock(database, trace.mcSeqnoEnd, signal);
    if (place === undefined) return;
    const interpreter = new Interpreter({
      ...{ database, network, openRunner, scope: new AccountScope(nothing) },
      runner: openRunner(),
      range: { since: 0, first: 0, startLt },
    });
    await interpreter.prepare(trace, known, place);
  };
}
