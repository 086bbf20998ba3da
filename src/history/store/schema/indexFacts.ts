import type { Hash } from "../../../model/Hash.ts";
import { HistoryError } from "../../errors.ts";
import type { Database, SqlSession } from "../Database.ts";

/** The name of the fact that identifies the network of an index. */
export const networkFact = "network";

/** The fact that names the first masterchain block which is kept, once older ones were removed. */
export const beginsFact = "history_begins";

/** A fact about the whole index, by its name. */
export async function findFact(database: Pick<SqlSession, "query">, name: string): Promise<string | undefined> {
  const [row] = await database.query("select value from index_facts where name = $1", [name]);
  return row === undefined ? undefined : String(row.value);
}

/** The values of facts by their names. */
export async function readFacts(
  database: Pick<SqlSession, "query">,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const sql = "select name, value from index_facts where name = any($1::text[])";
  const rows = await database.query(sql, [names], { plan: "kept" });
  return new Map(rows.map(({ name, value }) => [String(name), String(value)]));
}

/** Stores a fact and replaces the earlier value. */
export async function setFact(session: SqlSession, name: string, value: string): Promise<void> {
  const sql =
    "insert into index_facts (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value";
  await session.query(sql, [name, value]);
}

/** Records the network of an empty index, by the hash of its zero state; refuses the index of another network. */
export async function claimNetwork(database: Database, zeroState: Hash): Promise<void> {
  const known = await database.write(async (session) => {
    const fact = await findFact(session, networkFact);
    if (fact === undefined) await setFact(session, networkFact, zeroState);
    return fact ?? zeroState;
  });
  if (known !== zeroState) throw foreignNetwork(known, zeroState);
}

/** Refuses the index of another network; for readers, which may find an empty index. */
export async function checkNetwork(database: Database, zeroState: Hash): Promise<void> {
  const known = await findFact(database, networkFact);
  if (known !== undefined && known !== zeroState) throw foreignNetwork(known, zeroState);
}

function foreignNetwork(known: string, zeroState: Hash): HistoryError {
  const message = `the database belongs to the network with the zero state ${known}, not ${zeroState}`;
  return new HistoryError("history/foreign", message, { data: { known, zeroState } });
}
