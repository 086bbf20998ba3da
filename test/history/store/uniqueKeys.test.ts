import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../../src/history/store/Database.ts";
import { openFresh } from "../../kit/history/database.ts";

/** The columns by which growing tables can be distributed over several machines. */
const distributed: Readonly<Record<string, string>> = {
  transactions: "account",
  account_states: "account",
  latest_account_states: "account",
  trace_accounts: "account",
  action_accounts: "account",
  messages: "hash",
  traces: "trace_id",
  actions: "trace_id",
  jetton_transfers: "source_wallet",
  jetton_burns: "jetton_wallet",
  nft_transfers: "nft_item",
  jetton_wallets: "address",
  nft_items: "address",
};

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

describe("every unique key", () => {
  it.each(Object.entries(distributed))(
    "of %s contains %s, by which the table can be distributed",
    async (table, column) => {
      expect((await listKeys(table)).length).toBeGreaterThan(0);
      expect(await findLacking(table, column)).toEqual([]);
    },
  );

  it("that lacks the column is found", async () => {
    await database.write((session) => session.run("create unique index wrong on nft_items (id)"));
    expect(await findLacking("nft_items", "address")).toEqual([["id"]]);
  });
});
