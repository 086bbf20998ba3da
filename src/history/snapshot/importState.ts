import { HistoryError } from "../errors.ts";
import type { SqlSession } from "../store/Database.ts";
import { findFact } from "../store/schema/indexFacts.ts";

/** The fact of an unfinished import: the hash of its manifest and the number of files that are loaded. */
export const importFact = "import";
/** The fact with the definitions of indexes that are made again when all rows are loaded, as JSON. */
export const importIndexesFact = "import_indexes";

/**
 * Refuses an index whose import is not finished: its rows are incomplete, and nobody has compared them with the chain.
 */
export async function refuseUnfinishedImport(database: Pick<SqlSession, "query">): Promise<void> {
  if ((await findFact(database, importFact)) === undefined) return;
  throw new HistoryError(
    "history/snapshot",
    "the import of this index is not finished: run tongate index import again, or remove it with tongate db rebuild",
  );
}

/** Ends an import, in the transaction that records its segments. */
export async function endImport(session: SqlSession): Promise<void> {
  await session.query("delete from index_facts where name = any($1::text[])", [[importFact, importIndexesFact]]);
}
