import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { cell, loadCell, storeCell } from "../../../src/cell/codec.ts";
import { Dictionary } from "../../../src/cell/dictionary.ts";
import { makeLibrary } from "../../../src/cell/exotic.ts";
import { intKey } from "../../../src/cell/keys.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import { coinsOnly } from "../../../src/model/Currency.ts";
import { getConfigParam } from "../../../src/model/config/ConfigParams.ts";
import { type Hash, parseHash, zeroHash } from "../../../src/model/Hash.ts";
import { OutList } from "../../../src/model/OutAction.ts";
import { wholeSlice } from "../../../src/model/vm/VmCellSlice.ts";
import { VmStack, type VmStackValue } from "../../../src/model/vm/VmStack.ts";
import type { TransactionOutcome, TransactionRun } from "../../../src/tvm/Executor.ts";
import { runGetMethod } from "../../../src/tvm/run/getMethod.ts";
import { type LiveExecutor, openExecutor } from "../../../src/tvm/run/openExecutor.ts";
import { flushPromises } from "../../kit/suite/ManualClock.ts";
import { makeRunHost } from "../../kit/tvm/runHost.ts";
import {
  drop,
  makeActiveAccount,
  makeCode,
  makeExternalMessage,
  makeGetMethodRun,
  makeLargeConfig,
  makeSendingCode,
  readSmallConfig,
  testAddress,
  testNow,
} from "../../kit/tvm/tvmValues.ts";

const int = (value: bigint): VmStackValue => ({ kind: "int", value });

/** Endless code with an unreachable gas limit: an empty loop. */
const endless = makeCode(`${drop}90ea`);
const outOfReach = 1n << 50n;

let executor: LiveExecutor;
beforeAll(async () => {
  executor = await openExecutor({ maxRunMs: 60_000 }, { clock: systemClock });
});
afterAll(() => executor.close());

describe("a get-method", () => {
  it("accepts and returns stack values of every kind", async () => {
    const values: VmStack = [
      { kind: "null" },
      int(5n),
      int(-(1n << 256n)),
      { kind: "nan" },
      { kind: "cell", cell: beginCell().storeUint(1, 8).storeRef(emptyCell).cell() },
      { kind: "slice", slice: { ...wholeSlice(beginCell().storeUint(7, 16).cell()), bitStart: 3 } },
      { kind: "builder", cell: beginCell().storeUint(2, 8).cell() },
      { kind: "tuple", items: [int(1n), { kind: "tuple", items: [] }, { kind: "null" }] },
      { kind: "cont", cont: { kind: "quit", exitCode: 7 } },
    ];
    const outcome = await executor.runGetMethod(makeGetMethodRun(makeCode(drop), { stack: values }));
    expect(storeCell(VmStack, outcome.stack).hash()).toBe(storeCell(VmStack, values).hash());
    expect({ ...outcome, stack: [] }).toEqual({
      exitCode: 0,
      gasUsed: 23n,
      stack: [],
      missingLibrary: undefined,
      log: "",
    });
  });

  it("sees its address, time, seed, balance with other currencies, and method", async () => {
    const extra = coinsOnly(0n).extra.set(100, 555n).set(239, 7n);
    const balance = { coins: (1n << 63n) - 1n, extra };
    // MYADDR, NOW, RANDSEED, BALANCE, 100 and 239 GETEXTRABALANCE
    const code = makeCode("f828f823f826f8278064f8808100eff880");
    const randomSeed = parseHash("5e".repeat(32));
    const run = makeGetMethodRun(code, { balance, randomSeed, method: "seqno" });
    const { stack } = await executor.runGetMethod(run);
    expect(stack.filter(({ kind }) => kind === "int")).toEqual([
      int(85143n),
      int(BigInt(testNow)),
      int(BigInt(`0x${randomSeed}`)),
      int(555n),
      int(7n),
    ]);
    const [, address, , , found] = stack;
    expect(address?.kind === "slice" && address.slice.bitEnd - address.slice.bitStart).toBe(267);
    const items = found?.kind === "tuple" ? found.items : [];
    expect([items[0], items[1]?.kind === "cell" && items[1].cell.hash()]).toEqual([
      int(balance.coins),
      extra.root?.hash(),
    ]);
  });

  it("ends with its exit code, its gas, and the log on request", async () => {
    const code = makeCode(`${drop}f2c064`); // 100 THROW
    const run = makeGetMethodRun(code, { log: "instructions" });
    const outcome = await executor.runGetMethod(run);
    expect([outcome.exitCode, outcome.gasUsed]).toEqual([100, 102n]);
    expect(outcome.log).toContain("execute THROW 100");
    const detailed = await executor.runGetMethod({ ...run, log: "stack", stack: [int(42n)] });
    expect(detailed.log).toContain("stack: [ 42 0 ]");
  });

  it("computes slow functions on another thread, and continues with their results", async () => {
    // { G1_ZERO G1_ISZERO } and { 5 RIST255_MULBASE RIST255_VALIDATE }, then 7
    const code = makeCode(`${drop}f93015f9301875f925f92177`);
    const own = await runGetMethod(makeGetMethodRun(code), makeRunHost());
    expect(await executor.runGetMethod(makeGetMethodRun(code))).toEqual(own);
    expect([own.exitCode, own.stack]).toEqual([0, [int(-1n), int(7n)]]);
  });

  it.each([0n, 1n, 500n])("runs out of gas with a limit of %s", async (gasLimit) => {
    const { exitCode } = await executor.runGetMethod(makeGetMethodRun(endless, { gasLimit }));
    expect(exitCode).toBe(-14);
  });

  it.each([
    ["time", { now: 2 ** 32 }],
    ["balance", { balance: coinsOnly(1n << 120n) }],
    ["gas limit", { gasLimit: -1n }],
    ["method", { method: 2 ** 31 }],
    ["configuration", { config: { params: new Dictionary(undefined, intKey(32), cell) } }],
  ])("is rejected with an invalid %s", async (_, given) => {
    const run = executor.runGetMethod(makeGetMethodRun(makeCode(drop), given));
    await expect(run).rejects.toMatchObject({ code: "tvm/input" });
  });
});

