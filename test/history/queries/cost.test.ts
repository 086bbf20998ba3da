import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countPages, type PageCounter, pagesOf } from "../../../kit/history/countPages.ts";
import { answer } from "../../../kit/history/queryMix.ts";
import { contractHistory, History } from "../../../src/history/queries/kit/History.ts";
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

/** No request with several filters may touch more pages, however busy the account is. */
const maxPages = 50_000;
/** One with a single filter is never refused: it may read along a whole list for the few rows that it wants. */
const maxPagesAlone = 3 * hotCount;

let database: Database;

let counter: PageCounter;
let history: History;

beforeAll(async () => {
  database = await openFresh("postgres");
  counter = countPages(database);
  history = new History({ ...contractHistory, timeoutMs: 600_000 }, { database: counter.database });
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

type Values = Readonly<Record<string, string | readonly string[]>>;

/** A filter: values that very many rows have, and values that few or no rows have. */
interface Filter {
  readonly common: Values;
  readonly rare: Values;
}

const one = (name: string, common: string, rare: string): Filter => ({
  common: { [name]: common },
  rare: { [name]: rare },
});
const never = "9".repeat(64);
const lastTime = firstTime + hotCount / 10;
const ranges = [
  { common: { start_utime: "1", end_utime: String(lastTime) }, rare: { start_utime: String(lastTime + 1) } },
  { common: { start_lt: "1", end_lt: String(hotCount * 10) }, rare: { end_lt: "1" } },
];

/** The filters of each operation whose list grows with the chain. */
const operations: Readonly<Record<string, readonly Filter[]>> = {
  transactions: [
    one("workchain", "0", "-1"),
    one("shard", "8000000000000000", "4000000000000000"),
    one("seqno", "5", "999999"),
    one("mc_seqno", "5", "6"),
    one("account", hot, nobody),
    { common: { account: `${hot},${other}` }, rare: { account: `${nobody},${other}` } },
    one("exclude_account", hot, nobody),
    one("hash", never, never),
    one("lt", "50", "7"),
    one("msg_hash", never, never),
    one("body_hash", commonBody, never),
    one("opcode", "0x1", "0x2"),
    { common: { opcode: "0x1", direction: "in" }, rare: { opcode: "0x2", direction: "out" } },
    one("source", other, nobody),
    one("destination", hot, nobody),
    ...ranges,
  ],
  transactionsByMessage: [
    one("msg_hash", never, never),
    one("body_hash", commonBody, never),
    one("opcode", "0x1", "0x2"),
    one("source", other, nobody),
    one("destination", hot, nobody),
    one("direction", "in", "out"),
  ],
  messages: [
    one("msg_hash", never, never),
    one("body_hash", commonBody, never),
    { common: { source: other }, rare: { source: "null" } },
    one("source", other, nobody),
    { common: { destination: hot }, rare: { destination: "null" } },
    one("destination", hot, nobody),
    one("opcode", "0x1", "0x2"),
    one("direction", "in", "out"),
    one("exclude_externals", "true", "true"),
    one("only_externals", "true", "true"),
    ...ranges,
  ],
  traces: [
    one("account", hot, nobody),
    one("trace_id", never, never),
    one("tx_hash", never, never),
    one("msg_hash", never, never),
    one("mc_seqno", "5", "6"),
    ...ranges,
  ],
  actions: [
    one("account", hot, nobody),
    one("tx_hash", never, never),
    one("msg_hash", never, never),
    one("trace_id", never, never),
    one("mc_seqno", "5", "6"),
    one("action_type", "ton_transfer", "auction_bid"),
    { common: { action_type: ["ton_transfer", "jetton_swap"] }, rare: { action_type: ["auction_bid", "dns_renew"] } },
    one("exclude_action_type", "ton_transfer", "auction_bid"),
    one("supported_action_types", "v1", "auction_bid"),
    ...ranges,
  ],
  "jetton/transfers": [
    one("owner_address", hot, nobody),
    one("jetton_wallet", hotWallet, nobody),
    one("jetton_master", hotMaster, nobody),
    one("direction", "in", "out"),
    ...ranges,
  ],
  "jetton/burns": [
    one("address", hot, nobody),
    one("jetton_wallet", hotWallet, nobody),
    one("jetton_master", hotMaster, nobody),
    ...ranges,
  ],
  "nft/transfers": [
    one("owner_address", hot, nobody),
    one("item_address", hotItem, nobody),
    one("collection_address", hotCollection, nobody),
    one("direction", "in", "out"),
    ...ranges,
  ],
  "jetton/wallets": [
    one("address", hotWallet, nobody),
    one("owner_address", hot, nobody),
    { common: { owner_address: [hot, other] }, rare: { owner_address: [nobody, other] } },
    one("jetton_address", hotMaster, nobody),
    { common: { jetton_address: [hotMaster, other] }, rare: { jetton_address: [nobody, other] } },
    one("exclude_zero_balance", "true", "false"),
    one("sort", "desc", "asc"),
  ],
  "nft/items": [
    one("address", hotItem, nobody),
    one("owner_address", hot, nobody),
    { common: { owner_address: [hot, other] }, rare: { owner_address: [nobody, other] } },
    one("collection_address", hotCollection, nobody),
    { common: { collection_address: [hotCollection, other] }, rare: { collection_address: [nobody, other] } },
    one("index", "2", "1"),
    one("include_on_sale", "true", "false"),
    one("sort_by_last_transaction_lt", "true", "false"),
  ],
  blocks: [
    one("workchain", "0", "5"),
    one("shard", "8000000000000000", "4000000000000000"),
    one("seqno", "5", "999999"),
    one("root_hash", never, never),
    one("mc_seqno", "5", "6"),
    ...ranges,
  ],
};

/** Lists that have an order of their own without `sort`. */
const ownOrder = new Set(["jetton/wallets", "nft/items"]);

/** A request reads along one filter: pairs show the cost of another, and sets of three that of two others together. */
const maxTogether = repeats({ usual: 2, all: 3 });

const sizeOf = (set: number): number => set.toString(2).replaceAll("0", "").length;

/** Every set of so many filters, alternating common and rare values. */
function* combine(filters: readonly Filter[], isSorted: boolean): Generator<Values> {
  let pairs = 0;
  for (let set = 0; set < 1 << filters.length; set++) {
    if (sizeOf(set) > maxTogether) continue;
    const isPair = sizeOf(set) > 1;
    if (isPair) pairs++;
    // In the ordinary run a filter alone has both turns, and pairs have one of them by turns.
    for (const turn of someOf([0, 1], (each) => !isPair || each === pairs % 2)) {
      const chosen = filters.map(({ common, rare }, at) => {
        return ((set >> at) & 1) === 0 ? {} : ((set * 7 + at * 3 + turn) & 1) === 0 ? common : rare;
      });
      const sort = isSorted ? { sort: turn === 0 ? "desc" : "asc" } : {};
      yield { ...sort, ...Object.assign({}, ...chosen), limit: "10" };
    }
  }
}

/** Whether a filter of a request is its only one. */
function isAlone(path: string, query: Values, name: string): boolean {
  const others = new Set([name, "limit", ...(ownOrder.has(path) ? [] : ["sort"])]);
  return Object.keys(query).every((each) => others.has(each));
}

/** Whether a request names messages, without which there is no list of their transactions. */
const isOfMessage = (query: Values) => ["msg_hash", "body_hash", "opcode"].some((name) => name in query);

/** The cost of a request; a refused one costs what it read until then. */
async function costOf(path: string, query: Values): Promise<number> {
  counter.take();
  try {
    await answer(history, { path, query });
  } catch (error) {
    // Refusals are valid answers: unknown blocks, contradictory filters.
    if (!isCoded(error, "api/refusal")) throw error;
  }
  return counter.take();
}

/** The items of a page as text. */
async function readItems(path: string, query: Values) {
  const { text, next } = await answer(history, { path, query });
  const page = Object.values(JSON.parse(text))[0];
  return { items: (Array.isArray(page) ? page : []).map((each: unknown) => JSON.stringify(each)), next };
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

  it("behind an offset that a search does not reach is refused with advice", async () => {
    const query = { account: hot, exclude_action_type: "ton_transfer", limit: "10", offset: "5" };
    await expect(answer(history, { path: "actions", query })).rejects.toMatchObject({
      code: "history/unsearched",
      message: expect.stringContaining("X-Next-Cursor"),
    });
  });
});

/** All items of a list, page by page, and the number of pages that were not full although others followed. */
async function walk(path: string, query: Values) {
  const items: string[] = [];
  let short = 0;
  for (let cursor: Values = {}; ; ) {
    const page = await readItems(path, { ...query, limit: "1000", ...cursor });
    items.push(...page.items);
    if (page.next === undefined) return { items, short };
    if (page.items.length < 1000) short++;
    cursor = { cursor: page.next };
  }
}

describe("a page whose search ended early", () => {
  /** An account with one transaction, whose lt is below those of nearly all of the hot one. */
  const quiet = `0:${createHash("sha256").update("account7").digest("hex")}`;

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
    expect([items.length, new Set(items).size]).toEqual([count, count]);
    expect(short).toBeGreaterThan(0);
  });
});
