import { afterAll, beforeAll, expect, it } from "vitest";
import { scannedRowsOf } from "../../../kit/history/countPages.ts";
import { MadeRows } from "../../../kit/history/made/MadeRows.ts";
import { personAt } from "../../../kit/history/made/madeChain.ts";
import { usePartitions } from "../../../kit/history/retention/usePartitions.ts";
import { jettonTransfersSql } from "../../../src/history/queries/tokenEvents.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { commitBatches } from "../../../src/history/store/write/commit.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import { openFresh } from "../../kit/history/database.ts";

const transactions = 6_000;
const blocksInCommit = 20;
const half = 30_000_000n;

let database: Database;

beforeAll(async () => {
  database = await openFresh("postgres");
  await usePartitions(database, half);
  const rows = new MadeRows(transactions, { hotShare: 0.5 });
  for (let seqno = 1; rows.count < transactions; seqno += blocksInCommit) {
    const batches = Array.from({ length: blocksInCommit }, (_, at) => rows.next(seqno + at));
    await commitBatches(database, batches, { firstSeqno: 1 });
  }
  await database.runAlone("vacuum analyze");
});

afterAll(() => database?.close());

/** Of hundreds of accounts too few have rows to fill a page with one of each. */
it.each(["desc", "asc"] as const)(
  "a page of many accounts reads those that have rows only as far, %s",
  async (sort) => {
    const strangers = Array.from({ length: 400 }, (_, at) => makeAddress(0, at.toString(16).padStart(64, "0")));
    const owners = [...strangers, personAt(0)];
    const { text, params } = jettonTransfersSql({ owners, holders: [], startUtime: 1 }, page, sort);
    const rows = await database.query(text, params);
    expect(rows.length).toBe(page.limit);
    const read = await database.read(async (session) => {
      // So small a table is cheaper to read whole.
      await session.query("set local enable_seqscan = off");
      await session.query("set local enable_bitmapscan = off");
      return scannedRowsOf(session, text, params);
    });
    // Those of the page, and some with the same time as the last of them.
    expect([read, read >= page.limit && read <= 2 * page.limit]).toEqual([read, true]);
  },
);

const page = { limit: 100, offset: 0 };

it("finds the rows of a page that needs more than a first look at each account", async () => {
  const owners = Array.from({ length: 400 }, (_, at) => personAt(at));
  const { text, params } = jettonTransfersSql({ owners, holders: [], startUtime: 1 }, page, "asc");
  const list = owners.map((owner) => `'\\x80${owner.slice(2)}'::bytea`).join();
  const all = await database.query(
    `select t.source_wallet, t.tx_lt from jetton_transfers t
     where not t.tx_aborted and (t.source in (${list}) or t.destination in (${list}))
     order by t.tx_now, t.tx_lt, t.tx_hash limit ${page.limit}`,
  );
  const places = (rows: typeof all) => rows.map((row) => [row.source_wallet, row.tx_lt]);
  expect(all.length).toBe(page.limit);
  expect(places(await database.query(text, params))).toEqual(places(all));
});
