import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assembleTraces } from "../../../src/history/ingest/traces/assembleTraces.ts";
import { traceOf } from "../../../src/history/ingest/traces/storedTraces.ts";
import { type OpenTrace, TraceMemory } from "../../../src/history/ingest/traces/TraceMemory.ts";
import { makeActionRows } from "../../../src/history/meaning/actionRows.ts";
import { classifyStored } from "../../../src/history/meaning/classifyStored.ts";
import { Interpreter } from "../../../src/history/meaning/Interpreter.ts";
import { KnownEntities } from "../../../src/history/meaning/KnownEntities.ts";
import { makeLargeRows } from "../../../src/history/meaning/largeTraces.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import type { TraceRow } from "../../../src/history/store/schema/tables.ts";
import * as tables from "../../../src/history/store/schema/tables.ts";
import type { Address } from "../../../src/model/Address.ts";
import { zeroHash } from "../../../src/model/Hash.ts";
import { commitBatch } from "../../kit/history/commitBatch.ts";
import { openFresh } from "../../kit/history/database.ts";
import { batchOf, readTable } from "../../kit/history/databaseRows.ts";
import { noEnd } from "../../kit/history/ingestStage.ts";
import { accountNamed, message, named, noConfig, transaction, transactionRow } from "../../kit/history/traceBlocks.ts";

const [one, two, three] = ["one", "two", "three"].map(accountNamed) as [Address, Address, Address];
const step = (number: number, account: Address) =>
  transaction({
    name: `t${number}`,
    account,
    lt: BigInt(number),
    mcSeqno: 5,
    received: message(`m${number}`, one, account),
  });
const stored = [step(1, one), step(2, two), step(3, one), step(4, two)];
const traceId = named("t1");

const row: TraceRow = {
  ...{ traceId, externalHash: named("m1"), externalHashNorm: undefined, mcSeqnoStart: 5, mcSeqnoEnd: 6 },
  ...{ startLt: 1n, startUtime: 1001, endLt: 5n, endUtime: 1005, state: "complete" },
  ...{ edges: 5, nodes: 5, pendingEdges: 0, classificationState: "unclassified" },
};

let database: Database;
beforeAll(async () => {
  database = await openFresh("postgres");
  const transactions = stored.map((each) => transactionRow(each, traceId));
  await commitBatch(database, batchOf(5, { transactions }), { firstSeqno: 5 });
});
afterAll(() => database.close());

const reported = { traceId, traceEndLt: 5n, traceEndUtime: 1005 };

describe("a trace with more transactions than the limit", () => {
  it("is one unknown event with the first of them, found by all its accounts", async () => {
    const open: OpenTrace = {
      row,
      seen: [step(4, two), step(5, three)],
      isWhole: false,
      isInScope: true,
      mayHaveParent: false,
    };
    const rows = await makeLargeRows(database, open, 2);
    expect(rows.state).toBe("failed");
    expect(rows.actions).toMatchObject([
      {
        ...reported,
        ...{ actionId: traceId, type: "unknown", transactions: [named("t1"), named("t2")], accounts: [one, two] },
        ...{ startLt: 1n, endLt: 5n, startUtime: 1001, endUtime: 1005, success: true },
      },
    ]);
    expect(rows.actionAccounts.map(({ account }) => account)).toEqual([one, two]);
    expect(rows.traceAccounts.toSorted((a, b) => (a.account < b.account ? -1 : 1))).toEqual(
      [one, two, three].toSorted().map((account) => ({ account, endLt: 5n, traceId, endUtime: 1005 })),
    );
  });

  it("has the same rows if all of it is in memory", async () => {
    const many = Array.from({ length: 20_001 }, (_, at) => step(at + 1, at % 2 === 0 ? one : two));
    const { state, actions, traceAccounts } = makeActionRows(
      traceOf(row, many),
      new KnownEntities("testnet", new Map()).facts,
    );
    expect([state, actions.map(({ type }) => type), actions[0]?.transactions.length]).toEqual([
      "failed",
      ["unknown"],
      20_000,
    ]);
    expect(traceAccounts.map(({ account }) => account)).toEqual([one, two]);
  });

  it("does not block the classification of others, and its messages are not read", async () => {
    const asked: string[] = [];
    const query = async (sql: string) => {
      asked.push(sql);
      return [];
    };
    const runner = {
      put: () => {},
      findMethods: async () => undefined,
      callerAt: () => ({ ask: async () => ({ kind: "failed" }) as const }),
      getConfig: async () => noConfig,
      fetchState: async () => undefined,
    };
    const interpreter = new Interpreter({ database: { query }, runner, network: "testnet", maxTransactions: 1 });
    const sent = message("m2", one, two);
    const transactions = [
      transaction({
        name: "t1",
        account: one,
        lt: 1n,
        mcSeqno: 5,
        received: message("m1", undefined, one),
        sent: [sent],
      }),
      transaction({ name: "t2", account: two, lt: 2n, mcSeqno: 5, received: sent }),
      transaction({ name: "t3", account: three, lt: 3n, mcSeqno: 5, received: message("m3", undefined, three) }),
    ];
    const place = {
      master: { workchain: -1, shard: 1n << 63n, seqno: 5, rootHash: zeroHash, fileHash: zeroHash },
      ...{ keySeqno: 0, now: 1, signal: noEnd },
    };
    const assembled = assembleTraces(new TraceMemory(), { mcSeqno: 5, transactions, normalized: new Map() });
    const rows = await interpreter.interpret({ runBlock: place, transactions, accounts: [], step: assembled });
    expect(rows.traces.map((each) => [each.traceId, each.classificationState])).toEqual([
      [named("t1"), "failed"],
      [named("t3"), "ok"],
    ]);
    expect(rows.actions.map((each) => [each.traceId, each.transactions])).toEqual([
      [named("t1"), [named("t1")]],
      [named("t3"), [named("t3")]],
    ]);
    expect(asked.filter((sql) => /from messages|message_contents/.test(sql))).toEqual([]);
  });

  it("is classified when segments are joined in it", async () => {
    const joined: TraceRow = { ...row, nodes: 20_001 };
    await commitBatch(database, batchOf(6, { traces: [joined] }), { firstSeqno: 5 });
    expect(await classifyStored(database, "testnet", noEnd)).toBe(1);
    const [trace] = await readTable(database, tables.traces);
    expect(trace).toEqual({ ...joined, classificationState: "failed" });
    expect((await readTable(database, tables.actions)).map(({ type, transactions }) => [type, transactions])).toEqual([
      ["unknown", stored.map(({ hash }) => hash)],
    ]);
  });
});
