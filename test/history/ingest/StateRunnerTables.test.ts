import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beginCell } from "../../../src/cell/Builder.ts";
import { writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { AccountQueries } from "../../../src/history/ingest/source/AccountQueries.ts";
import { StateRunner } from "../../../src/history/meaning/StateRunner.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import { zeroHash } from "../../../src/model/Hash.ts";
import { noExecutor } from "../../kit/chain/openChain.ts";
import { commitBatch } from "../../kit/history/commitBatch.ts";
import { openFresh } from "../../kit/history/database.ts";
import { batchOf } from "../../kit/history/databaseRows.ts";
import { noEnd } from "../../kit/history/ingestStage.ts";
import { accountNamed, named, transaction, transactionRow } from "../../kit/history/traceBlocks.ts";
import { ScriptedLite } from "../../kit/lite/ScriptedLite.ts";

const account = accountNamed("account");
const [code, data] = [1, 2].map((n) => beginCell().storeUint(n, 8).cell()) as [Cell, Cell];
const changedAt = 7;
let database: Database;

/** An account whose last change is in masterchain block 7. */
beforeAll(async () => {
  database = await openFresh("postgres");
  const traceTransaction = transaction({ name: "last", account, lt: 50n, mcSeqno: changedAt });
  const state = { account, hash: named("state"), balance: 5n, balanceExtra: undefined, status: "active" as const };
  const last = {
    timestamp: 1,
    lastTransHash: traceTransaction.hash,
    lastTransLt: traceTransaction.lt,
    frozenHash: undefined,
  };
  const rows = {
    transactions: [transactionRow(traceTransaction, traceTransaction.hash)],
    latestAccountStates: [{ ...state, ...last, dataHash: data.hash(), codeHash: code.hash(), dataBoc: writeBoc(data) }],
    codes: [{ hash: code.hash(), boc: writeBoc(code), methods: undefined }],
  };
  await commitBatch(database, batchOf(changedAt, rows), { firstSeqno: changedAt });
});

afterAll(() => database.close());

/**
 * Calls the account at a block, with tables that have all changes since another block; returns where its state was
 * read.
 */
async function askedAt(seqno: number, sinceSeqno: number): Promise<"tables" | "server"> {
  const queries = new AccountQueries({ clock: systemClock, random: seededRandom("tables") }, { attempts: 1 });
  // The server has no scripted answers: every query fails.
  const modules = { server: new ScriptedLite([]), executor: noExecutor, queries, database };
  const runner = new StateRunner(modules, { sinceSeqno });
  const master = { workchain: -1, shard: 1n << 63n, seqno, rootHash: zeroHash, fileHash: zeroHash };
  const caller = runner.callerAt({ master, keySeqno: 1, now: 1, signal: noEnd });
  await expect(caller.ask(account, "get_x", [])).rejects.toThrow();
  return runner.counters().accountQueries === 0 ? "tables" : "server";
}

describe("the state of an account whose last change is in the tables", () => {
  it("is read from them at that block and at later ones of the same segment", async () => {
    expect([await askedAt(changedAt, 1), await askedAt(changedAt, changedAt), await askedAt(20, 5)]).toEqual([
      "tables",
      "tables",
      "tables",
    ]);
  });

  it("is fetched from a server at an earlier block", async () => {
    expect(await askedAt(changedAt - 1, 1)).toBe("server");
  });

  it("is fetched from a server after a gap, in which it may have changed", async () => {
    expect(await askedAt(20, changedAt + 1)).toBe("server");
  });
});
