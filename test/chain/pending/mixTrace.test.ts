import { describe, expect, it } from "vitest";
import { beginCell } from "../../../src/cell/Builder.ts";
import { loadCell } from "../../../src/cell/codec.ts";
import { type MixedTrace, mixTrace } from "../../../src/chain/pending/mixTrace.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { StateInit } from "../../../src/model/StateInit.ts";
import type { Trace, TraceMessage, TraceTransaction } from "../../../src/model/Trace.ts";
import { account, comment, makeTestTrace, type Step } from "../../kit/model/testTrace.ts";

const [wallet, first, second, third] = [account("w"), account("a"), account("b"), account("c")] as const;
const log: Step = { body: comment("noted") };
const external = "ee".repeat(32) as Hash;

/** A predicted trace. */
function predict(...steps: readonly Step[]): Trace {
  const trace = makeTestTrace(wallet, steps);
  const transactions = trace.transactions.map((each) => ({ ...each, emulated: true, mcSeqno: 0 }));
  return { ...trace, externalHash: external, externalHashNormalized: external, mcSeqnoEnd: 0, transactions };
}

interface Later {
  readonly lt: bigint;
  readonly seconds: number;
}

const later: Later = { lt: 5_000_000n, seconds: 40 };
const renamed = (hash: Hash): Hash => [...hash].reverse().join("") as Hash;

const isFromOutside = ({ source }: TraceMessage) => source === undefined;

function moveMessage(message: TraceMessage, { lt, seconds }: Later): TraceMessage {
  const { createdLt = 0n, createdAt = 0 } = message;
  return isFromOutside(message) ? message : { ...message, createdLt: createdLt + lt, createdAt: createdAt + seconds };
}

function renameMessage(message: TraceMessage): TraceMessage {
  return isFromOutside(message) ? message : { ...message, hash: renamed(message.hash) };
}

function moved(transaction: TraceTransaction, by: Later): TraceTransaction {
  return {
    ...transaction,
    lt: transaction.lt + by.lt,
    now: transaction.now + by.seconds,
    inMessage: transaction.inMessage && moveMessage(transaction.inMessage, by),
    outMessages: transaction.outMessages.map((each) => moveMessage(each, by)),
  };
}

/** The same trace as committed later, reduced to the transactions at these places. */
function commit(steps: readonly Step[], places: readonly number[], by: Later = later): Trace {
  const trace = makeTestTrace(wallet, steps);
  const transactions = trace.transactions
    .filter((_, place) => places.includes(place))
    .map((each) => moved(each, by))
    .map((each) => ({
      ...each,
      hash: renamed(each.hash),
      inMessage: each.inMessage && renameMessage(each.inMessage),
      outMessages: each.outMessages.map(renameMessage),
    }));
  const last = at(transactions, transactions.length - 1);
  return { ...trace, id: renamed(trace.id), endLt: last.lt, endAt: last.now, transactions };
}

function at<T>(list: readonly T[], place: number): T {
  const found = list[place];
  if (found === undefined) throw new Error(`there is nothing at ${place}`);
  return found;
}

/** A message by its sending transaction and its index there. */
const sentBy = (trace: Trace, place: number, index: number) => at(at(trace.transactions, place).outMessages, index);

/** A mixed trace of these transactions, in order. */
function mixedOf(committed: Trace, transactions: readonly TraceTransaction[], counts: Omit<MixedTrace, "trace">) {
  const last = transactions.reduce((a, b) => (b.lt > a.lt ? b : a));
  const endAt = Math.max(...transactions.map(({ now }) => now));
  const hashes = { externalHash: external, externalHashNormalized: external };
  return { trace: { ...committed, ...hashes, endLt: last.lt, endAt, transactions }, ...counts };
}

// The wallet sends to two accounts; the first sends to a third and emits a log.
const steps: readonly Step[] = [{ to: first, value: 7n, causes: [{ to: third }, log] }, { to: second }];

