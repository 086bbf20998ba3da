import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MadeRows } from "../../../kit/history/made/MadeRows.ts";
import { answer, type MixedChain, makeMix } from "../../../kit/history/queryMix.ts";
import { listPartitioned } from "../../../kit/history/retention/partitionedTables.ts";
import { contractHistory, History } from "../../../src/history/queries/kit/History.ts";
import { dropOld } from "../../../src/history/retention/dropOld.ts";
import { listSealable } from "../../../src/history/seal/listSealable.ts";
import { type Partition, placeOf } from "../../../src/history/seal/Partition.ts";
import { sealPartition } from "../../../src/history/seal/sealPartition.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { openPostgres } from "../../../src/history/store/engine/postgres/openPostgres.ts";
import { setFact } from "../../../src/history/store/schema/indexFacts.ts";
import { commitBatches } from "../../../src/history/store/write/commit.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { copyUrl, freshUrl, quietModules } from "../../kit/history/database.ts";
import { openTransactionPooler, type TransactionPooler } from "../../kit/history/postgres/transactionPooler.ts";
import { someOf } from "../../kit/suite/everything.ts";

/** Where the first partition ends: those after it are by weight. */
const edge = 1n << 42n;
/** A block has a million logical times and a hundred transactions: so many transactions have 2^24 logical times. */
const weight = 1_700;
const grain = 1n << 24n;
const firstSeqno = Number(edge / 1_000_000n) - 5;
/** Four partitions, and a part of the next one. */
const blocks = 6 + 67 + 11;
const after = 4;
const { signal } = new AbortController();

let template: string;
let database: Database;
let pooler: TransactionPooler | undefined;
let chain: MixedChain;
let rows: MadeRows;

beforeAll(async () => {
  template = await freshUrl("all");
  const made = await openPostgres(template, quietModules);
  await made.write((session) => setFact(session, "partition_weight", String(weight)));
  rows = new MadeRows((blocks + 1) * 100);
  for (let at = 0; at < blocks; at += 2) {
    const batches = [rows.next(firstSeqno + at), rows.next(firstSeqno + at + 1)];
    await commitBatches(made, batches, { firstSeqno });
  }
  chain = { accounts: rows.accounts, transactions: rows.count, blocks, firstBlock: firstSeqno };
  await made.close();
});

async function openChain(): Promise<void> {
  database = await openPostgres(await copyUrl(template), quietModules, { readers: 4 });
}

/** The same behind a pooler, which is closed after the database. */
async function openPooled(): Promise<void> {
  pooler = await openTransactionPooler(await copyUrl(template), 6);
  database = await openPostgres(pooler.url, quietModules, { readers: 4 });
}

async function closeChain(): Promise<void> {
  await database?.close();
  await pooler?.close();
  pooler = undefined;
}

const seal = (partition: Partition, attempt = "a", own: Pick<Database, "query" | "write"> = database) =>
  sealPartition({ database: own, clock: systemClock, signal }, partition, { attempt, tries: 50, waitMs: 10 });

async function listPlaces(table: string): Promise<readonly number[]> {
  const found = await database.query("select place from partition_places($1) as place order by partition_from(place)", [
    table,
  ]);
  return found.map(({ place }) => Number(place));
}

/** The rows of all partitioned tables, in any order. */
async function digestAll(): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const name of await listPartitioned(database)) {
    const [row] = await database.query(
      `select count(*) as count, md5(string_agg(md5(t::text), '' order by md5(t::text))) as digest from ${name} t`,
    );
    found[name] = row;
  }
  return found;
}

async function askAll(): Promise<Record<string, unknown>> {
  const history = new History(contractHistory, { database });
  const answers: Record<string, unknown> = {};
  for (const [name, make] of Object.entries(makeMix(chain, undefined)))
    answers[name] = JSON.parse((await answer(history, make())).text);
  return answers;
}

const small = Array.from({ length: 5 }, (_, at) => placeOf(edge + BigInt(at) * grain, 24));
const merged = placeOf(edge, 26);

describe("partitions by weight", () => {
  beforeAll(openChain);
  afterAll(() => database?.close());

  it("are as wide as their number of transactions needs, for every table", async () => {
    for (const table of await listPartitioned(database))
      expect([table, await listPlaces(table)]).toEqual([table, [0, ...small]]);
    const [row] = await database.query(`select count(*) as count from transactions_p${small[3]}`);
    expect(Number(row?.count)).toBeGreaterThan(weight * 0.9);
    expect(Number(row?.count)).toBeLessThan(weight * 1.1);
  });

  it("are the same for several processes that need one at the same time, and fit between others", async () => {
    const lt = edge + 40n * grain + 5n;
    const make = (lts: readonly bigint[]) =>
      database.write((session) => session.query("select make_partitions($1::bigint[])", [lts.map(String)]));
    await Promise.all([make([lt]), make([lt]), make([lt + 1n])]);
    expect((await listPlaces("messages")).slice(6)).toEqual([placeOf(edge + 40n * grain, 24)]);
    // A range that would be wider than its neighbour leaves it alone.
    await database.write((session) => setFact(session, "partition_weight", String(weight * 9)));
    await make([lt + grain]);
    expect((await listPlaces("messages")).slice(7)).toEqual([placeOf(edge + 41n * grain, 24)]);
    await make([lt + 16n * grain]);
    expect((await listPlaces("messages")).slice(8)).toEqual([placeOf(edge + 56n * grain, 27)]);
  });

  it("are of a fixed width where they are not merged", async () => {
    await database.write(async (session) => {
      await session.run("delete from index_facts where name = 'partition_weight'");
      await session.query("select make_partitions($1::bigint[])", [[String(edge * 5n)]]);
    });
    expect((await listPlaces("messages")).at(-1)).toBe(5);
  });
});