describe("the configuration of a get-method", () => {
  const config = makeLargeConfig();
  const wanted = storeCell(VmStack, [{ kind: "cell", cell: config.params.get(34) }]).hash();

  it.each([
    ["by its number", `${drop}8022f832`], // 34 CONFIGPARAM
    ["in a dictionary lookup", `${drop}8022f830f40d`], // 34 CONFIGDICT DICTIGETREF
  ])("has validator sets if the code reads one %s", async (_, hex) => {
    const { stack, missingLibrary } = await executor.runGetMethod(makeGetMethodRun(makeCode(hex), { config }));
    expect(missingLibrary).toBeUndefined();
    expect(storeCell(VmStack, stack.slice(0, 1)).hash()).toBe(wanted);
  });

  it("has validator sets if the code would catch their absence", async () => {
    // { 34 CONFIGPARAM } { 2DROP 5 } TRY
    const code = makeCode(`${drop}948022f832925b75f2ff`);
    const { stack } = await executor.runGetMethod(makeGetMethodRun(code, { config }));
    expect(storeCell(VmStack, stack.slice(0, 1)).hash()).toBe(wanted);
  });

  it("is complete for code that reads its hash, from the first time on", async () => {
    const code = makeCode(`${drop}f829f900`); // CONFIGROOT HASHCU
    for (let time = 0; time < 2; time++) {
      const { stack } = await executor.runGetMethod(makeGetMethodRun(code, { config }));
      expect(stack).toEqual([int(BigInt(`0x${config.params.root?.hash()}`))]);
    }
  });

  it("costs the same gas with and without validator sets", async () => {
    const code = makeCode(`${drop}8015f832`); // 21 CONFIGPARAM
    const basechain = await executor.runGetMethod(makeGetMethodRun(code, { config }));
    const address = makeAddress(-1, "ab".repeat(32));
    const masterchain = await executor.runGetMethod(makeGetMethodRun(code, { config, address }));
    expect(basechain.gasUsed).toBe(masterchain.gasUsed);
  });
});

