import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MadeRows } from "../../../../kit/history/made/MadeRows.ts";
import { masterAt, personAt } from "../../../../kit/history/made/madeChain.ts";
import { answer } from "../../../../kit/history/queryMix.ts";
import { usePartitions } from "../../../../kit/history/retention/usePartitions.ts";
import { contractHistory, History } from "../../../../src/history/queries/kit/History.ts";
import type { Database } from "../../../../src/history/store/Database.ts";
import { commitBatches } from "../../../../src/history/store/write/commit.ts";
import { openFresh } from "../../../kit/history/database.ts";
import { someOf } from "../../../kit/suite/everything.ts";

const blocks = 90;
/** Five partitions and more. */
const width = 1n << 24n;
const firstTime = 1_700_000_000;

let database: Database;
let history: History;
let statements: string[] = [];

beforeAll(async () => {
  database = await openFresh("postgres");
  await usePartitions(database, width);
  const rows = new MadeRows(blocks * 100);
  for (let seqno = 1; seqno <= blocks; seqno++) await commitBatches(database, [rows.next(seqno)], { firstSeqno: 1 });
  await database.write(async (session) => {
    // Some shards are ahead: their times are those of the next partition, in both orders.
    await session.run(`
      update transactions set now = now + 9 where lt % 10 = 4;
      update jetton_transfers set tx_now = tx_now + 9 where tx_lt % 10 = 4;
      update jetton_transfers set tx_aborted = true where tx_lt % 14 = 0`);
  });
  await database.runAlone("vacuum analyze");
  const read: Database["read"] = (work, options) =>
    database.read((session) => {
      const query: typeof session.query = (sql, params, own) => {
        if (own?.plan !== "kept") statements.push(sql);
        return session.query(sql, params, own);
      };
      return work({ ...session, query });
    }, options);
  history = new History(contractHistory, { database: { read } });
});

afterAll(() => database?.close());

const accounts = Array.from({ length: 150 }, (_, at) => personAt(at * 2));
const list = accounts.map((each) => `'\\x80${each.slice(2)}'::bytea`).join();

interface Asked {
  readonly path: string;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** The same list as SQL: its rows, and the columns of its order. */
  readonly rows: string;
  readonly order: readonly string[];
}

const transactions = {
  path: "transactions",
  rows: `select t.hash, t.lt, t.now from transactions t where t.account in (${list})`,
};
const transfers = {
  path: "jetton/transfers",
  rows: `select t.tx_hash as hash, t.tx_lt as lt, t.tx_now as now from jetton_transfers t
    where not t.tx_aborted and (t.source in (${list}) or t.destination in (${list}))`,
};
const middle = firstTime + blocks / 2;

const lists: readonly Asked[] = [
  { ...transactions, query: { account: accounts }, order: ["lt"] },
  { ...transactions, query: { account: accounts, start_utime: "1" }, order: ["now", "lt"] },
  {
    ...transactions,
    rows: `${transactions.rows} and t.now >= ${middle - 20} and t.now <= ${middle}`,
    query: { account: accounts, start_utime: String(middle - 20), end_utime: String(middle) },
    order: ["now", "lt"],
  },
  {
    ...transactions,
    rows: `${transactions.rows} and t.lt >= 20000000 and t.lt <= 40000000`,
    query: { account: accounts, start_lt: "20000000", end_lt: "40000000" },
    order: ["lt"],
  },
  {
    ...transactions,
    rows: `${transactions.rows} and t.lt <= 40000000 and t.now >= ${firstTime + 25}`,
    query: { account: accounts, start_utime: String(firstTime + 25), end_lt: "40000000" },
    order: ["now", "lt"],
  },
  {
    ...transactions,
    rows: `${transactions.rows} and t.account <> '\\x80${personAt(0).slice(2)}'::bytea`,
    query: { account: accounts, exclude_account: personAt(0), start_utime: "1" },
    order: ["now", "lt"],
  },
  { ...transfers, query: { owner_address: accounts }, order: ["lt"] },
  { ...transfers, query: { owner_address: accounts, start_utime: "1" }, order: ["now", "lt"] },
  {
    ...transfers,
    rows: `${transfers.rows} and t.tx_now <= ${middle}`,
    query: { owner_address: accounts, end_utime: String(middle) },
    order: ["now", "lt"],
  },
];

