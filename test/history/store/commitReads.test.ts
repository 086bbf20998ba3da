import { afterAll, beforeAll, expect, it } from "vitest";
import { MadeRows } from "../../../bench/kit/MadeRows.ts";
import { commitBatches } from "../../../src/history/store/commit.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { openFresh } from "../../kit/history/database.ts";

const blocksInCommit = 4;
const rows = new MadeRows(24_000);
let database: Database;
let seqno = 1;

beforeAll(async () => {
  database = await openFresh("postgres");
});

afterAll(() => database?.close());

async function commitTimes(count: number): Promise<void> {
  for (let commit = 0; commit < count; commit++, seqno += blocksInCommit) {
    const batches = Array.from({ length: blocksInCommit }, (_, at) => rows.next(seqno + at));
    await commitBatches(database, batches, { firstSeqno: 1 });
  }
}

interface Reads {
  /** Rows that were read by reading a table from its beginning to its end. */
  readonly scanned: number;
  /** Rows that were read because an index named them. */
  readonly fetched: number;
}

/** Rows of each large table that its readers have read so far, partitions together. */
async function readsOfTables(): Promise<ReadonlyMap<string, Reads>> {
  await database.write((session) => session.query("select pg_stat_force_next_flush()"));
  const found = await database.query(
    `select regexp_replace(relname, '_p[0-9]+$', '') as name, sum(seq_tup_read) as scanned,
       sum(coalesce(idx_tup_fetch, 0)) as fetched
     from pg_stat_user_tables where schemaname = current_schema()
     group by 1 having sum(n_live_tup) >= 300 order by 1`,
  );
  return new Map(
    found.map(({ name, scanned, fetched }) => [String(name), { scanned: Number(scanned), fetched: Number(fetched) }]),
  );
}

/** What so many commits read of each table. */
async function readsOf(commits: number): Promise<ReadonlyMap<string, Reads>> {
  const before = await readsOfTables();
  await commitTimes(commits);
  const after = await readsOfTables();
  return new Map(
    [...after].map(([name, { scanned, fetched }]) => {
      const earlier = before.get(name) ?? { scanned: 0, fetched: 0 };
      return [name, { scanned: scanned - earlier.scanned, fetched: fetched - earlier.fetched }];
    }),
  );
}

it("reads as few rows of large tables as of small ones, although nothing was analysed", {
  timeout: 300_000,
}, async () => {
  await commitTimes(2);
  const small = await readsOf(5);
  await commitTimes(40);
  const large = await readsOf(5);
  const read = [...large].filter(([, { scanned }]) => scanned > 0).map(([name]) => name);
  expect(read).toEqual([]);
  const grown = [...large].filter(([name, { fetched }]) => fetched > 3 * (small.get(name)?.fetched ?? 0) + 1_000);
  expect(grown).toEqual([]);
});
