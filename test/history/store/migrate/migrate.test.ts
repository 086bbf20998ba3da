import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "../../../../src/history/store/Database.ts";
import { allTables } from "../../../../src/history/store/migrate/allTables.ts";
import { listMigrations, type Migration, migrate } from "../../../../src/history/store/migrate/migrate.ts";
import { rebuild } from "../../../../src/history/store/migrate/rebuild.ts";
import { engines, openEmpty, quietModules } from "../../../kit/history/database.ts";

const step = (number: number, sql: string): Migration => ({ number, name: `${number}.sql`, sql });

/** A database that fails each write after its work and before the commit, like a kill. */
function killedInWrite(database: Database): Database {
  const write: Database["write"] = (work) =>
    database.write(async (session) => {
      await work(session);
      throw new Error("killed");
    });
  const { kind } = database;
  const query: Database["query"] = (...args) => database.query(...args);
  return {
    ...database,
    kind,
    query,
    write,
    runAlone: (sql) => database.runAlone(sql),
    lockWriter: () => database.lockWriter(),
  };
}

/** A database with another way to lock it. */
function withLock(database: Database, lockWriter: Database["lockWriter"]): Database {
  const { kind } = database;
  return {
    ...database,
    ...{ kind, lockWriter },
    query: (...args) => database.query(...args),
    write: (work) => database.write(work),
    runAlone: (sql) => database.runAlone(sql),
  };
}

/** The catalog reports `bytea[]` as an array, with another name for its items. */
const arrayNames: Readonly<Record<string, string>> = {
  ...{ _bytea: "bytea[]", _int4: "integer[]", _text: "text[]", _numeric: "numeric[]" },
};

describe.each(engines)("migrations of the %s engine", (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await openEmpty(engine);
  });
  beforeEach(() => database.runAlone("drop schema public cascade; create schema public"));
  afterAll(() => database.close());

  const exists = async (name: string) => {
    const [row] = await database.query("select to_regclass($1) is not null as is_there", [name]);
    return row?.is_there;
  };

  it("make the declared tables, column by column", async () => {
    await migrate(database, quietModules);
    const columns = await database.query(
      `select table_name::text, column_name::text, data_type::text, udt_name::text, is_nullable::text
       from information_schema.columns where table_schema = 'public' and table_name not in ('index_migrations', 'index_writer')
         and table_name not in (select relname from pg_class where relispartition)
       order by table_name, ordinal_position`,
    );
    const found: Record<string, string[]> = {};
    for (const { table_name, column_name, data_type, udt_name, is_nullable } of columns) {
      const type = data_type === "ARRAY" ? arrayNames[String(udt_name)] : data_type;
      const list = found[String(table_name)] ?? [];
      found[String(table_name)] = [...list, `${column_name} ${type}${is_nullable === "YES" ? "" : " not null"}`];
    }
    const declared = allTables.map(({ name, names, columns: kinds }) => [
      name,
      Object.values(kinds).map(({ sql, isNullable }, at) => `${names[at]} ${sql}${isNullable ? "" : " not null"}`),
    ]);
    expect(found).toEqual(Object.fromEntries(declared));
  });

  it("run once", async () => {
    const numbers = listMigrations().map(({ number }) => number);
    expect(await migrate(database, quietModules)).toEqual(numbers);
    expect(await migrate(database, quietModules)).toEqual([]);
  });

  it("continue after a kill", async () => {
    const steps = [step(1, "create table a (x int)"), step(2, "create table b (x int); create table c (x int)")];
    await migrate(database, quietModules, steps.slice(0, 1));
    await expect(migrate(killedInWrite(database), quietModules, steps)).rejects.toThrowError("killed");
    expect([await exists("a"), await exists("b"), await exists("c")]).toEqual([true, false, false]);
    expect(await migrate(database, quietModules, steps)).toEqual([2]);
    expect([await exists("b"), await exists("c")]).toEqual([true, true]);
  });

  it("leave nothing of a failed step", async () => {
    const steps = [step(1, "create table a (x int); create table a (x int)")];
    await expect(migrate(database, quietModules, steps)).rejects.toMatchObject({ code: "history/sql" });
    expect([await exists("a"), await exists("index_migrations")]).toEqual([false, false]);
  });

  it("outside transactions can be repeated", async () => {
    const sql = `-- no transaction: the table is large
create index concurrently if not exists a_by_x on a (x);
-- another one
create index concurrently if not exists a_by_y on a (y, x);
`;
    const steps = [step(1, "create table a (x int, y int)"), step(2, sql)];
    await migrate(database, quietModules, steps.slice(0, 1));
    await expect(migrate(killedInWrite(database), quietModules, steps)).rejects.toThrowError("killed");
    expect(await migrate(database, quietModules, steps)).toEqual([2]);
    expect([await exists("a_by_x"), await exists("a_by_y")]).toEqual([true, true]);
  });

  it("rebuild an index whose creation was interrupted", async () => {
    const sql = "-- no transaction\ncreate unique index concurrently if not exists a_by_x on a (x);\n";
    const steps = [step(1, "create table a (x int); insert into a values (1), (1)"), step(2, sql)];
    await expect(migrate(database, quietModules, steps)).rejects.toMatchObject({ code: "history/sql" });
    await database.runAlone("truncate a");
    expect(await migrate(database, quietModules, steps)).toEqual([2]);
    const rows = await database.query("select indisvalid as is_valid from pg_index where indrelid = 'a'::regclass");
    expect(rows).toEqual([{ is_valid: true }]);
  });

  it("of two processes are run by one of them", async () => {
    const made = await Promise.all([migrate(database, quietModules), migrate(database, quietModules)]);
    expect(made.flat()).toEqual(listMigrations().map(({ number }) => number));
  });

  it("are not waited for when another process has run them and still writes", async () => {
    const lock = await database.lockWriter();
    const waiting = migrate(database, quietModules);
    const numbers = listMigrations().map(({ number }) => number);
    const underLock: Database["lockWriter"] = async () => ({ lost: lock.lost, release: async () => {} });
    expect(await migrate(withLock(database, underLock), quietModules)).toEqual(numbers);
    expect(await waiting).toEqual([]);
    await lock.release();
  });

  it("reject the tables of a newer program", async () => {
    const steps = [step(1, "create table a (x int)"), step(2, "create table b (x int)")];
    await migrate(database, quietModules, steps);
    await expect(migrate(database, quietModules, steps.slice(0, 1))).rejects.toMatchObject({
      code: "history/foreign",
      data: { step: 2, known: 1 },
    });
  });

  it("reject the tables of an older layout, which a rebuild replaces", async () => {
    await migrate(database, quietModules, [
      step(1, "create table transactions (x int); insert into transactions values (1)"),
    ]);
    await expect(migrate(database, quietModules)).rejects.toMatchObject({
      code: "history/foreign",
      message: expect.stringContaining("tongate db rebuild"),
    });
    const numbers = listMigrations().map(({ number }) => number);
    expect(await rebuild(database, quietModules)).toEqual(numbers);
    expect(await rebuild(database, quietModules)).toEqual(numbers);
    expect(await database.query("select count(*) as count from transactions")).toEqual([{ count: 0n }]);
  });

  it("reject tables from another text of a step", async () => {
    await migrate(database, quietModules, [step(1, "create table a (x int)")]);
    await expect(migrate(database, quietModules, [step(1, "create table a (y int)")])).rejects.toMatchObject({
      code: "history/foreign",
    });
  });
});