async function read(path: string, query: Asked["query"]) {
  const { text, next } = await answer(history, { path, query });
  const [items] = Object.values(JSON.parse(text) as Record<string, readonly Record<string, string>[]>);
  const hashes = (items ?? []).map((each) =>
    Buffer.from(each.hash ?? each.transaction_hash ?? "", "base64").toString("hex"),
  );
  return { hashes, next };
}

/** All rows of a list in its order, as one statement finds them. */
async function expected({ rows, order }: Asked, sort: string): Promise<readonly string[]> {
  const columns = order.map((name) => `${name} ${sort}`).join(", ");
  const found = await database.query(`select encode(hash, 'hex') as hash from (${rows}) t order by ${columns}`);
  return found.map(({ hash }) => String(hash));
}

describe.each(["desc", "asc"])("a list of many accounts in several partitions, %s", (sort) => {
  const numbered = lists.map((each, at) => [at, each.path, each] as const);
  // In the ordinary run the lists take turns at the directions.
  it.each(someOf(numbered, ([at]) => at % 2 === (sort === "desc" ? 0 : 1)))(
    "has all rows in their order, page by page and behind offsets: %i %s",
    async (_at, path, asked) => {
      const all = await expected(asked, sort);
      expect(all.length).toBeGreaterThan(200);
      const walked: string[] = [];
      for (let cursor = {}; ; ) {
        const page = await read(path, { ...asked.query, sort, limit: "97", ...cursor });
        walked.push(...page.hashes);
        if (page.next === undefined) break;
        cursor = { cursor: page.next };
      }
      expect(walked).toEqual(all);
      for (const [offset, limit] of [
        [3, 10],
        [150, 60],
        [all.length - 5, 20],
      ] as const) {
        const page = await read(path, { ...asked.query, sort, limit: String(limit), offset: String(offset) });
        expect([offset, page.hashes]).toEqual([offset, all.slice(offset, offset + limit)]);
      }
    },
  );

  it.each(["transactions", "jetton/transfers"])(
    "is read only from the partitions that a page needs: %s",
    async (path) => {
      const key = path === "transactions" ? "account" : "owner_address";
      const lower = /t\.(?:tx_)?lt < \$/;
      const windowsOf = async (limit: string) => {
        statements = [];
        const { hashes } = await read(path, { [key]: accounts, sort, limit });
        const isPage = (sql: string) => sql.includes("heads_0") && lower.test(sql);
        return [hashes.length, statements.filter(isPage).length];
      };
      expect(await windowsOf("10")).toEqual([10, 1]);
      // Of six partitions one is read, then two, then the others: these have fewer transfers than a page has.
      const whole = path === "transactions" ? [1000, sort === "desc" ? 3 : 2] : [528, 3];
      expect(await windowsOf("1000")).toEqual(whole);
    },
  );

  it.each<[path: string, query: Asked["query"]]>([
    ["transactions", {}],
    ["transactions", { start_utime: "1" }],
    ["jetton/transfers", {}],
    ["jetton/transfers", { jetton_master: masterAt(0), start_utime: "1", limit: "10" }],
  ])("of accounts that have no rows is planned for the first partition alone: %s %o", async (path, query) => {
    const key = path === "transactions" ? "account" : "owner_address";
    const nobody = accounts.map((each) => `${each.slice(0, 2)}9999${each.slice(6)}`);
    statements = [];
    const { hashes } = await read(path, { [key]: nobody, sort, limit: "1000", ...query });
    expect([hashes, statements.filter((sql) => sql.includes("heads_0")).length]).toEqual([[], 1]);
    // Nor are those looked for further that have no rows.
    statements = [];
    const { hashes: found } = await read(path, { [key]: [personAt(0), ...nobody], sort, limit: "1000", ...query });
    expect(found).toEqual((await read(path, { [key]: [personAt(0)], sort, limit: "1000", ...query })).hashes);
    const sent = statements.filter((sql) => sql.includes("heads_")).length;
    expect(sent).toBeLessThan(4);
  });
});