describe("libraries", () => {
  const library = makeCode("7a"); // 10 PUSHINT
  const hash = library.hash();
  const asked: Hash[] = [];
  const findLibrary = async (wanted: Hash) => {
    asked.push(wanted);
    return wanted === hash ? library : undefined;
  };
  /** CTOS of a library cell, then the loaded bits. */
  const reading = makeCode(`${drop}88d0d307`, makeLibrary(hash));

  it("are loaded when a get-method lacks them, and in advance the next time", async () => {
    asked.length = 0;
    for (let time = 0; time < 2; time++) {
      const { stack, missingLibrary } = await executor.runGetMethod(makeGetMethodRun(reading, { findLibrary }));
      expect([stack[0], missingLibrary]).toEqual([int(0x7an), undefined]);
    }
    expect(asked).toEqual([hash, hash]);
  });

  it("are the code itself if the code is only a reference", async () => {
    const { stack } = await executor.runGetMethod(makeGetMethodRun(makeLibrary(hash), { findLibrary }));
    expect(stack).toEqual([int(0n), int(10n)]);
  });

  it("that do not exist are reported, also with a large configuration", async () => {
    const missing = parseHash("cd".repeat(32));
    const code = makeCode(`${drop}88d0`, makeLibrary(missing));
    for (const config of [readSmallConfig(), makeLargeConfig()]) {
      const outcome = await executor.runGetMethod(makeGetMethodRun(code, { findLibrary, config }));
      expect([outcome.exitCode, outcome.missingLibrary]).toEqual([9, missing]);
    }
  });

  it("with another hash than requested are rejected", async () => {
    const run = executor.runGetMethod(makeGetMethodRun(reading, { findLibrary: () => emptyCell }));
    await expect(run).rejects.toMatchObject({ code: "tvm/library" });
  });

  it("are loaded when a transaction lacks them, wherever they are used", async () => {
    const account = makeActiveAccount(testAddress, makeCode("f80088d0d307", makeLibrary(hash)));
    const run = makeTransactionRun(account);
    const missed = await executor.runTransaction(run);
    const transactionOutcome = await executor.runTransaction({ ...run, findLibrary });
    const again = await executor.runTransaction(run);
    expect([missed, transactionOutcome, again].map((outcome) => outcome.exitCode)).toEqual([9, 0, 9]);
  });
});

function makeTransactionRun(account = makeActiveAccount(testAddress, makeSendingCode(testAddress))): TransactionRun {
  return {
    config: readSmallConfig(),
    now: testNow,
    lt: 5_000_000n,
    randomSeed: zeroHash,
    account,
    message: makeExternalMessage(testAddress),
  };
}

/** The acceptance of a message whose whole transaction is known. */
function acceptanceOf(whole: TransactionOutcome): object {
  if (whole.kind !== "done") return whole;
  const { actions, exitCode, gasUsed } = whole;
  return { kind: "accepted", actions, exitCode, gasUsed };
}

