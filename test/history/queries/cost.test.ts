import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countPages, type PageCounter, pagesOf } from "../../../kit/history/countPages.ts";
import { answer } from "../../../kit/history/queryMix.ts";
import {
  combineFilters,
  type Filter,
  isOfMessage,
  listFilters,
  ownOrder,
  type Values,
} from "../../../kit/history/v3Filters.ts";
import { contractHistory, History } from "../../../src/history/queries/kit/History.ts";
import { listed } from "../../../src/history/queries/kit/Page.ts";
import { nftItemsSql } from "../../../src/history/queries/nfts.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { actionTypeCode } from "../../../src/history/store/schema/actionTypeCode.ts";
import { isCoded } from "../../../src/lib/errors.ts";
import { openFresh } from "../../kit/history/database.ts";
import {
  commonBody,
  firstTime,
  hot,
  hotCollection,
  hotCount,
  hotItem,
  hotMaster,
  hotWallet,
  loadHotRows,
  nobody,
  other,
  otherCount,
} from "../../kit/history/hotRows.ts";
import { repeats, someOf } from "../../kit/suite/everything.ts";
import "../../kit/suite/longRun.ts";

/** No request with several filters may touch more pages, however busy the account is. */
const maxPages = 50_000;
/** One with a single filter is never refused: it may read along a whole list for the few rows that it wants. */
const maxPagesAlone = 3 * hotCount;

/** Farther than one search reads. */
const deepOffset = 10_503;

let database: Database;

let counter: PageCounter;
/** Its requests count pages, which runs every statement twice. */
let counted: History;
let history: History;

beforeAll(async () => {
  database = await openFresh("postgres");
  counter = countPages(database);
  const options = { ...contractHistory, timeoutMs: 600_000 };
  counted = new History(options, { database: counter.database });
  history = new History(options, { database });
  await loadHotRows(database);
  await scatterActions();
});

/** Makes three actions of the hot account mints: early, in the middle and late. */
async function scatterActions(): Promise<void> {
  const lts = [100, 30_000, hotCount - 10].map((at) => at * 10).join();
  await database.write(async (session) => {
    await session.run(`update actions set type = 'jetton_mint' where trace_end_lt in (${lts})`);
    const code = actionTypeCode("jetton_mint");
    await session.run(`update action_accounts set type_code = ${code} where trace_end_lt in (${lts})`);
  });
}

afterAll(() => database?.close());

const lastTime = firstTime + hotCount / 10;
const operations = listFilters({
  ...{ hot, other, nobody, hotWallet, hotMaster, hotCollection, hotItem, commonBody, lastTime },
  commonOpcode: "0x1",
  shards: ["8000000000000000", "4000000000000000"],
  blocks: [5, 6],
  lt: 50n,
  lastLt: BigInt(hotCount * 10),
});

/** A request reads along one filter: pairs show the cost of another, and sets of three that of two others together. */
const maxTogether = repeats({ usual: 2, all: 3 });

/** Every set of so many filters. */
function* combine(filters: readonly Filter[], isSorted: boolean): Generator<Values> {
  // A filter alone has both turns; sets of filters have one of them by turns.
  const turnsOf = ({ isPair, pairs }: { readonly isPair: boolean; readonly pairs: number }) =>
    isPair ? [pairs % 2] : [0, 1];
  for (const { query, turn } of combineFilters(filters, { maxTogether, turnsOf })) {
    const sort = isSorted ? { sort: turn === 0 ? "desc" : "asc" } : {};
    yield { ...sort, ...query, limit: "10" };
  }
}

/** Whether a filter of a request is its only one. */
function isAlone(path: string, query: Values, name: string): boolean {
  const others = new Set([name, "limit", ...(ownOrder.has(path) ? [] : ["sort"])]);
  return Object.keys(query).every((each) => others.has(each));
}

/** The cost of a request; a refused one costs what it read until then. */
async function costOf(path: string, query: Values): Promise<number> {
  counter.take();
  try {
    await answer(counted, { path, query });
  } catch (error) {
    // Refusals are valid answers: unknown blocks, contradictory filters.
    if (!isCoded(error, "api/refusal")) throw error;
  }
  return counter.take();
}

/** An account with one transaction. */
const quietAccount = (number: number) => `0:${createHash("sha256").update(`account${number}`).digest("hex")}`;

