import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/lib/clock.ts";
import type { ShardAccount } from "../../../src/model/Account.ts";
import { type Address, makeAddress } from "../../../src/model/Address.ts";
import { zeroHash } from "../../../src/model/Hash.ts";
import { type LiveExecutor, openExecutor } from "../../../src/tvm/run/openExecutor.ts";
import { type EmulatedNode, runTrace, type TraceRun } from "../../../src/tvm/run/trace.ts";
import {
  makeActiveAccount,
  makeCode,
  makeExternalMessage,
  makeSendingCode,
  readSmallConfig,
  testNow,
} from "../../kit/tvm/tvmValues.ts";

const [a, b, c, d] = ["aa", "bb", "cc", "dd"].map((byte) => makeAddress(0, byte.repeat(32))) as [
  Address,
  Address,
  Address,
  Address,
];
const m = makeAddress(-1, "ee".repeat(32));

let executor: LiveExecutor;
beforeAll(async () => {
  executor = await openExecutor({}, { clock: systemClock });
});
afterAll(() => executor.close());

/** Accounts by their destinations; each is loaded at most once. */
function makeWorld(sending: ReadonlyMap<Address, readonly Address[]>) {
  const loads: Address[] = [];
  const loadAccount = async (address: Address): Promise<ShardAccount | undefined> => {
    loads.push(address);
    const destinations = sending.get(address);
    return destinations === undefined ? undefined : makeActiveAccount(address, makeSendingCode(...destinations));
  };
  return { loads, modules: { executor, loadAccount } };
}

function makeRun(given: Partial<TraceRun> = {}): TraceRun {
  return {
    config: readSmallConfig(),
    now: testNow,
    lt: 7_000_000n,
    randomSeed: zeroHash,
    message: makeExternalMessage(a),
    maxDepth: 10,
    maxTransactions: 100,
    ...given,
  };
}

type Tree = readonly [Address, ...unknown[]];
const treeOf = ({ address, children }: EmulatedNode): Tree => [address, ...children.map(treeOf)];

