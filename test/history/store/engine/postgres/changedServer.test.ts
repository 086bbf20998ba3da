import { afterEach, beforeEach, expect, it } from "vitest";
import type { Database } from "../../../../../src/history/store/Database.ts";
import { openPostgres } from "../../../../../src/history/store/engine/postgres/openPostgres.ts";
import { freshUrl, quietModules } from "../../../../kit/history/database.ts";

let url: string;
/** Somebody else who changes the server. */
let admin: Database;
let database: Database;
beforeEach(async () => {
  url = await freshUrl();
  admin = await openPostgres(url, quietModules, { readers: 1 });
  database = await openPostgres(url, quietModules, { readers: 1 });
  await admin.runAlone("create table things (id int primary key)");
});
afterEach(async () => {
  await database.close();
  await admin.close();
});

const insert = (id: number) => database.write((session) => session.run(`insert into things values (${id})`));
const name = () => new URL(url).pathname.slice(1);

it("writes again after a time in which the server accepted only reading", async () => {
  await admin.runAlone(`alter database "${name()}" set default_transaction_read_only = on`);
  await expect(insert(1)).rejects.toMatchObject({
    code: "history/read-only",
    message:
      "a statement: cannot execute INSERT in a read-only transaction; make it writable; writing then continues without a restart",
  });
  await admin.runAlone("set default_transaction_read_only = off");
  await admin.runAlone(`alter database "${name()}" reset default_transaction_read_only`);
  await insert(2);
  expect(await database.query("select id from things")).toEqual([{ id: 2 }]);
});

it("says that tables are missing, and uses them again when they are back", async () => {
  await admin.runAlone("drop table things");
  await expect(database.query("select id from things")).rejects.toMatchObject({
    code: "history/tables",
    message:
      'a statement: relation "things" does not exist; tables were removed or changed: run "tongate db rebuild" ' +
      "and index again",
  });
  await admin.runAlone("create table things (id int primary key)");
  await insert(1);
});

it("reads tables that were created again with other columns", async () => {
  await insert(1);
  expect(await database.query("select * from things")).toEqual([{ id: 1 }]);
  await admin.runAlone("alter table things add column name text");
  await database.query("select * from things").catch(() => {});
  expect(await database.query("select * from things")).toEqual([{ id: 1, name: null }]);
});

it("names the role and the database that lack a right", async () => {
  await admin.runAlone("drop role if exists tongate_stranger; create role tongate_stranger login password 'p'");
  const other = new URL(url);
  other.username = "tongate_stranger";
  other.password = "p";
  const stranger = await openPostgres(other.href, quietModules, { readers: 1 });
  try {
    await expect(stranger.query("select id from things")).rejects.toMatchObject({
      code: "history/denied",
      message:
        "a statement: permission denied for table things; grant the missing privilege; this process retries " +
        `(role tongate_stranger, database ${name()}, server ${other.host})`,
    });
  } finally {
    await stranger.close();
    await admin.runAlone("drop role tongate_stranger");
  }
});