/** Lists that are longer than a deep offset, and whose index has their order. */
const deepLists: [path: string, query: Values][] = [
  ["messages", { destination: hot }],
  ["messages", { source: other, opcode: "0x1" }],
  ["messages", { destination: hot, opcode: "0x1", start_lt: "1000" }],
  ["messages", { opcode: "0x1" }],
  ["messages", { start_utime: "1" }],
  ["messages", {}],
  ["messages", { source: "null" }],
  ["messages", { source: "null", sort: "asc" }],
  ["messages", { source: "null", destination: other }],
  ["messages", { destination: other, sort: "asc" }],
  ["messages", { destination: other, opcode: "0x3" }],
  ["messages", { opcode: "0x3" }],
  ["jetton/transfers", { owner_address: hot, jetton_master: hotMaster }],
  ["jetton/transfers", { owner_address: hot, sort: "asc" }],
  ["jetton/transfers", { owner_address: hot, direction: "in" }],
  ["jetton/transfers", { owner_address: other, start_lt: "1000" }],
  ["nft/items", { owner_address: hot }],
  ["nft/items", { owner_address: hot, collection_address: hotCollection }],
  ["nft/items", { owner_address: hot, sort_by_last_transaction_lt: "true" }],
  ["nft/items", { collection_address: hotCollection }],
  ["jetton/wallets", { jetton_address: hotMaster }],
  ["jetton/wallets", { owner_address: hot }],
];

/** The items of a page. */
async function readItems(path: string, query: Values) {
  const { text, next } = await answer(history, { path, query });
  const page = Object.values(JSON.parse(text))[0];
  return { items: (Array.isArray(page) ? page : []) as readonly unknown[], next };
}

describe("a request", () => {
  it.each(Object.keys(operations))(
    "touches few pages with any filters of %s, on a chain with one very busy account",
    async (path) => {
      const dear: { readonly query: Values; readonly pages: number }[] = [];
      for (const query of combine(operations[path] ?? [], !ownOrder.has(path))) {
        const cost = await costOf(path, query);
        const max = Object.keys(query).some((name) => isAlone(path, query, name)) ? maxPagesAlone : maxPages;
        if (cost > max) dear.push({ query, pages: cost });
      }
      expect(dear).toEqual([]);
    },
    1_200_000,
  );

  it.each(Object.keys(operations))(
    "with a single filter of %s gets a full page, also of more items than a search finds at once",
    async (path) => {
      const incomplete: Values[] = [];
      for (const { common, rare } of operations[path] ?? []) {
        for (const [values, limit] of [common, rare].flatMap(
          (each) =>
            [
              [each, "10"],
              [each, "1000"],
            ] as const,
        )) {
          if (path === "transactionsByMessage" && !isOfMessage(values)) continue;
          const query = { ...values, limit };
          const { items, next } = await readItems(path, query).catch((error: unknown) => {
            if (!isCoded(error, "api/refusal")) throw error;
            return { items: [], next: undefined };
          });
          if (next !== undefined && items.length < Number(limit)) incomplete.push(query);
        }
      }
      expect(incomplete).toEqual([]);
    },
    1_200_000,
  );

  it("without an index would touch more", async () => {
    const unserved = "select t.hash from transactions t where t.account = $1::bytea and t.total_fees = 7 order by t.lt";
    const sql = "set local enable_seqscan = off; set local enable_bitmapscan = off";
    const cost = await database.write(async (session) => {
      await session.run(sql);
      return pagesOf(session, unserved, [`\\x80${hot.slice(2)}`]);
    });
    expect(cost).toBeGreaterThan(maxPages);
  });

  it("of many accounts reads again only those that have rows near the page", async () => {
    const accounts = Array.from({ length: 1_000 }, (_, at) => quietAccount(at + 1));
    const first = `select t.lt from transactions t where t.account = k.key order by t.lt desc limit 1`;
    const once = await database.read((session) =>
      pagesOf(session, `select r.lt from unnest($1::bytea[]) as k(key) cross join lateral (${first}) r`, [
        accounts.map((each) => `\\x80${each.slice(2)}`),
      ]),
    );
    const cost = await costOf("transactions", { account: accounts, limit: "10" });
    expect(once).toBeGreaterThan(2_000);
    expect(cost).toBeLessThan(1.5 * once);
  });

  it("reads a page of the items of several owners in the order of their index, with nothing to sort", async () => {
    const owners = { addresses: [], owners: [hot, other], collections: [], indexes: [] };
    const { text, params } = nftItemsSql(owners, { limit: 1_000, offset: 0 });
    const cost = await database.write(async (session) => {
      // Which sort the planner prefers depends on how many items it expects: without this one it reads all items to
      // sort.
      await session.run("set local enable_incremental_sort = off");
      return pagesOf(session, text, params);
    });
    expect(cost).toBeLessThan(hotCount / 6);
  });

  // Each walks through ten thousand items: the ordinary run tries those that filter, and a list of each table.
  const walked = someOf(deepLists, ([path], at) => deepLists.findIndex((other) => other[0] === path) === at);

  it.each<[path: string, query: Values]>([
    ["actions", { account: hot, exclude_action_type: "ton_transfer" }],
    ["transactions", { account: `${hot},${other}`, exclude_account: hot }],
    ["transactions", { exclude_account: hot, start_lt: "1", end_lt: String(hotCount * 10) }],
    ["messages", { source: other, opcode: "0x1" }],
    ["messages", { destination: hot, exclude_externals: "true", source: other }],
    ["jetton/transfers", { owner_address: hot, jetton_wallet: hotWallet }],
    ["nft/transfers", { owner_address: hot, item_address: hotItem }],
    ...walked,
  ])("behind a deep offset has the items that pages by cursor have there: %s %o", async (path, query) => {
    const { items } = await walk(path, query, deepOffset + 10);
    for (const offset of [2, deepOffset]) {
      const page = await readItems(path, { ...query, limit: "10", offset: String(offset) });
      expect([offset, page.items]).toEqual([offset, items.slice(offset, offset + 10)]);
    }
  });

  it.each(deepLists)("behind a deep offset skips rows in the index alone: %s %o", async (path, query) => {
    const cost = await costOf(path, { ...query, limit: "10", offset: String(deepOffset) });
    expect(cost).toBeLessThan(deepOffset / 4);
  });

  it("whose offset lies behind all that may be searched is refused with advice", () => {
    const page = { limit: 10, offset: 5 };
    expect(() => listed({ rows: [], edge: "cursor" }, { order: [], page }, (row) => row)).toThrow(
      expect.objectContaining({ code: "history/unsearched", message: expect.stringContaining("X-Next-Cursor") }),
    );
  });
});

