import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../../../../src/history/store/Database.ts";
import { openPostgres } from "../../../../../src/history/store/engine/postgres/openPostgres.ts";
import { placements } from "../../../../../src/history/store/migrate/distributeTables.ts";
import { migrate } from "../../../../../src/history/store/migrate/migrate.ts";
import { describeCitus, openCitus } from "../../../../kit/history/cluster/citus.ts";
import { quietModules } from "../../../../kit/history/database.ts";
import { planCasesOf } from "../../../queries/planCases.ts";

describeCitus("a Citus cluster", (url) => {
  let database: Database;
  beforeAll(async () => {
    database = await openCitus("all");
  });
  afterAll(() => database?.close());

  it("is recognised by its coordinator", () => {
    expect(database.layout).toBe("distributed");
  });

  it("refuses a worker, which cannot change the tables", async () => {
    const [worker] = await database.query(
      "select nodename, nodeport from pg_dist_node where groupid <> 0 order by nodeid limit 1",
    );
    const at = new URL(url);
    at.hostname = String(worker?.nodename);
    at.port = String(worker?.nodeport);
    await expect(openPostgres(at.href, quietModules)).rejects.toMatchObject({ code: "history/cluster" });
  });

  it("has every table where its placement says, the tables of a group together", async () => {
    const rows = await database.query(
      `select c.relname::text as name, p.partmethod::text as method,
         case when p.partmethod = 'h' then column_to_column_name(p.logicalrelid, p.partkey) end as column, p.colocationid as together
       from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
       where c.relnamespace = (select oid from pg_namespace where nspname = current_schema()) and c.relkind in ('r', 'p')`,
    );
    const found = new Map(rows.map((row) => [row.name, row]));
    const groups = new Map<string, Set<unknown>>();
    const seen = [...placements].map(([name, placement]) => {
      const row = found.get(name);
      if (placement.kind === "distributed")
        groups.set(placement.group, (groups.get(placement.group) ?? new Set()).add(row?.together));
      return [name, row?.method ?? null, row?.column ?? null];
    });
    const methods = { distributed: "h", reference: "n", local: null };
    expect(seen).toEqual(
      [...placements].map(([name, placement]) => [
        name,
        methods[placement.kind],
        placement.kind === "distributed" ? placement.by : null,
      ]),
    );
    expect([...groups.values()].map((together) => together.size)).toEqual([1, 1]);
  });

  it("needs nothing when its tables are migrated again", async () => {
    expect(await migrate(database, quietModules)).toEqual([]);
  });

  const all = Object.entries(planCasesOf("distributed")).flatMap(([name, forms]) =>
    Object.entries(forms).map(([note, { statement }]) => ({ name: `${name}, ${note}`, statement })),
  );

  it.each(all)("runs $name", async ({ statement: { text, params } }) => {
    expect(await database.read((session) => session.query(text, params))).toBeDefined();
  });

  it("shows one state to the statements of a request while commits go on", async () => {
    const rows = 16;
    const account = (at: number) => `\\x80${at.toString(16).padStart(64, "0")}`;
    const values = (lt: number) =>
      Array.from({ length: rows }, (_, at) => `('${account(at)}', '\\x00', ${lt}, 'active', 1, ${lt})`).join(", ");
    const columns = "account, hash, balance, status, timestamp, last_trans_lt";
    const end =
      "on conflict (account) do update set balance = excluded.balance, last_trans_lt = excluded.last_trans_lt";
    let isOver = false;
    const write = async (): Promise<void> => {
      for (let lt = 1; !isOver; lt++) {
        await database.write(async (session) => {
          await session.run(`insert into latest_account_states (${columns}) values ${values(lt)} ${end}`);
          await session.run(`insert into index_facts (name, value) values ('test', '${lt}')
            on conflict (name) do update set value = excluded.value`);
        });
      }
    };
    const writing = write();
    const seen: unknown[] = [];
    for (let turn = 0; turn < 100; turn++) {
      seen.push(
        ...(await database.read(async (session) => {
          const found = new Set<string>();
          // One account after another, so that the machines are asked at different times.
          for (let at = 0; at < rows; at++) {
            const [row] = await session.query("select balance from latest_account_states where account = $1::bytea", [
              account(at),
            ]);
            found.add(String(row?.balance));
          }
          const [fact] = await session.query("select value from index_facts where name = 'test'");
          found.add(String(fact?.value));
          return found.size === 1 ? [] : [[...found]];
        })),
      );
    }
    isOver = true;
    await writing;
    expect(seen).toEqual([]);
  });
});
