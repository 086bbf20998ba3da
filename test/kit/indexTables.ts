import type { Database } from "../../src/history/store/Database.ts";
import { tables } from "../../src/history/store/tables.ts";

/** Every table of an index with its rows as text, in an order of their own. */
export async function dumpIndex(
  database: Pick<Database, "query">,
  { without = [] }: { readonly without?: readonly string[] } = {},
): Promise<Record<string, readonly string[]>> {
  const dump: Record<string, readonly string[]> = {};
  for (const { name } of tables) {
    if (without.includes(name)) continue;
    const rows = await database.query(`select t::text as line from ${name} t`);
    dump[name] = rows.map(({ line }) => String(line)).sort();
  }
  return dump;
}
