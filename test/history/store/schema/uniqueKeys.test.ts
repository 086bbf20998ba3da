import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../../../src/history/store/Database.ts";
import { allTables } from "../../../../src/history/store/migrate/allTables.ts";
import { placements } from "../../../../src/history/store/migrate/distributeTables.ts";
import { columnName } from "../../../../src/history/store/schema/Table.ts";
import { openFresh } from "../../../kit/history/database.ts";

/** The columns by which the tables of a cluster are distributed. */
const distributed = [...placements].flatMap(([name, placement]): [string, string][] =>
  placement.kind === "distributed" ? [[name, placement.by]] : [],
);

/** Lists whose writers write each row once, together with rows of tables that have keys. */
const keyless = new Set(["trace_accounts", "action_accounts"]);

let database: Database;
beforeAll(async () => {
  database = await openFresh("postgres");
});
afterAll(() => database?.close());

/** The unique keys of a table, each as its columns. */
async function listKeys(table: string): Promise<readonly (readonly string[])[]> {
  const rows = await database.query(
    `select array(
       select a.attname::text from unnest(i.indkey) with ordinality k(number, place)
       join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number and k.number > 0
       where k.place <= i.indnkeyatts order by k.place
     ) as columns
     from pg_index i where i.indrelid = $1::regclass and i.indisunique`,
    [table],
  );
  return rows.map(({ columns }) => columns as readonly string[]);
}

async function findLacking(table: string, column: string): Promise<readonly (readonly string[])[]> {
  return (await listKeys(table)).filter((columns) => !columns.includes(column));
}

describe("every table", () => {
  const keyed = allTables.filter(({ name }) => !keyless.has(name));

  it.each(keyed)("$name has its declared key", async ({ name, key }) => {
    expect(await listKeys(name)).toContainEqual(key.map(columnName));
  });

  it("has the partitions that are declared", async () => {
    const rows = await database.query(
      `select c.relname::text as name, a.attname::text as by
       from pg_partitioned_table p join pg_class c on c.oid = p.partrelid
       join pg_attribute a on a.attrelid = c.oid and a.attnum = p.partattrs[0] order by 1`,
    );
    const declared = allTables.flatMap(({ name, retention }) =>
      retention.kind === "partitioned" ? [{ name, by: columnName(retention.by) }] : [],
    );
    expect(declared).toEqual(rows);
  });
});

describe("every unique key", () => {
  it.each(distributed)("of %s contains %s, by which the table is distributed on a cluster", async (table, column) => {
    expect((await listKeys(table)).length > 0).toBe(!keyless.has(table));
    expect(await findLacking(table, column)).toEqual([]);
  });

  it("without the column is detected", async () => {
    await database.write((session) => session.run("create unique index wrong on nft_items (id)"));
    expect(await findLacking("nft_items", "address")).toEqual([["id"]]);
  });
});
