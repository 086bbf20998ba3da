import { afterAll, describe, expect, it } from "vitest";
import type { Page } from "../../../src/history/queries/kit/Page.ts";
import { everyTransaction } from "../../../src/history/queries/transactions.ts";
import {
  listTransactionsByMessage,
  type MessageSideFilter,
  type MessageWay,
  maxFound,
  transactionsByMessageSql,
  wayOf,
} from "../../../src/history/queries/transactionsByMessage.ts";
import { readRow } from "../../../src/history/store/schema/Table.ts";
import { transactions } from "../../../src/history/store/schema/tables.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { sameDigits } from "../../kit/api/v3/v3Stage.ts";
import { openSplitHistory, type TransactionRow } from "../../kit/history/indexedChain.ts";

const { database, rows, history } = await openSplitHistory();

afterAll(() => database.close());

const all: Page = { limit: 1000, offset: 0 };
const messageWay: MessageWay = { kind: "found" };

function byLt(one: TransactionRow, other: TransactionRow): number {
  return one.lt < other.lt ? -1 : one.lt > other.lt ? 1 : one.account < other.account ? -1 : 1;
}

/** The transactions that received or sent messages with this body, computed from the rows. */
function endsOf(bodyHash: Hash): readonly Hash[] {
  const meant = rows.messages.filter((message) => message.bodyHash === bodyHash);
  const [received, sent] = [meant.map(({ hash }) => hash), meant.map(({ outTxHash }) => outTxHash)];
  const ends = rows.transactions.filter(
    ({ hash, inMsgHash }) => sent.includes(hash) || (inMsgHash !== undefined && received.includes(inMsgHash)),
  );
  return ends.toSorted(byLt).map(({ hash }) => hash);
}

const bodies = () => [...new Set(rows.messages.map(({ bodyHash }) => bodyHash))].slice(0, 40);

async function ask(message: MessageSideFilter, page: Page, way: MessageWay): Promise<readonly Hash[]> {
  const { text, params } = transactionsByMessageSql({ transactions: everyTransaction, message }, page, "asc", way);
  return (await database.query(text, params)).map((row) => readRow(transactions, row).hash);
}

/** Adds messages with this body that no transaction received or sent; `first` is the number of the first. */
function addMessages(body: Hash, first: number, count: number): Promise<void> {
  return database.write((session) =>
    session.run(`insert into messages (lt, hash, body_hash, created_lt, body)
      select i, decode(lpad(to_hex(i), 64, '0'), 'hex'), decode('${body}', 'hex'), i, ''
      from generate_series(${first}, ${first + count - 1}) i`),
  );
}

describe("transactions by a body", () => {
  it("are those at both ends of its messages", async () => {
    for (const bodyHash of bodies().slice(0, 20))
      expect(await ask({ hashes: [], bodyHash }, all, messageWay)).toEqual(endsOf(bodyHash));
  });

  it("are the same from the messages or from a scan", async () => {
    const enough: MessageWay = { kind: "walked", max: rows.transactions.length };
    for (const bodyHash of bodies()) {
      for (const direction of [undefined, "in", "out"] as const) {
        for (const page of [all, { limit: 3, offset: 2 }]) {
          const filter = { hashes: [], bodyHash, direction };
          const expected = await ask(filter, page, messageWay);
          expect(await ask(filter, page, { kind: "walked", max: maxFound })).toEqual(expected);
          expect(await ask(filter, page, enough)).toEqual(expected);
        }
      }
    }
  });

  it("are found among the first transactions by a limited scan", async () => {
    const max = Math.floor(rows.transactions.length / 2);
    const near = new Set(
      rows.transactions
        .toSorted(byLt)
        .slice(0, max)
        .map(({ hash }) => hash),
    );
    for (const bodyHash of bodies()) {
      const walked = await ask({ hashes: [], bodyHash }, all, { kind: "walked", max });
      expect(walked).toEqual(endsOf(bodyHash).filter((hash) => near.has(hash)));
    }
  });

  it("are found by messages or by a scan, depending on the number of messages", async () => {
    const body = sameDigits("e");
    const way = () => history.read({}, (reading) => wayOf(reading, { hashes: [], bodyHash: body }));
    await addMessages(body, 1, 500);
    expect(await way()).toEqual(messageWay);
    await addMessages(body, 501, 1);
    expect(await way()).toEqual({ kind: "walked", max: 501 });
    await addMessages(body, 502, maxFound - 502);
    expect(await way()).toEqual({ kind: "walked", max: maxFound - 1 });
    await addMessages(body, maxFound, 1);
    expect(await way()).toEqual({ kind: "walked", max: maxFound });
  });

  it("are complete page by page, whether the limited scan was enough or not", async () => {
    const counts = bodies().map((bodyHash) => ({ bodyHash, hashes: endsOf(bodyHash) }));
    const [commonest] = counts.toSorted((a, b) => b.hashes.length - a.hashes.length);
    if (commonest === undefined) throw new Error("no message has a body");
    const { bodyHash, hashes } = commonest;
    await addMessages(bodyHash, 1_000_000, 600);
    for (const limit of [1, 2, 1000]) {
      const parts: Hash[] = [];
      let cursor: string | undefined;
      do {
        const page = { limit, offset: 0, cursor };
        const part = await history.read({}, (reading) =>
          listTransactionsByMessage(reading, { hashes: [], bodyHash }, page, "asc"),
        );
        parts.push(...part.items.map(({ row }) => row.hash));
        cursor = part.next;
      } while (cursor !== undefined);
      expect(parts).toEqual(hashes);
    }
  });
});
