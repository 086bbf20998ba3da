import type { Database } from "../../../src/history/store/Database.ts";
import { allTables } from "./allTables.ts";

/** Every table of an index with its rows as text, in an order of their own. */
export async function dumpIndex(
  database: Pick<Database, "query">,
  { without = [] }: { readonly without?: readonly string[] } = {},
): Promise<Record<string, readonly string[]>> {
  const names = allTables.map(({ name }) => name).filter((name) => !without.includes(name));
  const each = names.map((name, index) => `select ${index} as which, t::text as line from ${name} t`);
  const rows = await database.query(each.join("\nunion all "));
  const lists = names.map((): string[] => []);
  for (const { which, line } of rows) lists[Number(which)]?.push(String(line));
  return Object.fromEntries(names.map((name, index) => [name, lists[index]?.sort() ?? []]));
}
