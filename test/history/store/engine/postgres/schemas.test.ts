import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../../../../src/history/store/Database.ts";
import { findSchema } from "../../../../../src/history/store/engine/postgres/findSchema.ts";
import { openPostgres } from "../../../../../src/history/store/engine/postgres/openPostgres.ts";
import { migrate } from "../../../../../src/history/store/migrate/migrate.ts";
import { claimNetwork } from "../../../../../src/history/store/schema/indexFacts.ts";
import { commitBatches } from "../../../../../src/history/store/write/commit.ts";
import { LibError } from "../../../../../src/lib/errors.ts";
import type { Hash } from "../../../../../src/model/Hash.ts";
import { freshUrl, quietModules } from "../../../../kit/history/database.ts";
import { anyBatch } from "../../../../kit/history/databaseRows.ts";
import { explain, listBroken } from "../../../../kit/history/explain.ts";
import { dumpIndex } from "../../../../kit/history/indexTables.ts";
import { deferred } from "../../../../kit/suite/deferred.ts";
import { someOf } from "../../../../kit/suite/everything.ts";
import { planCases } from "../../../queries/planCases.ts";

const [zero, other] = ["1".repeat(64) as Hash, "2".repeat(64) as Hash];
const awkward = "Net-1.x";

async function open(url: string, schema?: string): Promise<Database> {
  const database = await openPostgres(url, quietModules, { schema });
  await migrate(database, quietModules);
  return database;
}

describe("networks in one database", () => {
  let url: string;
  let red: Database;
  let blue: Database;
  let alone: Database;

  beforeAll(async () => {
    url = await freshUrl();
    [red, blue, alone] = [await open(url, "red"), await open(url, awkward), await open(url)];
  });
  afterAll(() => Promise.all([red, blue, alone].map((database) => database?.close())));

  it("have the same tables and indexes in each schema", async () => {
    const indexes = async (database: Database, schema: string) => {
      const plain = "replace(indexdef, ' ON ONLY ', ' ON ')";
      const sql = `select replace(${plain}, ' ON ' || quote_ident(schemaname) || '.', ' ON ') as text from pg_indexes`;
      const rows = await database.query(`${sql} where schemaname = $1 order by 1`, [schema]);
      return rows.map(({ text }) => String(text));
    };
    const usual = await indexes(alone, "public");
    expect(usual.length).toBeGreaterThan(50);
    expect([await indexes(red, "red"), await indexes(red, awkward)]).toEqual([usual, usual]);
    expect(await migrate(red, quietModules)).toEqual([]);
  });

  it("have the same query plans", async () => {
    const all = Object.values(planCases).flatMap((cases) => Object.values(cases));
    // A schema changes either all names or none: some plans show it.
    for (const promise of someOf(all, (_, at) => at % 5 === 0)) {
      const plan = await explain(blue, promise);
      expect([listBroken(plan, promise), plan]).toEqual([[], plan]);
    }
  });

  it("see only their own rows, however they are written", async () => {
    const [first, second] = [1, 2].map((seqno) => fc.sample(anyBatch(seqno, 6), { numRuns: 1, seed: seqno })[0]);
    if (first === undefined || second === undefined) throw new Error("no rows");
    const options = { firstSeqno: 1 };
    // Copies from the first row on, through temporary tables where rows may already exist.
    await commitBatches(red, [first], options, { copyFrom: 1 });
    const empty = await dumpIndex(blue);
    const filled = await dumpIndex(red);
    expect(Object.values(empty).flat()).toEqual([]);
    expect(Object.values(filled).flat().length).toBeGreaterThan(5);
    expect(await dumpIndex(alone)).toEqual(empty);
    await commitBatches(blue, [first], options, { copyFrom: 1 });
    await commitBatches(blue, [second], options);
    expect(await dumpIndex(red)).toEqual(filled);
    expect((await dumpIndex(blue)).segments).toEqual(["(1,3)"]);
    expect(await dumpIndex(alone)).toEqual(empty);
    expect(await red.read((session) => session.query("select current_schema() as s"))).toEqual([{ s: "red" }]);
  });

  it("are written concurrently, each by one writer", async () => {
    const locks = [await red.lockWriter(), await blue.lockWriter(), await alone.lockWriter()];
    const second = await openPostgres(url, quietModules, { schema: "red" });
    const giveUp = new AbortController();
    const held = deferred();
    const waiting = second.lockWriter(giveUp.signal, held.resolve);
    waiting.catch(() => {});
    await held.promise;
    giveUp.abort(new LibError("lib/aborted", "enough"));
    await expect(waiting).rejects.toThrow("enough");
    await second.close();
    for (const lock of locks) await lock.release();
  });

  it("cannot use a reserved schema", async () => {
    for (const schema of ["public", "pg_toast", 'a"; drop table blocks; --'])
      await expect(openPostgres(url, quietModules, { schema })).rejects.toMatchObject({ code: "history/database" });
  });
});

describe("the schema of a network", () => {
  const find = (url: string, wanted: Partial<Parameters<typeof findSchema>[1]> = {}) =>
    findSchema(url, { name: "red", isShared: true, zeroState: zero, ...wanted }, quietModules);

  it("has its name next to others, and none if it is alone", async () => {
    const url = await freshUrl();
    expect([await find(url), await find(url, { isShared: false })]).toEqual(["red", undefined]);
    expect(await find(url, { name: undefined })).toBeUndefined();
  });

  it("is found by a process that serves only this network", async () => {
    const url = await freshUrl();
    await (await open(url, "red")).close();
    expect([await find(url, { isShared: false }), await find(url, { isShared: false, name: "blue" })]).toEqual([
      "red",
      undefined,
    ]);
  });

  it("does not change when others are added to the database", async () => {
    const url = await freshUrl();
    const before = await open(url);
    await claimNetwork(before, zero);
    await before.close();
    expect([await find(url), await find(url, { zeroState: other }), await find(url, { zeroState: undefined })]).toEqual(
      [undefined, "red", "red"],
    );
  });

  it("is not created again, nor is that right needed, if it exists", async () => {
    const url = await freshUrl();
    const maker = await openPostgres(url, quietModules);
    await maker.runAlone(`create schema "red"`);
    await maker.close();
    const database = await open(url, "red");
    expect(await database.query("select to_regclass('blocks')::text as name")).toEqual([{ name: "blocks" }]);
    await database.close();
  });
});
