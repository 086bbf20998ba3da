import { beforeAll, describe, expect, it } from "vitest";
import { beginCell } from "../../../src/cell/Builder.ts";
import { writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { makeLibrary } from "../../../src/cell/exotic.ts";
import type { AccountAfter } from "../../../src/history/ingest/decode/DecodedBatch.ts";
import { AccountQueries } from "../../../src/history/ingest/source/AccountQueries.ts";
import { type RunBlock, StateRunner, type StateRunnerOptions } from "../../../src/history/meaning/StateRunner.ts";
import type { SqlRow } from "../../../src/history/store/Database.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import type { Ledger } from "../../../src/localnet/ledger/Ledger.ts";
import { LocalLiteServer } from "../../../src/localnet/network/LocalLiteServer.ts";
import { type Address, parseAddress } from "../../../src/model/Address.ts";
import type { GetMethodRun } from "../../../src/tvm/Executor.ts";
import { TvmError } from "../../../src/tvm/errors.ts";
import { noExecutor } from "../../kit/chain/openChain.ts";
import { accountNamed, named } from "../../kit/history/traceBlocks.ts";
import { importSplitChain } from "../../kit/localnet/splitChain.ts";

const configContract = parseAddress(`-1:${"5".repeat(64)}`).address;
const stranger = accountNamed("stranger");
const [code, data] = [1, 2].map((n) => beginCell().storeUint(n, 8).cell()) as [Cell, Cell];
const failed = { kind: "failed" };
const answered = { kind: "ok", stack: [] };

let ledger: Ledger;
beforeAll(() => {
  ledger = importSplitChain();
});

function changedTo(address: Address, state: Partial<AccountAfter>): AccountAfter {
  const cell = beginCell().storeBit(false).cell();
  const last = { lastTransHash: named("last"), lastTransLt: 1n, now: 1 };
  return { address, block: ledger.headId, stateHash: cell.hash(), ...last, cell, code, data, ...state };
}

/** A runner that records its runs, over tables with at most one account. */
function openRunner(
  row?: SqlRow,
  run: (getMethodRun: GetMethodRun) => number = () => 0,
  options: StateRunnerOptions = {},
) {
  const runs: GetMethodRun[] = [];
  const looked: unknown[] = [];
  const executor = {
    ...noExecutor,
    runGetMethod: async (getMethodRun: GetMethodRun) => {
      runs.push(getMethodRun);
      return { exitCode: run(getMethodRun), gasUsed: 0n, stack: [], missingLibrary: undefined, log: "" };
    },
  };
  const database = {
    query: async (_sql: string, params?: readonly unknown[]) => {
      looked.push(params?.[0]);
      return row === undefined ? [] : [row];
    },
  };
  const queries = new AccountQueries({ clock: systemClock, random: seededRandom("runner") }, { attempts: 1 });
  const runner = new StateRunner({ server: new LocalLiteServer({ ledger }), executor, queries, database }, options);
  const runBlock: RunBlock = {
    master: ledger.headId,
    keySeqno: 1,
    now: 77,
    signal: new AbortController().signal,
  };
  return { runner, runs, looked, place: runBlock, caller: runner.callerAt(runBlock) };
}

describe("a run on the states of a block", () => {
  it("uses a changed account in its current state first", async () => {
    const { runner, caller, runs, looked } = openRunner();
    runner.put([changedTo(stranger, {})]);
    expect(await caller.ask(stranger, "get_x", [])).toEqual(answered);
    expect(runs.map((run) => [run.code, run.data, run.method, run.now, run.gasLimit])).toEqual([
      [code, data, "get_x", 77, 1_000_000n],
    ]);
    expect(looked).toEqual([]);
    runner.put([changedTo(stranger, { code: undefined })]);
    expect(await caller.ask(stranger, "get_x", [])).toEqual(failed);
  });

  it("reads an account from the tables, once", async () => {
    const boc = writeBoc(code);
    const row = { status: "active", balance: 5n, data_boc: writeBoc(data), boc };
    const { runner, caller, runs, looked } = openRunner(row);
    expect(await caller.ask(stranger, "get_x", [])).toEqual(answered);
    expect(await caller.ask(stranger, "get_y", [])).toEqual(answered);
    expect(runs.map((run) => [run.code.hash(), run.data.hash(), run.balance.coins])).toEqual([
      [code.hash(), data.hash(), 5n],
      [code.hash(), data.hash(), 5n],
    ]);
    expect(looked).toHaveLength(1);
    const [earlier, later] = [changedTo(stranger, {}), changedTo(stranger, {})];
    runner.put([earlier]);
    runner.put([later]);
    runner.forgetCommitted([earlier]);
    await caller.ask(stranger, "get_x", []);
    expect(looked).toHaveLength(1);
    runner.forgetCommitted([later]);
    await caller.ask(stranger, "get_x", []);
    expect(looked).toHaveLength(2);
    expect(runner.counters()).toMatchObject({ runs: 4, accountQueries: 0, configQueries: 1 });
  });

  it("keeps accounts within its size limit", async () => {
    const row = { status: "active", balance: 5n, data_boc: writeBoc(data), boc: writeBoc(code) };
    const { caller, looked } = openRunner(row, () => 0, { accountBytes: 10_000 });
    for (const name of ["one", "two", "two", "three", "two", "one"]) await caller.ask(accountNamed(name), "get_x", []);
    expect(looked).toHaveLength(4);
  });

  it("keeps no account that changed while it was read", async () => {
    const row = { status: "active", balance: 5n, data_boc: writeBoc(data), boc: writeBoc(code) };
    const { runner, caller, looked } = openRunner(row);
    const changed = changedTo(stranger, {});
    const asked = [caller.ask(stranger, "get_x", []), caller.ask(stranger, "get_y", [])];
    runner.put([changed]);
    runner.forgetCommitted([changed]);
    expect(await Promise.all(asked)).toEqual([answered, answered]);
    expect(looked).toHaveLength(1);
    await caller.ask(stranger, "get_x", []);
    expect(looked).toHaveLength(2);
  });

  it("queries a server, once, for an account that the tables lack, existing or not", async () => {
    const { runner, caller, runs } = openRunner();
    expect(await caller.ask(configContract, "seqno", [])).toEqual(answered);
    expect(await caller.ask(configContract, "seqno", [])).toEqual(answered);
    expect(await caller.ask(stranger, "seqno", [])).toEqual(failed);
    expect(await caller.ask(stranger, "seqno", [])).toEqual(failed);
    expect(runs).toHaveLength(2);
    expect(runner.counters()).toMatchObject({ accountQueries: 2, configQueries: 1, failedRuns: 0 });
  });

  it("accepts no result from inactive accounts", async () => {
    const { caller, runs } = openRunner({ status: "frozen", balance: 5n, data_boc: null, boc: null });
    expect(await caller.ask(stranger, "seqno", [])).toEqual(failed);
    expect(runs).toEqual([]);
  });

  it("has no result if the code fails or crashes, and an error if nothing was run", async () => {
    const codes = { get_fail: 11, get_alt: 1 } as Record<string, number>;
    const errors = { get_loop: "tvm/timeout", get_closed: "tvm/closed" } as Record<
      string,
      "tvm/timeout" | "tvm/closed"
    >;
    const { runner, caller } = openRunner(undefined, ({ method }) => {
      const error = errors[method];
      if (error !== undefined) throw new TvmError(error, "as the test wants it");
      return codes[method] ?? 0;
    });
    runner.put([changedTo(stranger, {})]);
    expect(await caller.ask(stranger, "get_fail", [])).toEqual(failed);
    expect(await caller.ask(stranger, "get_alt", [])).toEqual(answered);
    expect(await caller.ask(stranger, "get_loop", [])).toEqual(failed);
    await expect(caller.ask(stranger, "get_closed", [])).rejects.toMatchObject({ code: "tvm/closed" });
    expect(runner.counters()).toMatchObject({ runs: 4, failedRuns: 1 });
  });

  it("loads the configuration again after a block that set it", async () => {
    const { runner, place: runBlock } = openRunner();
    runner.put([changedTo(stranger, {})]);
    for (const keySeqno of [1, 1, 2]) await runner.callerAt({ ...runBlock, keySeqno }).ask(stranger, "get_x", []);
    expect(runner.counters().configQueries).toBe(2);
  });
});

describe("the methods of a code", () => {
  it("are unknown for code without a method dictionary and for a missing library", async () => {
    const { runner, place: runBlock } = openRunner();
    expect(await runner.findMethods(code, runBlock)).toEqual({ ids: undefined });
    const missing = makeLibrary(named("library"));
    expect(await runner.findMethods(missing, runBlock)).toBeUndefined();
    expect(runner.counters().libraryQueries).toBe(1);
  });
});