const ways = [
  ["a server of its own", openChain],
  ["a pooler", openPooled],
] as const;

// What holds when each statement may reach another session holds with a server alone.
describe.each(someOf(ways, ([, open]) => open === openPooled))(
  "four finished partitions by weight, over %s",
  (_over, open) => {
    beforeEach(open);
    afterEach(closeChain);

    it("are merged into one with the same rows and answers", async () => {
      const before = [await digestAll(), await askAll()];
      const tables = await listPartitioned(database);
      const sealable = await listSealable(database, { after });
      expect(new Set(sealable.filter(({ place }) => place !== 0).map(({ parent }) => parent))).toEqual(new Set(tables));
      for (const partition of sealable) expect([partition, await seal(partition)]).toEqual([partition, true]);
      expect([await digestAll(), await askAll()]).toEqual(before);
      for (const table of tables)
        expect([table, await listPlaces(table)]).toEqual([table, [0, merged, ...small.slice(4)]]);
      expect(await listSealable(database, { after })).toEqual([]);
      const [row] = await database.query("select count(*) as count from sealed_partitions");
      expect(row).toEqual({ count: BigInt(2 * tables.length) });
      expect(await database.query("select relname from pg_class where relname ~ '_p[0-9]+_copy$'")).toEqual([]);
    });

    it("are merged again with others, with the same indexes", async () => {
      const indexesOf = async (table: string) => {
        const found = await database.query(
          `select regexp_replace(pg_get_indexdef(indexrelid), '^.* USING | WITH \\([^)]*\\)', '', 'g') as made
         from pg_index where indrelid = to_regclass($1) order by made`,
          [table],
        );
        return found.map(({ made }) => made);
      };
      const before = await digestAll();
      const partitions = (await listSealable(database, { after })).filter(({ place }) => place === merged);
      for (const partition of partitions) {
        const { parent } = partition;
        const indexes = await indexesOf(parent);
        expect(await seal(partition)).toBe(true);
        const wide = {
          ...partition,
          to: edge + 8n * grain,
          place: placeOf(edge, 27),
          sources: [merged, small[4] ?? 0],
        };
        expect([parent, await seal(wide, "b")]).toEqual([parent, true]);
        expect([parent, await listPlaces(parent)]).toEqual([parent, [0, wide.place]]);
        expect([parent, await indexesOf(`${parent}_p${wide.place}`)]).toEqual([parent, indexes]);
      }
      expect(partitions.length).toBeGreaterThan(5);
      expect(await digestAll()).toEqual(before);
    });

    it("are not merged before the next blocks came, nor when history is kept for a short time", async () => {
      const listMerged = async (options: Parameters<typeof listSealable>[1]) =>
        (await listSealable(database, options)).filter(({ sources }) => sources.length > 1).length;
      const tables = await listPartitioned(database);
      expect(await listMerged({ after: 12 })).toBe(0);
      expect(await listMerged({ after, keptSeconds: 16 * 60 })).toBe(0);
      expect(await listMerged({ after, keptSeconds: 16 * 75 })).toBe(tables.length);
    });

    it("keep a row that changes while they are copied", async () => {
      const [partition] = (await listSealable(database, { after })).filter(
        ({ parent, place }) => parent === "messages" && place === merged,
      );
      if (partition === undefined) throw new Error("messages cannot be merged");
      let count = 0;
      const write: Database["write"] = async (work) => {
        const done = await database.write(work);
        count += 1;
        // After the copy, in the last of the merged partitions.
        if (count === 2)
          await database.write((session) => session.run(`update messages_p${small[3]} set out_index = 77`));
        return done;
      };
      const query: Database["query"] = (...args) => database.query(...args);
      expect(await seal(partition, "a", { query, write })).toBe(false);
      const changed = await digestAll();
      expect(await seal(partition, "b")).toBe(true);
      expect(await digestAll()).toEqual(changed);
    });

    it("take further blocks and are removed while only some tables are merged", async () => {
      const sealable = await listSealable(database, { after });
      for (const partition of sealable.filter(({ parent }) => parent === "transactions")) await seal(partition);
      const next = firstSeqno + blocks;
      await commitBatches(database, [rows.next(next)], { firstSeqno });
      expect(await listPlaces("transactions")).toEqual([0, merged, small[4]]);
      expect(await listPlaces("messages")).toEqual([0, ...small]);
      // A time within the merged partition: what is older than it goes, and nothing of it.
      expect(await dropOld(database, 1_700_000_000 + firstSeqno + 40)).toBe(firstSeqno + 6);
      expect(await listPlaces("transactions")).toEqual([merged, small[4]]);
      expect(await listPlaces("messages")).toEqual(small);
      expect(await dropOld(database, 1_700_000_000 + firstSeqno + 78)).toBe(firstSeqno + 73);
      expect(await listPlaces("transactions")).toEqual([small[4]]);
      expect(await listPlaces("messages")).toEqual([small[4]]);
    });
  },
);
