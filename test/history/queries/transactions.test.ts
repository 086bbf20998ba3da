import { afterAll, describe, expect, it } from "vitest";
import type { Page } from "../../../src/history/queries/kit/Page.ts";
import { everyTransaction, listTransactions } from "../../../src/history/queries/transactions.ts";
import { openSplitHistory } from "../../kit/history/indexedChain.ts";

const { database, rows, history } = await openSplitHistory();

afterAll(() => database.close());

const all: Page = { limit: 1000, offset: 0 };

describe("transactions of blocks with a seqno", () => {
  it("are those of all shards and workchains, or of some, in the requested order", async () => {
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

describe("a deep page of a list", () => {
  it("equals that of the whole list", async () => {
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