describe("a transaction", () => {
  it("returns the transaction, the account after it and the actions", async () => {
    const outcome = await executor.runTransaction(makeTransactionRun());
    if (outcome.kind !== "done") throw new Error("not accepted");
    const { transaction, account, actions, exitCode, gasUsed } = outcome;
    expect([transaction.lt, transaction.now, transaction.outCount, exitCode]).toEqual([5_000_000n, testNow, 1, 0]);
    expect([account.lastTransactionHash, account.lastTransactionLt]).toEqual([transaction.cell.hash(), 5_000_000n]);
    expect(transaction.stateUpdate.newHash).toBe(account.account.cell.hash());
    expect(loadCell(OutList, actions as Cell).map(({ kind }) => kind)).toEqual(["sendMessage"]);
    expect(gasUsed).toBeGreaterThan(0n);
  });

  it("is none if the code does not accept an external message", async () => {
    const account = makeActiveAccount(testAddress, makeCode("f2c064"));
    const outcome = await executor.runTransaction(makeTransactionRun(account));
    expect(outcome).toMatchObject({ kind: "notAccepted", exitCode: 100, log: "" });
  });

  it("has the same acceptance when nothing else is asked for", async () => {
    // ACCEPT and then an exception; an exception without acceptance; a stack underflow
    const codes = [makeSendingCode(testAddress), makeCode("f800f2c064"), makeCode("f2c064"), makeCode("f2f0")];
    const kinds = [];
    for (const code of codes) {
      const run: TransactionRun = { ...makeTransactionRun(makeActiveAccount(testAddress, code)), log: "instructions" };
      const [whole, acceptance] = [await executor.runTransaction(run), await executor.runAcceptance(run)];
      expect(acceptance).toEqual(acceptanceOf(whole));
      kinds.push(acceptance.kind);
    }
    expect(kinds).toEqual(["accepted", "accepted", "notAccepted", "notAccepted"]);
    const message = makeExternalMessage(makeAddress(0, "cd".repeat(32)));
    await expect(executor.runAcceptance({ ...makeTransactionRun(), message })).rejects.toMatchObject({
      code: "tvm/input",
    });
  });

  it("does not see the seed, libraries or previous blocks of an earlier run", async () => {
    // ACCEPT, RANDSEED, PREVMCBLOCKS with a null tuple fails
    const account = makeActiveAccount(testAddress, makeCode("f800f83400"));
    const run = makeTransactionRun(account);
    const previousBlocks: VmStackValue = {
      kind: "tuple",
      items: [{ kind: "tuple", items: [] }, { kind: "null" }, { kind: "tuple", items: [] }],
    };
    const outcomes = [run, { ...run, previousBlocks }, run].map((each) => executor.runTransaction(each));
    const [before, given, after] = (await Promise.all(outcomes)).map((outcome) => outcome.exitCode);
    expect([before, given]).toEqual([7, 0]);
    expect(after).toBe(before);
  });

  it("sees its own previous blocks, whatever earlier runs had", async () => {
    // ACCEPT, PREVBLOCKSINFOTUPLE, TLEN, THROWANY
    const run = makeTransactionRun(makeActiveAccount(testAddress, makeCode("f800f82d6f88f2f0")));
    const blocks = (length: number): VmStackValue => ({ kind: "tuple", items: Array.from({ length }, () => int(1n)) });
    const [three, four] = [blocks(3), blocks(4)];
    const codes = [];
    for (const previousBlocks of [three, three, four, three, blocks(3), blocks(5), undefined, three]) {
      const { exitCode } = await executor.runTransaction({ ...run, ...(previousBlocks && { previousBlocks }) });
      codes.push(exitCode);
    }
    expect(codes).toEqual([3, 3, 4, 3, 3, 5, 7, 3]);
  });

  it("is rejected for an account that is not the destination", async () => {
    const message = makeExternalMessage(makeAddress(0, "cd".repeat(32)));
    await expect(executor.runTransaction({ ...makeTransactionRun(), message })).rejects.toMatchObject({
      code: "tvm/input",
    });
  });

  it("ticks and tocks", async () => {
    const address = makeAddress(-1, getConfigParam(readSmallConfig(), 0));
    const { message: _, ...run } = makeTransactionRun(makeActiveAccount(address, makeCode("f800")));
    for (const which of ["tick", "tock"] as const) {
      const outcome = await executor.runTickTock({ ...run, which });
      if (outcome.kind !== "done") throw new Error("not accepted");
      expect(outcome.transaction.description).toMatchObject({ kind: "tickTock", isTock: which === "tock" });
    }
  });
});

describe("an endless run", () => {
  it("is ended at its time limit, while others continue", async () => {
    const short = await openExecutor({ maxRunMs: 100 }, { clock: systemClock });
    const plain = makeGetMethodRun(makeCode(drop));
    const stuck = short.runGetMethod(makeGetMethodRun(endless, { gasLimit: outOfReach }));
    const refused = expect(stuck).rejects.toMatchObject({ code: "tvm/timeout" });
    for (let count = 0; count < 5; count++) expect((await short.runGetMethod(plain)).exitCode).toBe(0);
    await refused;
    await short.close();
    await expect(short.runGetMethod(plain)).rejects.toMatchObject({ code: "tvm/closed" });
  });

  it("ends for its caller as soon as the caller aborts", async () => {
    const controller = new AbortController();
    const stuck = executor.runGetMethod(makeGetMethodRun(endless, { gasLimit: outOfReach }), controller.signal);
    await flushPromises();
    controller.abort();
    await expect(stuck).rejects.toMatchObject({ code: "lib/aborted" });
  });

  it("lets timers fire", async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const { exitCode } = await executor.runGetMethod(makeGetMethodRun(endless, { gasLimit: 20_000_000n }));
    clearInterval(timer);
    expect(exitCode).toBe(-14);
    expect(ticks).toBeGreaterThan(5);
  });
});
