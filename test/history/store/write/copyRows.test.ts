import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database, SqlSession } from "../../../../src/history/store/Database.ts";
import { allTables } from "../../../../src/history/store/migrate/allTables.ts";
import * as columns from "../../../../src/history/store/schema/columns.ts";
import { insertText } from "../../../../src/history/store/schema/insertText.ts";
import { type Columns, type Row, readRow, type Table, table } from "../../../../src/history/store/schema/Table.ts";
import { copyRows } from "../../../../src/history/store/write/copyRows.ts";
import { toHex } from "../../../../src/lib/bytes.ts";
import type { Address } from "../../../../src/model/Address.ts";
import type { Hash } from "../../../../src/model/Hash.ts";
import { enginesOfTables, openFresh } from "../../../kit/history/database.ts";
import { anyRows } from "../../../kit/history/databaseRows.ts";
import { repeats } from "../../../kit/suite/everything.ts";

const hash = "0123456789abcdef".repeat(4) as Hash;

/** A column of each kind. */
const kinds = table("kinds", {
  int4: columns.int4,
  int53: columns.int53,
  int8: columns.int8,
  shard: columns.shard,
  amount: columns.amount,
  double: columns.double,
  bool: columns.bool,
  hash: columns.hash,
  address: columns.address,
  bytes: columns.bytes,
  hashes: columns.hashes,
  addresses: columns.addresses,
  ints: columns.ints,
  int8s: columns.int8s,
  texts: columns.texts,
  text: columns.text(),
  json: columns.json(),
  absent: columns.nullable(columns.text()),
});

/** Values at the ends of their types, and texts that need care. */
const extremes: readonly Row<typeof kinds>[] = [
  {
    ...{ int4: -(2 ** 31), int53: Number.MIN_SAFE_INTEGER, int8: -(2n ** 63n), shard: 2n ** 63n, amount: 0n },
    ...{ double: -1e-300, bool: false, hash, address: `0:${hash}` as Address, bytes: new Uint8Array() },
    ...{ hashes: [], addresses: [], ints: [], int8s: [], texts: [], text: "", json: null, absent: undefined },
  },
  {
    ...{ int4: 2 ** 31 - 1, int53: Number.MAX_SAFE_INTEGER, int8: 2n ** 63n - 1n, shard: 2n ** 64n - 1n },
    ...{ amount: 2n ** 256n, double: 1e300, bool: true, hash, address: `-1:${hash}` as Address },
    ...{ bytes: Uint8Array.of(0, 255), hashes: [hash, hash], addresses: [`12345:${hash}` as Address] },
    ...{ ints: [0, -1, 7], int8s: [-1n, 2n ** 62n], texts: ["", 'a"b\\', "ü😀\0"], text: "a\tb\nc\\d\re\0ü😀" },
    ...{ json: { a: "x\\y\u0000\ud800", n: 2n ** 70n, list: [1, null, { b: "ü😀" }] }, absent: "here" },
  },
  ...[1n, 9_999n, 10_000n, 10_001n, 100_000_000n, -1n, -10_000n, 123_456_789_012_345_678_901n].map((amount, at) => ({
    ...{ int4: at, int53: 2 ** 32 + at, int8: BigInt(at), shard: BigInt(at), amount, double: at / 3, bool: true, hash },
    ...{ address: `0:${hash}` as Address, bytes: new Uint8Array(3_000), hashes: [hash], addresses: [], ints: [at] },
    ...{ int8s: [BigInt(at)], texts: ["x".repeat(70_000)], text: "😀".repeat(30_000), json: [at], absent: undefined },
  })),
];

async function insert(session: SqlSession, name: string, of: Table, rows: readonly object[]): Promise<void> {
  const names = of.names.map((each) => `"${each}"`).join(", ");
  if (rows.length > 0) await session.run(`insert into ${name} (${names}) values ${insertText(of, rows)}`);
}

async function copy(session: SqlSession, name: string, of: Table, rows: readonly object[], max: number) {
  for (const bytes of copyRows(of, rows, max)) if (bytes !== undefined) await session.copyBinary(name, of.names, bytes);
}

/**
 * Writes rows into two tables without keys, as literals and by COPY; returns what each has, in the order of writing.
 */