describe("a trace", () => {
  it("runs every message on its account, in the order of lt, and each account from its last state", async () => {
    const { loads, modules } = makeWorld(
      new Map([
        [a, [b, c, m]],
        [b, [d]],
        [c, [d]],
        [m, [a]],
        [d, []],
      ]),
    );
    const outcome = await runTrace(makeRun({ maxTransactions: 7 }), modules);
    if (outcome.kind !== "done") throw new Error("not accepted");
    const { root, transactions, accounts } = outcome;
    expect(transactions.map(({ address }) => address)).toEqual([a, b, c, m, d, d, a]);
    expect(treeOf(root)).toEqual([a, [b, [d]], [c, [d]], [m, [a]]]);
    expect(loads).toEqual([a, b, c, m, d]);
    for (const { message, outcome: ran } of transactions) {
      expect(ran.transaction.now).toBe(testNow);
      if (message.info.kind === "internal") expect(ran.transaction.lt > message.info.createdLt).toBe(true);
    }
    const [first, second] = transactions.filter(({ address }) => address === d);
    expect(second?.outcome.transaction.prevHash).toBe(first?.outcome.transaction.cell.hash());
    expect(accounts.get(d)?.lastTransactionHash).toBe(second?.outcome.transaction.cell.hash());
  });

  it("treats a missing account as one without state", async () => {
    const { modules } = makeWorld(new Map([[a, [b]]]));
    const outcome = await runTrace(makeRun(), modules);
    if (outcome.kind !== "done") throw new Error("not accepted");
    const [, second] = outcome.transactions;
    expect(second?.outcome.transaction).toMatchObject({
      origStatus: "nonexist",
      endStatus: "uninit",
      description: { compute: { kind: "skipped", reason: "noState" } },
    });
    expect(outcome.stoppedBy).toBeUndefined();
  });

  it("stops at its number of transactions and reports the rest", async () => {
    const { modules, loads } = makeWorld(new Map([[a, [a, a]]]));
    const outcome = await runTrace(makeRun({ maxTransactions: 3 }), modules);
    if (outcome.kind !== "done") throw new Error("not accepted");
    expect(outcome.transactions.length).toBe(3);
    expect(outcome.stoppedBy).toBe("maxTransactions");
    expect(outcome.transactions.map(({ left }) => left.length)).toEqual([0, 2, 2]);
    expect(loads).toEqual([a]);
  });

  it("stops when its transactions have sent as many messages as it may have", async () => {
    const { modules, loads } = makeWorld(new Map([[a, [a, a]]]));
    const outcome = await runTrace(makeRun({ maxMessages: 5 }), modules);
    if (outcome.kind !== "done") throw new Error("not accepted");
    expect(outcome.stoppedBy).toBe("maxMessages");
    expect(outcome.transactions.map(({ left }) => left.length)).toEqual([0, 2, 2]);
    expect(loads).toEqual([a]);
  });

  it("stops at its depth, on every path, and reports the rest", async () => {
    const { modules, loads } = makeWorld(
      new Map([
        [a, [b, c]],
        [b, [d]],
        [c, [d]],
      ]),
    );
    const outcome = await runTrace(makeRun({ maxDepth: 2 }), modules);
    if (outcome.kind !== "done") throw new Error("not accepted");
    expect(treeOf(outcome.root)).toEqual([a, [b], [c]]);
    expect(outcome.stoppedBy).toBe("maxDepth");
    expect(outcome.transactions.map(({ left }) => left.length)).toEqual([0, 1, 1]);
    expect(loads).toEqual([a, b, c]);
  });

  it("is none if the first message is not accepted", async () => {
    const loadAccount = async (address: Address) => makeActiveAccount(address, makeCode("f2c064"));
    const outcome = await runTrace(makeRun(), { executor, loadAccount });
    expect(outcome).toMatchObject({ kind: "notAccepted", exitCode: 100 });
  });

  it("fails with the error of loading an account, and when its caller aborts", async () => {
    const failure = new Error("no such block");
    const loadAccount = () => Promise.reject(failure);
    await expect(runTrace(makeRun(), { executor, loadAccount })).rejects.toBe(failure);
    const { modules } = makeWorld(new Map([[a, []]]));
    await expect(runTrace(makeRun(), modules, AbortSignal.abort())).rejects.toMatchObject({ code: "lib/aborted" });
  });

  it("costs no more than its limit if a contract sends endlessly, and lets others run", async () => {
    const many = [a, a, a, a];
    const { modules } = makeWorld(new Map([[a, many]]));
    // The time of this clock is work: it goes on when somebody looks at it.
    let looks = 0;
    const ofLooks = await openExecutor({}, { clock: { ...systemClock, monotonic: () => looks++ } });
    let [turns, isOver] = [0, false];
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    count();
    const outcome = await runTrace(makeRun({ maxTransactions: 256 }), { ...modules, executor: ofLooks });
    isOver = true;
    await ofLooks.close();
    if (outcome.kind !== "done") throw new Error("not accepted");
    expect(outcome.transactions.length).toBe(256);
    const sent = outcome.transactions.reduce((sum, { outcome: { transaction } }) => sum + transaction.outCount, 0);
    const left = outcome.transactions.reduce((sum, node) => sum + node.left.length, 0);
    expect(left).toBe(sent - 255);
    expect(turns).toBeGreaterThan(256 / 5);
  });

  it("ends when its caller aborts in the middle of it", async () => {
    const { modules } = makeWorld(new Map([[a, [a, a]]]));
    const end = new AbortController();
    setTimeout(() => end.abort(), 20);
    const run = runTrace(makeRun({ maxDepth: 1e9, maxTransactions: 1e9 }), modules, end.signal);
    await expect(run).rejects.toMatchObject({ code: "lib/aborted" });
  });
});