/**
 * The items of a list, page by page until there are enough, and how many pages were not full although others followed.
 */
async function walk(path: string, query: Values, enough = Number.POSITIVE_INFINITY) {
  const items: unknown[] = [];
  let short = 0;
  for (let cursor: Values = {}; ; ) {
    const page = await readItems(path, { ...query, limit: "1000", ...cursor });
    items.push(...page.items);
    if (page.next === undefined || items.length >= enough) return { items, short };
    if (page.items.length < 1000) short++;
    cursor = { cursor: page.next };
  }
}

describe("a page whose search ended early", () => {
  /** Its lt is below those of nearly all of the hot one. */
  const quiet = quietAccount(7);

  it.each<[path: string, query: Values, count: number]>([
    ["actions", { account: hot, exclude_action_type: "ton_transfer" }, 3],
    ["actions", { exclude_action_type: "ton_transfer", start_utime: "1", end_utime: String(lastTime) }, 3],
    ["actions", { account: hot, exclude_action_type: "ton_transfer", sort: "asc" }, 3],
    ["transactions", { exclude_account: hot, start_lt: "1", end_lt: String(hotCount * 10) }, otherCount],
    ["transactions", { account: `${hot},${quiet}`, exclude_account: hot }, 1],
    ["transactions", { account: `${hot},${other},${quiet}`, exclude_account: hot, sort: "asc" }, 1],
    ["transactions", { exclude_account: hot, destination: hot }, 0],
    ["transactions", { exclude_account: hot, body_hash: commonBody }, 0],
    ["messages", { source: other, destination: "null" }, 0],
    ["jetton/transfers", { owner_address: nobody, jetton_wallet: hotWallet }, 0],
    ["jetton/transfers", { jetton_wallet: hotWallet, jetton_master: nobody, sort: "asc" }, 0],
    ["nft/transfers", { item_address: hotItem, collection_address: nobody }, 0],
  ])("goes on at its cursor: %s %o", async (path, query, count) => {
    const { items, short } = await walk(path, query);
    expect([items.length, new Set(items.map((each) => JSON.stringify(each))).size]).toEqual([count, count]);
    expect(short).toBeGreaterThan(0);
  });
});
