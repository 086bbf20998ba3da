import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Database } from "../../../../src/history/store/Database.ts";
import { EngineThread } from "../../../../src/history/store/engine/embedded/EngineThread.ts";
import type { EngineStatement, ThreadRequest } from "../../../../src/history/store/engine/embedded/protocol.ts";
import { listSegments } from "../../../../src/history/store/schema/checkpoint.ts";
import * as tables from "../../../../src/history/store/schema/tables.ts";
import type { BatchRows } from "../../../../src/history/store/write/BatchRows.ts";
import { commitBatches } from "../../../../src/history/store/write/commit.ts";
import { openFresh } from "../../../kit/history/database.ts";
import { batchOf, emptyAll, readAll, readTable, rowOf } from "../../../kit/history/databaseRows.ts";

const segment = { firstSeqno: 5 };

/**
 * What a block of an idle network has in the tables, as far as statements differ: own rows, and rows that may exist.
 */
function idleBlock(mcSeqno: number): BatchRows {
  const lt = BigInt(mcSeqno);
  return batchOf(mcSeqno, {
    traceAccounts: [rowOf(tables.traceAccounts, mcSeqno, { endLt: lt })],
    shardState: [rowOf(tables.shardState, mcSeqno)],
    latestAccountStates: [rowOf(tables.latestAccountStates, 1, { lastTransLt: lt, balance: lt })],
    traces: [rowOf(tables.traces, mcSeqno, { startLt: lt })],
  });
}

let database: Database;
beforeAll(async () => {
  database = await openFresh("embedded");
});
afterAll(() => database.close());

const sent: ThreadRequest[] = [];
beforeEach(() => {
  const { send } = EngineThread.prototype;
  vi.spyOn(EngineThread.prototype, "send").mockImplementation(function (this: EngineThread, request) {
    sent.push(request);
    return send.call(this, request);
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await emptyAll(database);
  sent.length = 0;
});

/** The first words of the statements of each message, and which of them the engine keeps. */
function describe(request: ThreadRequest): readonly string[] {
  const name = (statement: EngineStatement): string => {
    const [first = ""] = statement.sql.trim().split(/[\s(]+(?:as|\(|set|\$1)/);
    const words = first.split(/\s+/).slice(0, 3).join(" ");
    return statement.kind === "query" && statement.isKept ? `${words} (kept)` : words;
  };
  if (request.kind === "close") return [];
  return request.kind === "several" ? request.statements.map(name) : [name(request)];
}

it("commits a block of an idle network in three messages to the engine", async () => {
  await commitBatches(database, [idleBlock(5)], segment);
  sent.length = 0;
  await commitBatches(database, [idleBlock(6)], segment);
  expect(sent.map(describe)).toEqual([
    ["begin", "set local enable_seqscan", "select first_seqno, next_seqno (kept)"],
    ["select name, value (kept)"],
    [
      "select make_partitions (kept)",
      "insert into shard_state",
      "insert into latest_account_states",
      "with changed (kept)",
      "update segments (kept)",
      "commit",
    ],
  ]);
  expect(await listSegments(database)).toEqual([{ firstSeqno: 5, nextSeqno: 7 }]);
});

it("undoes a commit whole when a statement fails that nobody waited for", async () => {
  await commitBatches(database, [idleBlock(5)], segment);
  const before = await readAll(database);
  const block = idleBlock(6);
  // Their rows are written once: a second one with the key is an error.
  const broken = { ...block, shardState: [...block.shardState, ...block.shardState] };
  await expect(commitBatches(database, [broken], segment)).rejects.toThrow(/shard_state/);
  expect(await readAll(database)).toEqual(before);
  expect(await listSegments(database)).toEqual([{ firstSeqno: 5, nextSeqno: 6 }]);
  await commitBatches(database, [block], segment);
  expect(await readTable(database, tables.shardState)).toHaveLength(2);
});

it("sends nothing of a transaction whose work fails before its first statement", async () => {
  const failed = database.write(async (session) => {
    session.later?.("insert into segments (first_seqno, next_seqno) values (1, 1)");
    throw new Error("no block");
  });
  await expect(failed).rejects.toThrow("no block");
  expect(sent.map(describe)).toEqual([["rollback"]]);
  expect(await listSegments(database)).toEqual([]);
});
