import { HistoryError } from "../errors.ts";
import type { Database, SqlSession } from "../store/Database.ts";
import { findFact, setFact } from "../store/schema/indexFacts.ts";
import { parseScope } from "./parseScope.ts";
import { describeScope, formatScope, type Scope } from "./Scope.ts";

/** The fact that holds the scope of an index; an index of the whole chain has none. */
export const scopeFact = "scope";

/** The scope of an index; `undefined` when it covers the whole chain. */
export async function findScope(database: Pick<SqlSession, "query">): Promise<Scope | undefined> {
  const text = await findFact(database, scopeFact);
  return text === undefined ? undefined : readStored(text);
}

/** The addresses of a stored scope are raw, so that the kind of network does not matter. */
export function readStored(text: string): Scope {
  return parseScope(text, { isTest: true });
}

/** Records the scope of an empty index; refuses one that was made with another scope. */
export async function claimScope(database: Database, scope: Scope | undefined): Promise<void> {
  const wanted = scope && formatScope(scope);
  if ((await findFact(database, scopeFact)) === wanted) return;
  await database.write(async (session) => {
    const stored = await findFact(session, scopeFact);
    if (stored === wanted) return;
    const [row] = await session.query("select exists (select 1 from segments) as filled");
    if (stored !== undefined || row?.filled === true || wanted === undefined) throw otherScope(stored, scope);
    await setFact(session, scopeFact, wanted);
  });
}

/** Refuses an index of another scope; for readers, which take the scope of the index when they name none. */
export async function checkScope(database: Pick<SqlSession, "query">, scope: Scope | undefined): Promise<void> {
  if (scope === undefined) return;
  const stored = await findFact(database, scopeFact);
  if (stored !== formatScope(scope)) throw otherScope(stored, scope);
}

function otherScope(stored: string | undefined, scope: Scope | undefined): HistoryError<"history/scope"> {
  const covers = stored === undefined ? "the whole chain" : `only ${describeScope(readStored(stored))}`;
  const wanted = scope === undefined ? "no scope is given" : `the given scope covers ${describeScope(scope)}`;
  const same = stored === undefined ? "start without --scope" : "start with its own scope";
  return new HistoryError(
    "history/scope",
    `the index covers ${covers}, but ${wanted}. An index cannot be extended: ${same}, or index the other ` +
      "scope in another database, or in this one after tongate db rebuild",
  );
}