describe("a trace that the chain has started", () => {
  it("continues as predicted after messages that equal the prediction", () => {
    const predicted = predict(...steps);
    const root = { ...at(predicted.transactions, 0), hash: renamed(predicted.id), emulated: false, mcSeqno: 9 };
    const committed = { ...predicted, id: root.hash, endLt: root.lt, endAt: root.now, transactions: [root] };
    expect(mixTrace(predicted, committed)).toEqual(
      mixedOf(committed, [root, ...predicted.transactions.slice(1)], { messages: 5, pendingMessages: 4, left: [] }),
    );
  });

  it("continues as predicted after messages that are only later, with the same delay", () => {
    const [predicted, committed] = [predict(...steps), commit(steps, [0])];
    const [, one, two, three] = predicted.transactions.map((each) => moved(each, later));
    expect(mixTrace(predicted, committed)).toEqual(
      mixedOf(
        committed,
        [
          at(committed.transactions, 0),
          { ...one, inMessage: sentBy(committed, 0, 0) } as TraceTransaction,
          two as TraceTransaction,
          { ...three, inMessage: sentBy(committed, 0, 1) } as TraceTransaction,
        ],
        { messages: 5, pendingMessages: 4, left: [] },
      ),
    );
  });

  it("replaces predictions with committed transactions", () => {
    const [predicted, committed] = [predict(...steps), commit(steps, [0, 1])];
    const [, , two, three] = predicted.transactions.map((each) => moved(each, later));
    expect(mixTrace(predicted, committed)).toEqual(
      mixedOf(
        committed,
        [
          ...committed.transactions,
          { ...two, inMessage: sentBy(committed, 1, 0) } as TraceTransaction,
          { ...three, inMessage: sentBy(committed, 0, 1) } as TraceTransaction,
        ],
        { messages: 5, pendingMessages: 2, left: [] },
      ),
    );
  });

  it("has the order of the chain, whatever was predicted", () => {
    const [predicted, committed] = [predict(...steps), commit(steps, [0, 3])];
    const [, one, two] = predicted.transactions.map((each) => moved(each, later));
    expect(mixTrace(predicted, committed)).toEqual(
      mixedOf(
        committed,
        [
          at(committed.transactions, 0),
          { ...one, inMessage: sentBy(committed, 0, 0) } as TraceTransaction,
          two as TraceTransaction,
          at(committed.transactions, 1),
        ],
        { messages: 5, pendingMessages: 3, left: [] },
      ),
    );
  });

  it("has no predictions after a transaction that differs", () => {
    const failed: readonly Step[] = [{ to: first, value: 7n, aborted: true, exitCode: 4 }, { to: second }];
    const [predicted, committed] = [predict(...steps), commit(failed, [0, 1, 2])];
    expect(mixTrace(predicted, committed)).toEqual(
      mixedOf(committed, committed.transactions, { messages: 3, pendingMessages: 0, left: [] }),
    );
  });

  it("is committed completely in the end", () => {
    const [predicted, committed] = [predict(...steps), commit(steps, [0, 1, 2, 3])];
    expect(mixTrace(predicted, committed)).toEqual(
      mixedOf(committed, committed.transactions, { messages: 5, pendingMessages: 0, left: [] }),
    );
  });

  it("has the messages at which the prediction stopped", () => {
    const whole = predict(...steps);
    const predicted = { ...whole, transactions: whole.transactions.filter((_, place) => place !== 2) };
    const { trace, ...counts } = mixTrace(predicted, commit(steps, [0]));
    expect(trace.transactions.map(({ account: own, emulated }) => [own, emulated])).toEqual([
      [wallet, false],
      [first, true],
      [second, true],
    ]);
    const sender = at(trace.transactions, 1);
    expect(counts).toEqual({ messages: 5, pendingMessages: 4, left: [{ sender, message: at(sender.outMessages, 0) }] });
  });
});

describe("equal messages", () => {
  const twice = (...next: readonly Step[]): readonly Step[] => next.map((each) => ({ to: first, causes: [each] }));

  it("are matched by their order", () => {
    const both = twice({ to: second }, { to: third });
    const [predicted, committed] = [predict(...both), commit(both, [0, 1, 2])];
    const { trace, ...counts } = mixTrace(predicted, committed);
    const own = trace.transactions.map(({ account: each, emulated, inMessage }) => [each, emulated, inMessage?.hash]);
    expect(own).toEqual([
      [wallet, false, at(committed.transactions, 0).inMessage?.hash],
      [first, false, sentBy(committed, 0, 0).hash],
      [second, false, sentBy(committed, 1, 0).hash],
      [first, true, sentBy(committed, 0, 1).hash],
      [third, true, sentBy(predicted, 3, 0).hash],
    ]);
    expect(counts).toEqual({ messages: 5, pendingMessages: 2, left: [] });
  });
});

describe("a sent message", () => {
  const usual: Step = { to: first, value: 1_000n, body: comment("hello"), bounce: true };

  it.each<[string, Step]>([
    ["a little less", { ...usual, value: 999n }],
    ["a little more", { ...usual, value: 1_010n }],
  ])("matches the predicted one with %s coins", (_, sent) => {
    const [predicted, committed] = [predict(usual), commit([sent], [0])];
    const next = moved(at(predicted.transactions, 1), later);
    expect(mixTrace(predicted, committed)).toEqual(
      mixedOf(committed, [at(committed.transactions, 0), { ...next, inMessage: sentBy(committed, 0, 0) }], {
        messages: 2,
        pendingMessages: 1,
        left: [],
      }),
    );
  });

  it.each<[string, Step]>([
    ["much fewer coins", { ...usual, value: 989n }],
    ["many more coins", { ...usual, value: 1_011n }],
    ["another receiver", { ...usual, to: second }],
    ["another body", { ...usual, body: comment("hello!") }],
    ["another way back", { ...usual, bounce: false }],
    ["a state", { ...usual, init: stateOf("new") }],
  ])("does not match with %s", (_, sent) => {
    const [predicted, committed] = [predict(usual), commit([sent], [0])];
    expect(mixTrace(predicted, committed)).toEqual(
      mixedOf(committed, committed.transactions, {
        messages: 2,
        pendingMessages: 1,
        left: [{ sender: at(committed.transactions, 0), message: sentBy(committed, 0, 0) }],
      }),
    );
  });

  it("matches an exact prediction before a similar one", () => {
    const [more, less] = [
      { ...usual, causes: [{ to: second }] },
      { ...usual, value: 999n, causes: [{ to: third }] },
    ] as const;
    const { trace } = mixTrace(predict(more, less), commit([less], [0]));
    expect(trace.transactions.map(({ account: own }) => own)).toEqual([wallet, first, third]);
  });
});

function stateOf(text: string): NonNullable<Step["init"]> {
  const none = loadCell(StateInit, beginCell().storeUint(0, 5).cell());
  return { ...none, code: comment(text), data: comment(text) };
}