function writeBoth(database: Database, of: Table<Columns>, rows: readonly object[], max = 1_000) {
  const defined = of.names.map((name, at) => `"${name}" ${Object.values(of.columns)[at]?.sql}`).join(", ");
  return database.write(async (session) => {
    for (const name of ["inserted", "copied"])
      await session.run(`create temporary table ${name} ("nth" serial, ${defined}) on commit drop`);
    await insert(session, "inserted", of, rows);
    await copy(session, "copied", of, rows, max);
    const read = async (name: string) =>
      (await session.query(`select * from ${name} order by nth`)).map((row) => readRow(of, row));
    return { inserted: await read("inserted"), copied: await read("copied") };
  });
}

describe.each(enginesOfTables)("rows that COPY brings into the %s engine in its binary format", (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await openFresh(engine);
  });
  afterAll(() => database.close());

  it.each(allTables.map(({ name }) => name))("equal those of an INSERT, for any rows of %s", async (name) => {
    const of = allTables.find((each) => each.name === name) as Table<Columns>;
    await fc.assert(
      fc.asyncProperty(anyRows(of, 6), async (rows) => {
        const { inserted, copied } = await writeBoth(database, of, rows);
        expect(copied).toEqual(inserted);
        expect(copied).toEqual(rows);
      }),
      { numRuns: repeats({ usual: 2, all: 6 }) },
    );
  });

  it("equal those of an INSERT at the ends of every type", async () => {
    const { inserted, copied } = await writeBoth(database, kinds, extremes, 200_000);
    expect(copied).toEqual(inserted);
    expect(copied.map(({ amount }) => amount)).toEqual(extremes.map(({ amount }) => amount));
    expect(copied.map(({ int53 }) => int53)).toEqual(extremes.map(({ int53 }) => int53));
  });

  it("are none when the bytes are cut", async () => {
    const [bytes = new Uint8Array()] = copyRows(kinds, extremes.slice(0, 1), 1_000);
    for (const length of [0, 10, 25, bytes.length - 3]) {
      const cut = database.write(async (session) => {
        await session.run("create temporary table kinds (int4 integer, int53 bigint) on commit drop");
        await session.copyBinary("kinds", ["int4", "int53"], bytes.subarray(0, length));
      });
      await expect(cut).rejects.toMatchObject({ code: "history/sql" });
    }
  });
});

describe("the bytes of COPY", () => {
  const numbers = table("numbers", { id: columns.int4, name: columns.nullable(columns.text()) });
  const header = `${toHex(Buffer.from("PGCOPY\n"))}ff0d0a00${"00000000".repeat(2)}`;
  const rows = [
    { id: 1, name: "ab" },
    { id: -1, name: undefined },
    { id: 3, name: "" },
  ];
  const first = "0002 00000004 00000001 00000002 6162".replaceAll(" ", "");
  const second = "0002 00000004 ffffffff ffffffff".replaceAll(" ", "");
  const third = "0002 00000004 00000003 00000000".replaceAll(" ", "");
  const piecesOf = (max: number) => Array.from(copyRows(numbers, rows, max), (bytes) => bytes && toHex(bytes));

  it("are a header, the fields of each row and a trailer", () => {
    expect(piecesOf(1_000)).toEqual([`${header}${first}${second}${third}ffff`]);
  });

  it("come in pieces of whole rows, each with header and trailer", () => {
    expect(piecesOf(36)).toEqual([`${header}${first}${second}ffff`, `${header}${third}ffff`]);
    expect(piecesOf(1)).toEqual([first, second, third].map((each) => `${header}${each}ffff`));
  });

  it("are made in steps, which do not change them", () => {
    const many = Array.from({ length: 20_000 }, (_, id) => ({ id, name: "x".repeat(100) }));
    const steps = Array.from(copyRows(numbers, many, 1_000_000), (bytes) => bytes?.length ?? 0);
    expect(steps.filter((length) => length > 0)).toEqual([8_772, 8_772, 2_456].map((count) => count * 114 + 21));
    expect(steps.length).toBeGreaterThan(60);
  });

  it("are none without rows", () => {
    expect([...copyRows(numbers, [], 1_000)]).toEqual([]);
  });
});
