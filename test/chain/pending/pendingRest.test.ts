import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { type MixedTrace, mixTrace } from "../../../src/chain/pending/mixTrace.ts";
import type { PendingTrace } from "../../../src/chain/pending/PendingTrace.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import { sameDigits } from "../../kit/api/v3/v3Stage.ts";
import { openPendingStage, type PendingStage } from "../../kit/chain/pendingStage.ts";
import { listTraces } from "../../kit/localnet/ledgerTraces.ts";
import { openChainKit, type TestChain } from "../../kit/localnet/localChain.ts";

const far = makeAddress(-1, sameDigits("7"));

const kit = await openChainKit();
let chain: TestChain;
let stage: PendingStage;
let trace: PendingTrace;
let isAway: boolean;

afterAll(() => kit.close());

/** Two transactions of the trace are on the chain; the bounce is pending. */
beforeEach(async () => {
  chain = await kit.open();
  isAway = false;
  stage = openPendingStage(chain, {
    ...kit.executor,
    runTransaction: (...args) =>
      isAway ? Promise.reject(new Error("no machine")) : kit.executor.runTransaction(...args),
    runGetMethod: (...args) => kit.executor.runGetMethod(...args),
  } as typeof kit.executor);
  const message = chain.sign(chain.wallet(1), { to: far, amount: 1_000_000_000n, bounce: true });
  const { hash } = await stage.note(message);
  trace = stage.pending.find(hash) ?? fail();
  await chain.submit(message);
  await chain.rounds(1);
  return () => stage.pending.close();
});

function fail(): never {
  throw new Error("the message was not run");
}

/** The mixed trace, as if its committed part had never been predicted. */
function mixUnforeseen(): MixedTrace {
  const committed = listTraces(chain.net.ledger).at(-1) ?? fail();
  expect(committed.transactions.map(({ account }) => account)).toEqual([chain.wallet(1).address, far]);
  return mixTrace({ ...trace.trace, transactions: [] }, committed);
}

const find = () => stage.pending.find(trace.sent.hash);
const accountsOf = (each: PendingTrace | undefined) => each?.trace.transactions.map(({ account }) => account);

describe("a trace that differs from its prediction", () => {
  it("is predicted again from its undelivered messages", async () => {
    const mixed = mixUnforeseen();
    stage.pending.resume(trace, mixed);
    await stage.pending.idle();
    const resumed = find() ?? fail();
    const back = resumed.transactions.at(-1) ?? fail();
    expect(resumed.trace).toEqual({
      ...mixed.trace,
      transactions: [...mixed.trace.transactions, back.seen],
      endLt: back.seen.lt,
      endAt: back.seen.now,
    });
    const [{ message } = fail(), ...others] = mixed.left;
    expect([back.seen.account, back.seen.emulated, back.seen.inMessage?.hash, others]).toEqual([
      chain.wallet(1).address,
      true,
      message.hash,
      [],
    ]);
    expect(resumed.transactions).toEqual([back]);
    expect(stage.pending.counters()).toMatchObject({ traces: 1, emulated: 1, resumed: 1, failed: 0 });
    // Mixed again it is complete.
    const committed = listTraces(chain.net.ledger).at(-1) ?? fail();
    expect(mixTrace(resumed.trace, committed)).toEqual({
      trace: resumed.trace,
      messages: 3,
      pendingMessages: 1,
      left: [],
    });
  });

  it("is predicted again once, however often it is requested", async () => {
    const mixed = mixUnforeseen();
    for (let i = 0; i < 3; i++) stage.pending.resume(trace, mixed);
    await stage.pending.idle();
    const resumed = find();
    stage.pending.resume(trace, mixed);
    await stage.pending.idle();
    expect([find() === resumed, stage.pending.counters().resumed]).toEqual([true, 1]);
  });

  it("is retried after a failure at every request", async () => {
    const mixed = mixUnforeseen();
    isAway = true;
    stage.pending.resume(trace, mixed);
    await stage.pending.idle();
    expect([find() === trace, stage.pending.counters()]).toEqual([
      true,
      expect.objectContaining({ traces: 1, resumed: 0, failed: 1 }),
    ]);
    isAway = false;
    stage.pending.resume(trace, mixed);
    await stage.pending.idle();
    expect(stage.pending.counters()).toMatchObject({ traces: 1, resumed: 1, failed: 1 });
  });

  it("does not change if the chain has delivered the rest meanwhile", async () => {
    const mixed = mixUnforeseen();
    await chain.rounds(2);
    stage.pending.resume(trace, mixed);
    await stage.pending.idle();
    expect([find() === trace, stage.pending.counters()]).toEqual([
      true,
      expect.objectContaining({ resumed: 0, failed: 0 }),
    ]);
  });

  it("is found by the accounts that it touches now", async () => {
    const lists = (accounts = accountsOf(trace) ?? []) => accounts.map((account) => stage.pending.listOf(account));
    stage.pending.resume(trace, mixUnforeseen());
    await stage.pending.idle();
    expect(lists()).toEqual(Array(3).fill([find()]));
  });

  it("is not reported again when it is dropped", async () => {
    const mixed = mixUnforeseen();
    stage.pending.resume(trace, mixed);
    stage.pending.drop(trace);
    stage.pending.resume(trace, mixed);
    await stage.pending.idle();
    expect([find(), stage.pending.counters()]).toEqual([
      undefined,
      expect.objectContaining({ traces: 0, bytes: 0, resumed: 0, failed: 0 }),
    ]);
  });
});
