import { afterAll, describe, expect, it } from "vitest";
import { beginCell, emptyCell } from "../../src/cell/Builder.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { storeCell } from "../../src/cell/codec.ts";
import { makeLibrary } from "../../src/cell/exotic.ts";
import { makeAddress } from "../../src/model/Address.ts";
import { zeroHash } from "../../src/model/Hash.ts";
import { VmStack, type VmStackValue } from "../../src/model/vm/VmStack.ts";
import type { GetMethodRun, TransactionRun } from "../../src/tvm/Executor.ts";
import { type LiveExecutor, openExecutor } from "../../src/tvm/run/openExecutor.ts";
import { runTrace } from "../../src/tvm/run/trace.ts";
import {
  drop,
  makeActiveAccount,
  makeCode,
  makeExternalMessage,
  makeGetMethodRun,
  makeSendingCode,
  readSmallConfig,
  testAddress,
  testNow,
} from "../kit/tvm/tvmValues.ts";

/** Each look at this clock takes `lookMs`, so that a slice of any run takes time. */
function tickingClock(lookMs: number) {
  let nowMs = 0;
  return {
    monotonic: () => {
      nowMs += lookMs;
      return nowMs;
    },
  };
}

const executors: LiveExecutor[] = [];
async function open(lookMs = 0.25): Promise<LiveExecutor> {
  const executor = await openExecutor({}, { clock: tickingClock(lookMs) });
  executors.push(executor);
  return executor;
}
afterAll(() => Promise.all(executors.map((executor) => executor.close())));

const config = readSmallConfig();
const short = makeGetMethodRun(makeCode(drop), { config });

/** A loop that ends only when gas runs out; `mark` makes the code different. */
const endless = (mark: number): Cell => makeCode(`${drop}80${mark.toString(16).padStart(2, "0")}3090ea`);

/** `count` endless get-methods of one caller, each at its own address. */
function flood(count: number, codeOf: (i: number) => Cell): GetMethodRun[] {
  return Array.from({ length: count }, (_, i) =>
    makeGetMethodRun(codeOf(i), {
      ...{ config, caller: "attacker", gasLimit: 500_000n },
      address: makeAddress(0, i.toString(16).padStart(64, "0")),
    }),
  );
}

describe("a flood of endless get-methods", () => {
  it.each([
    ["one code at many addresses", () => endless(0)],
    ["many codes", (i: number) => endless(i % 128)],
  ])("of %s delays neither other callers nor blocks", async (_, codeOf) => {
    const executor = await open();
    // The first transaction of a process waits for its modules, which are loaded when they are first used.
    await executor.runTransaction(transaction());
    let attacked = 0;
    const attack = flood(40, codeOf).map(async (run) => {
      const { exitCode } = await executor.runGetMethod(run);
      attacked++;
      return exitCode;
    });
    for (let i = 0; i < 20; i++) {
      expect((await executor.runGetMethod({ ...short, caller: "other" })).exitCode).toBe(0);
      expect((await executor.runTransaction({ ...transaction(), turn: "first" })).kind).toBe("done");
    }
    // In forty turns of others the attacker had as many: only enough for a few of its runs.
    expect(attacked).toBeLessThan(10);
    expect(new Set(await Promise.all(attack))).toEqual(new Set([-14]));
  });

  it("by many callers with one slow code runs one at a time, and other code continues", async () => {
    const executor = await open(1);
    let [running, max] = [0, 0];
    const library = makeCode("00");
    const code = makeCode(`${drop}88d03090ea`, makeLibrary(library.hash()));
    const run = async (caller: string) => {
      const findLibrary = () => {
        running++;
        max = Math.max(max, running);
        return library;
      };
      await executor.runGetMethod(makeGetMethodRun(code, { config, findLibrary, caller, gasLimit: 500_000n }));
      running--;
    };
    await run("first of all");
    const attack = Array.from({ length: 12 }, (_, i) => run(`attacker ${i}`));
    await executor.runGetMethod({ ...short, caller: "other" });
    await Promise.all(attack);
    expect(max).toBe(1);
  });

  it("by one caller with many codes has sixteen running", async () => {
    const executor = await open();
    let [running, max] = [0, 0];
    const library = makeCode("00");
    const runs = flood(40, (i) =>
      makeCode(`${drop}88d03080${(i + 16).toString(16)}3090ea`, makeLibrary(library.hash())),
    );
    const attack = runs.map(async (run) => {
      const findLibrary = () => {
        running++;
        max = Math.max(max, running);
        return library;
      };
      await executor.runGetMethod({ ...run, gasLimit: 200_000n, findLibrary });
      running--;
    });
    await Promise.all(attack);
    expect(max).toBe(16);
  });
});

function transaction(code = makeSendingCode(testAddress)): TransactionRun {
  return {
    ...{ config, now: testNow, lt: 5_000_000n, randomSeed: zeroHash },
    account: makeActiveAccount(testAddress, code),
    message: makeExternalMessage(testAddress),
  };
}

