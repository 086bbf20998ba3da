import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scannedRowsOf } from "../../../kit/history/countPages.ts";
import { MadeRows } from "../../../kit/history/made/MadeRows.ts";
import { personAt } from "../../../kit/history/made/madeChain.ts";
import { answer } from "../../../kit/history/queryMix.ts";
import { contractHistory, History } from "../../../src/history/queries/kit/History.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { commitBatches } from "../../../src/history/store/write/commit.ts";
import { openFresh } from "../../kit/history/database.ts";
import { repeats } from "../../kit/suite/everything.ts";

const transactions = repeats({ usual: 20_000, all: 40_000 });
const blocksInCommit = 20;
/** Rows of the list, and of what is shown with it: a trace has several transactions, each with messages. */
const maxScanned = 400;

let database: Database;
let history: History;
let scanned = 0;
let middle = "";

beforeAll(async () => {
  database = await openFresh("postgres");
  const rows = new MadeRows(transactions, { hotShare: 0.5 });
  for (let seqno = 1; rows.count < transactions; seqno += blocksInCommit) {
    const batches = Array.from({ length: blocksInCommit }, (_, at) => rows.next(seqno + at));
    await commitBatches(database, batches, { firstSeqno: 1 });
  }
  await database.runAlone("vacuum analyze");
  const [row] = await database.query("select (min(now) + max(now)) / 2 as middle from transactions");
  middle = String(row?.middle);
  const read: Database["read"] = (work, options) =>
    database.read((session) => {
      const query: typeof session.query = async (sql, params = [], own) => {
        scanned = Math.max(scanned, await scannedRowsOf(session, sql, params));
        return session.query(sql, params, own);
      };
      return work({ ...session, query });
    }, options);
  history = new History({ ...contractHistory, timeoutMs: 600_000 }, { database: { read } });
});

afterAll(() => database?.close());

const [busy, second, third] = [personAt(0), personAt(1), personAt(2)];

/** Each operation whose list can be that of an account, with the names of the account and of its other filters. */
const lists: readonly (readonly [path: string, query: Readonly<Record<string, string | readonly string[]>>])[] = [
  ["transactions", { account: busy }],
  ["transactions", { account: [busy, second] }],
  ["transactions", { account: [busy, second, third] }],
  ["messages", { source: busy }],
  ["messages", { destination: busy }],
  ["messages", { source: busy, opcode: "0x0f8a7ea5" }],
  ["actions", { account: busy }],
  ["traces", { account: busy }],
  ["jetton/transfers", { owner_address: busy }],
];

describe("a list of an account with a third of all transactions stops at its limit", () => {
  it.each(lists)("%s %j", async (path, query) => {
    const ranges = [{}, { start_utime: middle }, { end_utime: middle }];
    for (const request of ranges.flatMap((range) => ["desc", "asc"].map((sort) => ({ ...range, sort })))) {
      scanned = 0;
      await answer(history, { path, query: { ...query, ...request, limit: "10" } });
      expect([request, scanned, scanned <= maxScanned]).toEqual([request, scanned, true]);
    }
    expect(scanned).toBeGreaterThan(0);
  });

  it("also with a page of more rows than an account usually has", async () => {
    for (const sort of ["desc", "asc"]) {
      scanned = 0;
      const query = { account: [busy, second, third], start_utime: middle, limit: "500", sort };
      await answer(history, { path: "transactions", query });
      // 500 of each account, some with the same time as the last, and what is shown with those of the page.
      expect([sort, scanned, scanned < 2_000]).toEqual([sort, scanned, true]);
    }
  });
});
