import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listRichest } from "../../../../src/history/queries/accounts.ts";
import { listBlocks, listCommittedBlocks } from "../../../../src/history/queries/blocks.ts";
import { contractHistory, History, type HistorySnapshot } from "../../../../src/history/queries/kit/History.ts";
import type { Direction, ListPage, Page } from "../../../../src/history/queries/kit/Page.ts";
import { listMessages } from "../../../../src/history/queries/messages.ts";
import { everyTransaction, listTransactions } from "../../../../src/history/queries/transactions.ts";
import { listTransactionsByMessage } from "../../../../src/history/queries/transactionsByMessage.ts";
import type { Database } from "../../../../src/history/store/Database.ts";
import * as tables from "../../../../src/history/store/schema/tables.ts";
import { makeAddress } from "../../../../src/model/Address.ts";
import type { Hash } from "../../../../src/model/Hash.ts";
import { sameDigits } from "../../../kit/api/v3/v3Stage.ts";
import { openFresh } from "../../../kit/history/database.ts";
import { type ChainRows, indexChain } from "../../../kit/history/indexedChain.ts";
import { loadRows } from "../../../kit/history/loadRows.ts";
import { importSplitChain } from "../../../kit/localnet/splitChain.ts";

let database: Database;
let history: History;
let rows: ChainRows;

beforeAll(async () => {
  database = await openFresh("postgres");
  rows = await indexChain(database, importSplitChain());
  history = new History(contractHistory, { database });
});

afterAll(() => database.close());

const elector = makeAddress(-1, sameDigits("3"));
const config = makeAddress(-1, sameDigits("5"));

type List = (reading: HistorySnapshot, page: Page, sort: Direction) => Promise<ListPage<unknown>>;

const transactions = (filter: object): List => {
  return async (reading, page, sort) =>
    ids(await listTransactions(reading, { ...everyTransaction, ...filter }, page, sort));
};

function ids(list: ListPage<{ readonly row: { readonly hash: Hash } }>): ListPage<unknown> {
  return { items: list.items.map(({ row }) => row.hash), next: list.next };
}

const lists: Readonly<Record<string, List>> = {
  transactions: transactions({}),
  "transactions by time": transactions({ startUtime: 1 }),
  "transactions of an account": transactions({ accounts: [elector] }),
  "transactions of an account by time": transactions({ accounts: [elector], startUtime: 1 }),
  "transactions of accounts": transactions({ accounts: [elector, config] }),
  "transactions of accounts by time": transactions({ accounts: [config, elector], endUtime: 4_000_000_000 }),
  "transactions of a masterchain block": transactions({ mcSeqno: 20 }),
  "transactions by opcode": async (reading, page, sort) =>
    ids(await listTransactionsByMessage(reading, { hashes: [], opcode: -1 }, page, sort)),
  blocks: async (reading, page, sort) => {
    const { items, next } = await listBlocks(reading, {}, page, sort);
    return { items: items.map(({ rootHash }) => rootHash), next };
  },
  "committed blocks": async (reading, page) => {
    const { items, next } = await listCommittedBlocks(reading, 20, page);
    return { items: items.map(({ rootHash }) => rootHash), next };
  },
  messages: async (reading, page, sort) => messageIds(await listMessages(reading, { hashes: [] }, page, sort)),
  "messages by time": async (reading, page, sort) =>
    messageIds(await listMessages(reading, { hashes: [], startUtime: 1 }, page, sort)),
  "outgoing external messages": async (reading, page, sort) =>
    messageIds(await listMessages(reading, { hashes: [], destination: null }, page, sort)),
  "external messages": async (reading, page, sort) =>
    messageIds(await listMessages(reading, { hashes: [], source: null }, page, sort)),
  accounts: async (reading, page) => {
    const { items, next } = await listRichest(reading, page);
    return { items: items.map(({ account }) => account), next };
  },
};

function messageIds({ items, next }: Awaited<ReturnType<typeof listMessages>>): ListPage<unknown> {
  return { items: items.map(({ message: { row } }) => row.hash), next };
}

const ask = (list: List, page: Page, sort: Direction) => history.read({}, (reading) => list(reading, page, sort));

