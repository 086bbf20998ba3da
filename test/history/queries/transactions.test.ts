import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contractHistory, History } from "../../../src/history/queries/History.ts";
import type { Page } from "../../../src/history/queries/Page.ts";
import {
  commonBodySql,
  everyTransaction,
  listTransactions,
  type MessageSideFilter,
  mostFound,
  transactionsByMessageSql,
} from "../../../src/history/queries/transactions.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { readRow } from "../../../src/history/store/Table.ts";
import { transactions } from "../../../src/history/store/tables.ts";
import { openFresh } from "../../kit/database.ts";
import { type ChainRows, indexChain, type TransactionRow } from "../../kit/indexedChain.ts";
import { importSplitChain } from "../../kit/splitChain.ts";
import { sameDigits } from "../../kit/v3Stage.ts";

let database: Database;
let rows: ChainRows;
let history: History;

beforeAll(async () => {
  database = await openFresh("embedded");
  rows = await indexChain(database, importSplitChain());
  history = new History(contractHistory, { database });
}, 300_000);

afterAll(() => database?.close());

const all: Page = { limit: 1000, offset: 0 };

function byLt(one: TransactionRow, other: TransactionRow): number {
  return one.lt < other.lt ? -1 : one.lt > other.lt ? 1 : one.account < other.account ? -1 : 1;
}

describe("transactions by a body", () => {
  const ask = async (filter: MessageSideFilter, page: Page, way: "found" | "walked") => {
    const { text, params } = transactionsByMessageSql(filter, page, "asc", way);
    return (await database.query(text, params)).map((row) => readRow(transactions, row).hash);
  };

  it("are the same, found from the messages or walked along", async () => {
    const bodies = [...new Set(rows.messages.map(({ bodyHash }) => bodyHash))].slice(0, 40);
    for (const bodyHash of bodies) {
      for (const direction of [undefined, "in", "out"] as const) {
        for (const page of [all, { limit: 3, offset: 2 }]) {
          const filter = { hashes: [], bodyHash, direction };
          expect(await ask(filter, page, "walked")).toEqual(await ask(filter, page, "found"));
        }
      }
    }
  });

  it("are those at both ends of its messages", async () => {
    for (const { bodyHash } of rows.messages.slice(0, 20)) {
      const meant = rows.messages.filter((message) => message.bodyHash === bodyHash);
      const [received, sent] = [meant.map(({ hash }) => hash), meant.map(({ outTxHash }) => outTxHash)];
      const ends = rows.transactions.filter(
        ({ hash, inMsgHash }) => sent.includes(hash) || (inMsgHash !== undefined && received.includes(inMsgHash)),
      );
      const expected = ends.toSorted(byLt).map(({ hash }) => hash);
      expect(await ask({ hashes: [], bodyHash }, all, "found")).toEqual(expected);
    }
  });

  it("are walked along from a number of messages on", async () => {
    const isCommon = async () => {
      const { text, params } = commonBodySql(sameDigits("e"));
      return (await database.query(text, params)).length > 0;
    };
    const add = (from: number, to: number) =>
      database.write((session) =>
        session.run(`insert into messages (hash, body_hash, created_lt)
          select decode(lpad(to_hex(i), 64, '0'), 'hex'), decode('${sameDigits("e")}', 'hex'), i
          from generate_series(${from}, ${to}) i`),
      );
    await add(1, mostFound - 1);
    expect(await isCommon()).toBe(false);
    await add(mostFound, mostFound);
    expect(await isCommon()).toBe(true);
  });
});

describe("transactions of blocks with a number", () => {
  it("are those of all shards and chains, or of some, in the order asked for", async () => {
    for (const seqno of [1, 14, 16, 20]) {
      for (const workchain of [undefined, -1, 0]) {
        for (const sort of ["asc", "desc"] as const) {
          const filter = { ...everyTransaction, seqno, workchain };
          const { items } = await history.read({}, (reading) => listTransactions(reading, filter, all, sort));
          const expected = rows.transactions
            .filter((row) => row.blockSeqno === seqno && (workchain ?? row.blockWorkchain) === row.blockWorkchain)
            .map(({ lt }) => lt)
            .toSorted((a, b) => (a < b === (sort === "asc") ? -1 : a === b ? 0 : 1));
          expect(items.map(({ row }) => row.lt)).toEqual(expected);
        }
      }
    }
  });

  it("come page by page, by offset and by cursor", async () => {
    const filter = { ...everyTransaction, seqno: 16 };
    const read = (page: Page) => history.read({}, (reading) => listTransactions(reading, filter, page, "desc"));
    const hashes = (await read(all)).items.map(({ row }) => row.hash);
    expect(hashes.length).toBeGreaterThan(2);
    let cursor: string | undefined;
    for (let offset = 0; offset < hashes.length; offset += 2) {
      const expected = hashes.slice(offset, offset + 2);
      expect((await read({ limit: 2, offset })).items.map(({ row }) => row.hash)).toEqual(expected);
      const part = await read({ limit: 2, offset: 0, cursor });
      expect(part.items.map(({ row }) => row.hash)).toEqual(expected);
      cursor = part.next;
    }
  });
});

describe("a part far down a list", () => {
  it("is the same as that of the whole list", async () => {
    const [busiest] = rows.transactions.map(({ account }) => account);
    const accounts = busiest === undefined ? [] : [busiest];
    for (const filter of [
      everyTransaction,
      { ...everyTransaction, accounts },
      { ...everyTransaction, startUtime: 1 },
    ]) {
      const read = (page: Page) => history.read({}, (reading) => listTransactions(reading, filter, page, "desc"));
      const hashes = (await read(all)).items.map(({ row }) => row.hash);
      const part = await read({ limit: 5, offset: 7 });
      expect(part.items.map(({ row }) => row.hash)).toEqual(hashes.slice(7, 12));
    }
  });
});
