import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../../src/history/store/Database.ts";
import { engines, openEmpty } from "../../kit/history/database.ts";

describe.each(engines)("the %s engine", (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await openEmpty(engine);
    await database.runAlone("create table things (id int primary key, name text, data bytea)");
  });
  afterAll(() => database.close());

  it("returns values of every type in one form", async () => {
    const [row] = await database.query(
      `select 1::int2 as a, -2::int4 as b, 9223372036854775807::int8 as c, (2::numeric ^ 255)::numeric(100,0) as d,
       1.5::float8 as e, true as f, 'x'::text as g, '\\x00ff'::bytea as h, '{"n":123456789012345678901}'::jsonb as i,
       null::int as j, '{1,null}'::int[] as k, array['\\x01'::bytea] as l, array['a"b','c\\d,{}','NULL'] as m,
       'null'::jsonb as n, '{}'::int8[] as o, array[1::numeric] as p, 0.25::numeric as q`,
    );
    expect(row).toEqual({
      a: 1,
      b: -2,
      c: 9223372036854775807n,
      d: 2n ** 255n,
      e: 1.5,
      f: true,
      g: "x",
      h: Uint8Array.of(0, 255),
      i: { n: 123456789012345678901n },
      j: null,
      k: [1, null],
      l: [Uint8Array.of(1)],
      m: ['a"b', "c\\d,{}", "NULL"],
      n: null,
      o: [],
      p: [1n],
      q: 0.25,
    });
  });

  it("accepts parameters as text for any type of the statement", async () => {
    const [row] = await database.query(
      `select $1::int8 as a, $2::bytea as b, $3::jsonb as c, $4::bool as d, $5::text[] as e, $6::numeric as f,
       $7::int as g, $8::text as h, $9::bytea[] as i`,
      [5n, Uint8Array.of(1, 2), '{"a":[1]}', false, ["a,b", null, 'q"\\'], 2n ** 200n, 7, null, ["\\x00"]],
    );
    expect(row).toEqual({
      a: 5n,
      b: Uint8Array.of(1, 2),
      c: { a: [1] },
      d: false,
      e: ["a,b", null, 'q"\\'],
      f: 2n ** 200n,
      g: 7,
      h: null,
      i: [Uint8Array.of(0)],
    });
  });

  it("round-trips any text list", async () => {
    const text = fc.string({ unit: "grapheme" }).map((value) => value.replaceAll("\0", ""));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(text)), async (list) => {
        const [row] = await database.query("select $1::text[] as list", [list]);
        expect(row?.list).toEqual(list);
      }),
      { numRuns: 30 },
    );
  });

  it("returns rows of any text and bytes, in pieces of any length", async () => {
    const names = ["", "ascii", "ä€😀", "\u0001\t\n", "x".repeat(9_000)];
    const rows = await database.query(
      `select at, nullif(name, '') as name, convert_to(name, 'UTF8') as data
       from unnest($1::text[]) with ordinality as t(name, at), generate_series(1, 8) order by at`,
      [names],
    );
    const expected = names.map((name, at) => ({
      at: BigInt(at + 1),
      name: name === "" ? null : name,
      data: new TextEncoder().encode(name),
    }));
    expect(rows).toEqual(expected.flatMap((row) => Array(8).fill(row)));
  });

  it("reports a statement that fails after thousands of rows, and goes on", async () => {
    await expect(database.query("select 1 / (5000 - n) as x from generate_series(1, 9000) n")).rejects.toMatchObject({
      data: { state: "22012" },
    });
    expect(await database.query("select n from generate_series(1, 2) n")).toEqual([{ n: 1 }, { n: 2 }]);
    expect(await database.query("select n from generate_series(1, 0) n")).toEqual([]);
  });

  it("commits a transaction completely or not at all", async () => {
    const failed = database.write(async (session) => {
      await session.query("insert into things values (1, 'one', null)");
      throw new Error("enough");
    });
    await expect(failed).rejects.toThrowError("enough");
    await database.write((session) => session.run("insert into things values (2, 'two', null)"));
    expect(await database.query("select id from things")).toEqual([{ id: 2 }]);
    await database.write((session) => session.run("delete from things"));
  });

  it("copies lines into a table", async () => {
    await database.write((session) => session.copy("things", ["id", "name"], "1\ta\\tb\n2\t\\N\n3\tü\n"));
    expect(await database.query("select id, name from things order by id")).toEqual([
      { id: 1, name: "a\tb" },
      { id: 2, name: null },
      { id: 3, name: "ü" },
    ]);
    await database.write((session) => session.run("delete from things"));
  });

  it.each([
    ["a key twice", "1\ta\n1\tb\n"],
    ["no number", "1\ta\nx\tb\n"],
    ["too few columns", "1\n"],
    ["no table", undefined],
  ])("reports a rejected copy: %s", async (_, lines) => {
    const table = lines === undefined ? "nothing" : "things";
    const copied = database.write((session) => session.copy(table, ["id", "name"], lines ?? ""));
    await expect(copied).rejects.toMatchObject({ code: lines === undefined ? "history/tables" : "history/sql" });
    expect(await database.query("select count(*) from things")).toEqual([{ count: 0n }]);
  });

  it("reports a large copy that is rejected in its last line", async () => {
    const lines = Array.from({ length: 50_000 }, (_, id) => `${id % 49_999}\tname\n`).join("");
    const copied = database.write((session) => session.copy("things", ["id", "name"], lines));
    await expect(copied).rejects.toMatchObject({ code: "history/sql" });
    expect(await database.query("select count(*) from things")).toEqual([{ count: 0n }]);
  });

  it("reports an invalid statement with a code", async () => {
    await expect(database.query("selec 1")).rejects.toMatchObject({ code: "history/sql" });
    await expect(database.query("select 1 / $1::int", [0])).rejects.toMatchObject({ code: "history/sql" });
    expect(await database.query("select 1 as one")).toEqual([{ one: 1 }]);
  });

  it("answers concurrent statements, each with its own result", async () => {
    const ask = (value: number) => `select ${value} as value`;
    const answers = await database.read((session) => Promise.all([1, 2, 3].map((value) => session.query(ask(value)))));
    expect(answers).toEqual([[{ value: 1 }], [{ value: 2 }], [{ value: 3 }]]);
  });

  it("returns bytes as text to a reader that requests it, and not to later ones", async () => {
    const query = "select '\\x0aff'::bytea as one, array['\\x01'::bytea] as some";
    const asText = await database.read((session) => session.query(query), { bytesAsText: true });
    const asBytes = await database.read((session) => session.query(query));
    expect([asText, asBytes]).toEqual([
      [{ one: "\\x0aff", some: ["\\x01"] }],
      [{ one: Uint8Array.of(0x0a, 0xff), some: [Uint8Array.of(1)] }],
    ]);
  });

  it("rejects writes in a read transaction", async () => {
    const written = database.read((session) => session.run("insert into things values (9, null, null)"));
    await expect(written).rejects.toMatchObject({ code: "history/read-only" });
  });

  it("shows a reader one snapshot during writes", async () => {
    let written: Promise<void> | undefined;
    const counts = await database.read(async (session) => {
      const before = await session.query("select count(*) from things");
      written = database.write((writer) => writer.run("insert into things values (3, null, null)"));
      if (engine === "postgres") await written;
      return [before, await session.query("select count(*) from things")];
    });
    await written;
    expect(counts).toEqual([[{ count: 0n }], [{ count: 0n }]]);
    expect(await database.query("select count(*) from things")).toEqual([{ count: 1n }]);
  });

  it("lets a second writer wait for the first", async () => {
    const first = await database.lockWriter();
    const gaveUp = new AbortController();
    const impatient = database.lockWriter(gaveUp.signal);
    const patient = database.lockWriter();
    gaveUp.abort();
    await expect(impatient).rejects.toMatchObject({ code: "lib/aborted" });
    const order: string[] = [];
    const second = patient.then((lock) => {
      order.push("second");
      return lock.release();
    });
    await database.query("select 1");
    order.push("first ends");
    await first.release();
    await second;
    expect(order).toEqual(["first ends", "second"]);
    expect(first.lost.aborted).toBe(false);
  });

  it("rejects everything after it is closed", async () => {
    const closed = await openEmpty(engine);
    await closed.close();
    await expect(closed.query("select 1")).rejects.toMatchObject({ code: "history/database" });
    await expect(closed.write((session) => session.run("select 1"))).rejects.toMatchObject({
      code: "history/database",
    });
  });
});
