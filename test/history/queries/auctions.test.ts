import { afterAll, beforeAll, expect, it } from "vitest";
import { type AuctionPlace, listAuctions } from "../../../src/history/queries/auctions.ts";
import { contractHistory, History } from "../../../src/history/queries/kit/History.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import * as tables from "../../../src/history/store/schema/tables.ts";
import { zeroHash } from "../../../src/model/Hash.ts";
import { openFresh } from "../../kit/history/database.ts";
import { loadRows } from "../../kit/history/loadRows.ts";
import { auctioned, bidder, loadTokenRows } from "../../kit/history/tokenRows.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const now = 1_600_000_000;
let database: Database;
beforeAll(async () => {
  database = await openFresh("embedded");
  await loadTokenRows(database);
});
afterAll(() => database.close());

const historyAt = (seconds: number) => {
  const clock = new ManualClock(seconds * 1000);
  return new History(contractHistory, { database, clock });
};

function list(limit: number, after?: AuctionPlace) {
  return historyAt(now).read({}, async (reading) => {
    const filter = { bidder, state: "all", now: await reading.now(), after } as const;
    const { auctions, next } = await listAuctions(reading, filter, { limit, offset: 0 }, { withItems: false });
    return { shown: auctions.map(({ row, isFinished }) => [row.domain, isFinished]), next };
  });
}

it("ends at its second, by the clock of the server", async () => {
  const states = (seconds: number) =>
    historyAt(seconds).read({}, async (reading) => {
      const at = await reading.now();
      const of = async (state: "won" | "bidding") => {
        const page = { limit: 10, offset: 0 };
        const { auctions } = await listAuctions(reading, { bidder, state, now: at }, page, { withItems: false });
        return auctions.map(({ row }) => row.domain);
      };
      return { won: await of("won"), bidding: await of("bidding") };
    });
  const [early, late] = ["won-too.ton", "won.ton"];
  expect(await states(now - 1)).toEqual({ won: [], bidding: [early, late, "open.ton"] });
  expect(await states(now)).toEqual({ won: [early, late], bidding: ["open.ton"] });
});

it("comes in pages that add up to the whole", async () => {
  const pages: unknown[] = [];
  let after: AuctionPlace | undefined;
  do {
    const { shown, next } = await list(1, after);
    pages.push(...shown);
    after = next;
  } while (after !== undefined);
  expect(pages).toEqual((await list(10)).shown);
});

it("is left out when its item was destroyed, and its page continues behind it", async () => {
  const gone = {
    ...{ account: auctioned.wonToo, hash: zeroHash, balance: 0n, balanceExtra: undefined, status: "nonexist" as const },
    ...{ timestamp: 5, lastTransHash: zeroHash, lastTransLt: 9n, frozenHash: undefined, dataHash: undefined },
    ...{ codeHash: undefined, dataBoc: undefined },
  };
  await database.write((session) => loadRows(session, tables.latestAccountStates, [gone]));
  const first = await list(1);
  expect(first).toEqual({ shown: [], next: { endAt: BigInt(now), item: auctioned.wonToo } });
  expect((await list(10, first.next)).shown).toEqual([
    ["won.ton", true],
    ["open.ton", false],
  ]);
});

it("uses the time of the newest block where the time of the chain can be moved", async () => {
  const own = new History(
    { ...contractHistory, usesChainTime: true },
    { database, clock: new ManualClock(now * 1000) },
  );
  // An index without blocks has no time of its own.
  expect(await own.read({}, (reading) => reading.now())).toBe(now);
  await database.write(async (session) => {
    await session.query("insert into segments (first_seqno, next_seqno) values (1, 8)");
    await session.query(
      `insert into blocks (workchain, shard, seqno, root_hash, file_hash, mc_block_seqno, global_id, version, after_merge,
         before_split, after_split, want_merge, want_split, key_block, vert_seqno_incr, flags, gen_utime, start_lt, end_lt,
         validator_list_hash_short, gen_catchain_seqno, min_ref_mc_seqno, prev_key_block_seqno, vert_seqno,
         master_ref_seqno, rand_seed, created_by, tx_count, prev_blocks)
       values (-1, (-9223372036854775808)::bigint, 7, '', '', 7, 1, 1, false, false, false, false, false, false, false, 0,
         1234, 1, 2, 0, 0, 0, 0, 0, 0, '', '', 0, '[]')`,
    );
  });
  expect(await own.read({}, (reading) => reading.now())).toBe(1234);
});
