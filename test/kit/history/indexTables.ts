import type { Database } from "../../../src/history/store/Database.ts";
import { allTables } from "../../../src/history/store/migrate/allTables.ts";

/** Tables that do not describe the chain. */
const passing = ["ingest_leases"];

/** Rows of every table as sorted text. */
export async function dumpIndex(
  database: Pick<Database, "query">,
  { without = [] }: { readonly without?: readonly string[] } = {},
): Promise<Record<string, readonly string[]>> {
  const names = allTables.map(({ name }) => name).filter((name) => ![...without, ...passing].includes(name));
  const each = names.map((name, index) => `select ${index} as which, t::text as line from ${name} t`);
  const rows = await database.query(each.join("\nunion all "));
  const lists = names.map((): string[] => []);
  for (const { which, line } of rows) lists[Number(which)]?.push(String(line));
  return Object.fromEntries(names.map((name, index) => [name, lists[index]?.sort() ?? []]));
}