describe("the event loop", () => {
  it.each([
    ["cheap instructions", 0.0001],
    ["expensive instructions", 0.01],
  ])("is blocked for less than five milliseconds by many endless runs of %s", async (_, stepMs) => {
    const clock = { nowMs: 0, monotonic: () => clock.nowMs };
    const executor = await openExecutor({}, { clock });
    let [heldMs, seenMs, isOver] = [0, 0, false];
    const watch = () => {
      heldMs = Math.max(heldMs, clock.nowMs - seenMs);
      seenMs = clock.nowMs;
      if (!isOver) setImmediate(watch);
    };
    watch();
    const onStep = () => {
      clock.nowMs += stepMs;
    };
    const account = makeActiveAccount(testAddress, makeCode("f80090ea"), emptyCell);
    const runs = Array.from({ length: 10 }, (__, i) =>
      executor.runTransaction({ ...transaction(), account, onStep, caller: `caller ${i % 3}` }),
    );
    const outcomes = await Promise.all(runs);
    isOver = true;
    await executor.close();
    expect(outcomes.map(({ exitCode }) => exitCode)).toEqual(outcomes.map(() => -14));
    expect(heldMs).toBeLessThan(5);
  });
});

describe("deep values", () => {
  /** A cell with `depth` cells below it. */
  const deepCell = (depth: number): Cell => {
    let cell = emptyCell;
    for (let i = 0; i < depth; i++) cell = beginCell().storeUint(i, 16).storeRef(cell).cell();
    return cell;
  };
  const deepTuple = (depth: number): VmStackValue => {
    let value: VmStackValue = { kind: "null" };
    for (let i = 0; i < depth; i++) value = { kind: "tuple", items: [value, { kind: "int", value: BigInt(i) }] };
    return value;
  };

  it.each([311, 1_000])("of %d levels round-trip, and the next caller is answered", async (depth) => {
    const executor = await open();
    const stack: VmStack = [{ kind: "cell", cell: deepCell(depth) }, deepTuple(depth)];
    const outcome = await executor.runGetMethod({ ...short, stack });
    expect(outcome.exitCode).toBe(0);
    expect(storeCell(VmStack, outcome.stack).hash()).toBe(storeCell(VmStack, stack).hash());
    expect((await executor.runGetMethod(short)).exitCode).toBe(0);
  });

  it.each([311, 1_000])("that code builds of %d cells are returned completely", async (depth) => {
    const executor = await open();
    // NEWC ENDC, then repeated: NEWC STREF ENDC
    const code = makeCode(`${drop}c8c9${depth === 311 ? "810137" : "8103e8"}93c8ccc9e4`);
    const { exitCode, stack } = await executor.runGetMethod({ ...short, code });
    const [made] = stack;
    expect([exitCode, made?.kind === "cell" && made.cell.depth()]).toEqual([0, depth]);
    expect((await executor.runGetMethod(short)).exitCode).toBe(0);
  });

  it.each([
    [434, "done"],
    [510, "done"],
    [600, "tvm/input"],
    [1_000, "tvm/input"],
  ])("in the body of a message, %d levels, are accepted or rejected by the rules", async (depth, wanted) => {
    const executor = await open();
    const message = makeExternalMessage(testAddress, deepCell(depth));
    const ended = await executor.runTransaction({ ...transaction(), message }).then(
      ({ kind }) => kind,
      (error) => error.code,
    );
    expect(ended).toBe(wanted);
    expect((await executor.runTransaction(transaction())).kind).toBe("done");
  });
});

describe("a contract that sends to itself endlessly", () => {
  it.each([60, 100])("with %d messages per transaction costs no more than the limit of its trace", async (count) => {
    const executor = await open();
    const sent = makeSendingCode(testAddress).ref(0);
    // ACCEPT PUSHREF, then repeated: DUP 1 PUSHINT SENDRAWMSG
    const code = makeCode(`f8008880${count.toString(16)}942071fb00e4`, sent);
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const outcome = await runTrace(
      { ...transaction(), maxDepth: 64, maxTransactions: 256 },
      { executor, loadAccount: async () => makeActiveAccount(testAddress, code) },
    );
    clearInterval(timer);
    if (outcome.kind !== "done") throw new Error("not accepted");
    expect(outcome.stoppedBy).toBe("maxTransactions");
    expect(outcome.transactions.length).toBe(256);
    const left = outcome.transactions.reduce((sum, node) => sum + node.left.length, 0);
    const all = outcome.transactions.reduce((sum, node) => sum + node.outcome.transaction.outCount, 0);
    expect(outcome.root.outcome.transaction.outCount).toBe(count);
    expect(left).toBe(all - 255);
    expect(turns).toBeGreaterThan(3);
    expect((await executor.runGetMethod(short)).exitCode).toBe(0);
  });
});