/** The whole list, page by page. */
async function walk(list: List, limit: number, sort: Direction): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  let cursor: string | undefined;
  do {
    const part = await ask(list, { limit, offset: 0, cursor }, sort);
    items.push(...part.items);
    cursor = part.next;
  } while (cursor !== undefined);
  return items;
}

describe.each(Object.entries(lists))("a list of %s", (_name, list) => {
  it.each(["desc", "asc"] as const)("is the same in pages as at once, %s", async (sort) => {
    const whole = await ask(list, { limit: 1000, offset: 0 }, sort);
    expect(whole.next).toBeUndefined();
    expect(whole.items.length).toBeGreaterThan(1);
    expect(await walk(list, Math.max(1, Math.floor(whole.items.length / 4)), sort)).toEqual(whole.items);
  });

  it("continues by offset after a cursor", async () => {
    const whole = await ask(list, { limit: 1000, offset: 0 }, "desc");
    const first = await ask(list, { limit: 1, offset: 0 }, "desc");
    const { items } = await ask(list, { limit: 1, offset: whole.items.length - 2, cursor: first.next }, "desc");
    expect(items).toEqual(whole.items.slice(-1));
  });
});

describe("a cursor", () => {
  it("neither skips nor repeats rows when others are inserted", async () => {
    const list = transactions({ accounts: [elector, config] });
    const whole = await ask(list, { limit: 1000, offset: 0 }, "desc");
    const first = await ask(list, { limit: 7, offset: 0 }, "desc");
    const [newest] = rows.transactions
      .filter(({ account }) => account === elector)
      .sort((one, other) => Number(other.lt - one.lt));
    if (newest === undefined) throw new Error("the elector has transactions");
    const later = [1n, 2n, 3n].map((more) => ({
      ...newest,
      lt: newest.lt + 1_000_000n * more,
      hash: more.toString().repeat(64) as Hash,
    }));
    await database.write((session) => loadRows(session, tables.transactions, later));
    const second = await ask(list, { limit: 1000, offset: 0, cursor: first.next }, "desc");
    expect([...first.items, ...second.items]).toEqual(whole.items);
    expect((await ask(list, { limit: 1000, offset: 0 }, "desc")).items).toHaveLength(whole.items.length + 3);
  });

  it("is rejected by a list of another order, and if it is malformed", async () => {
    const { next } = await ask(transactions({}), { limit: 1, offset: 0 }, "desc");
    const mutated = (values: readonly unknown[]) => Buffer.from(JSON.stringify(values)).toString("base64url");
    const [name] = JSON.parse(Buffer.from(next ?? "", "base64url").toString()) as [string];
    const all = transactions({});
    const cursors: (readonly [List, string | undefined])[] = [
      [transactions({ startUtime: 1 }), next],
      [all, ""],
      [all, "!"],
      [all, mutated([])],
      [all, mutated([name, "1"])],
      [all, mutated([name, "1", "\\x"]).slice(0, -3)],
      [all, mutated([name, "1; drop table transactions", "\\x00"])],
      [all, mutated([name, "9223372036854775808", "\\x00"])],
      [all, mutated([name, null, "\\x00"])],
      [all, mutated([name, 1, "\\x00"])],
    ];
    const ofBlocks = lists.blocks ?? all;
    const { next: place } = await ask(ofBlocks, { limit: 1, offset: 0 }, "desc");
    const values = JSON.parse(Buffer.from(place ?? "", "base64url").toString()) as readonly string[];
    const beyond = values
      .slice(1)
      .map((_, at) => values.map((each, own) => (own === at + 1 ? "4294967296000000000000" : each)));
    const inEach = values.slice(1).map((_, at) => values.map((each, own) => (own === at + 1 ? "4294967296" : each)));
    cursors.push(...beyond.map((each) => [ofBlocks, mutated(each)] as const));
    // A 64-bit column accepts values that a 32-bit column rejects; neither is a database error.
    for (const each of inEach) {
      await ask(ofBlocks, { limit: 1, offset: 0, cursor: mutated(each) }, "desc").catch((error: unknown) =>
        expect(error).toMatchObject({ code: "history/request" }),
      );
    }
    for (const [list, cursor] of cursors) {
      await expect(ask(list, { limit: 1, offset: 0, cursor }, "desc")).rejects.toMatchObject({
        code: "history/request",
      });
    }
  });
});
