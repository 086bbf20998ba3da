import { afterAll, beforeAll, expect, it } from "vitest";
import { MadeRows } from "../../../../kit/history/made/MadeRows.ts";
import { joinSegments } from "../../../../src/history/ingest/joinSegments.ts";
import type { Database } from "../../../../src/history/store/Database.ts";
import type { Segment } from "../../../../src/history/store/schema/checkpoint.ts";
import { listSegments } from "../../../../src/history/store/schema/checkpoint.ts";
import { commitBatches } from "../../../../src/history/store/write/commit.ts";
import { openFresh } from "../../../kit/history/database.ts";
import { repeats } from "../../../kit/suite/everything.ts";

const blocksInCommit = 4;
const rows = new MadeRows(24_000);
let database: Database;
let seqno = 1;

beforeAll(async () => {
  database = await openFresh("postgres");
});

afterAll(() => database?.close());

async function commitTimes(count: number, firstSeqno = 1): Promise<void> {
  for (let commit = 0; commit < count; commit++, seqno += blocksInCommit) {
    const batches = Array.from({ length: blocksInCommit }, (_, at) => rows.next(seqno + at));
    await commitBatches(database, batches, { firstSeqno });
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
  const rows = await database.query(
    `select regexp_replace(relname, '_p[0-9]+$', '') as name, sum(seq_tup_read) as scanned,
       sum(coalesce(idx_tup_fetch, 0)) as fetched
     from pg_stat_user_tables where schemaname = current_schema()
     group by 1 having sum(n_live_tup) >= 300 order by 1`,
  );
  return new Map(
    rows.map(({ name, scanned, fetched }) => [String(name), { scanned: Number(scanned), fetched: Number(fetched) }]),
  );
}

/** What work reads of each table. */
async function readsOf(work: () => Promise<unknown>): Promise<ReadonlyMap<string, Reads>> {
  const before = await readsOfTables();
  await work();
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
  const small = await readsOf(() => commitTimes(5));
  await commitTimes(repeats({ usual: 16, all: 40 }));
  const large = await readsOf(() => commitTimes(5));
  const read = [...large].filter(([, { scanned }]) => scanned > 0).map(([name]) => name);
  expect(read).toEqual([]);
  const grown = [...large].filter(([name, { fetched }]) => fetched > 3 * (small.get(name)?.fetched ?? 0) + 1_000);
  expect(grown).toEqual([]);
});

it("joins segments without reading a table from its beginning to its end", { timeout: 300_000 }, async () => {
  const [earlier] = (await listSegments(database)) as [Segment];
  await commitTimes(2, earlier.nextSeqno);
  const [, later] = (await listSegments(database)) as [Segment, Segment];
  const reads = await readsOf(() => database.write((session) => joinSegments(session, earlier, later)));
  expect(await listSegments(database)).toEqual([{ firstSeqno: 1, nextSeqno: seqno }]);
  expect([...reads].filter(([, { scanned }]) => scanned > 0)).toEqual([]);
  // The later segment has a small part of the messages.
  const [row] = await database.query("select count(*) as count from messages");
  expect(reads.get("messages")?.fetched).toBeLessThan(Number(row?.count) / 10);
});
