import { storeCell } from "../../cell/codec.ts";
import type { Hash } from "../../model/Hash.ts";
import { StateInit } from "../../model/StateInit.ts";
import type { Trace, TraceMessage, TraceTransaction } from "../../model/Trace.ts";

/** A trace that the chain has begun, with the prediction of the rest. */
export interface MixedTrace {
  /** Transactions by lt, then by account; predicted ones are `emulated`. */
  readonly trace: Trace;
  /** The external message and all messages that were sent, or would be. */
  readonly messages: number;
  /** Messages that are not delivered on the chain. */
  readonly pendingMessages: number;
  /** Messages to accounts whose effects are unknown. */
  readonly left: readonly LeftMessage[];
}

/** A message that is not delivered, and the transaction that has sent it or would. */
export interface LeftMessage {
  readonly sender: TraceTransaction;
  readonly message: TraceMessage;
}

/**
 * Combines a prediction with the part that the chain has done. Transactions of the chain always count, and predictions
 * in their place or below are dropped; the prediction continues only below messages that the chain has sent and not
 * delivered yet, and that were predicted. A message counts as predicted when the transaction that sends it was
 * predicted and would send the same message; or one to the same account, with the same amounts, flags, body and state;
 * or one with slightly different coins. Several candidates are matched in their order. The hash alone is not
 * sufficient: a message contains its lt and time, which cannot be predicted. The predicted part below such a message is
 * shifted in lt and time by the same amount as the message, and refers to the message of the chain.
 */
export function mixTrace(predicted: Trace, committed: Trace): MixedTrace {
  const { kept, left } = keepPredicted(predicted, committed);
  const transactions = [...committed.transactions, ...kept].sort(byLt);
  const messages = transactions.reduce((count, { outMessages }) => count + outMessages.length, 1);
  // Every transaction of the chain has a message; external outgoing messages have no receiver.
  const delivered = committed.transactions.reduce((count, { outMessages }) => count + countLogs(outMessages), 0);
  return {
    trace: {
      ...committed,
      externalHash: predicted.externalHash,
      externalHashNormalized: predicted.externalHashNormalized,
      endLt: kept.reduce((last, { lt }) => (lt > last ? lt : last), committed.endLt),
      endAt: kept.reduce((last, { now }) => Math.max(last, now), committed.endAt),
      transactions,
    },
    messages,
    pendingMessages: messages - committed.transactions.length - delivered,
    left,
  };
}

interface StoredTransaction {
  readonly kept: readonly TraceTransaction[];
  readonly left: readonly LeftMessage[];
}

/** A transaction of the chain and the prediction in its place. */
interface Pair {
  readonly real: TraceTransaction;
  readonly likely: TraceTransaction | undefined;
}

function keepPredicted(predicted: Trace, committed: Trace): StoredTransaction {
  const [done, expected] = [byMessage(committed), byMessage(predicted)];
  const traceTransactions: TraceTransaction[] = [];
  const left: LeftMessage[] = [];
  const real = committed.transactions.find(({ hash }) => hash === committed.id);
  const likely = predicted.transactions.find(({ hash }) => hash === predicted.id);
  const queue: Pair[] = real === undefined ? [] : [{ real, likely }];
  for (const pair of queue) {
    const twins = pairMessages(pair.real.outMessages, pair.likely?.outMessages ?? []);
    for (const message of pair.real.outMessages) {
      if (message.destination === undefined) continue;
      const twin = twins.get(message);
      const likelyNext = twin && expected.get(twin.hash);
      const next = done.get(message.hash);
      if (next !== undefined) {
        queue.push({ real: next, likely: likelyNext });
      } else if (likelyNext === undefined) {
        left.push({ sender: pair.real, message });
      } else {
        const below = moveBelow(message, likelyNext, expected);
        traceTransactions.push(...below.kept);
        left.push(...below.left);
      }
    }
  }
  return { kept: traceTransactions, left };
}

type ByMessage = ReadonlyMap<Hash, TraceTransaction>;

function byMessage({ transactions }: Trace): ByMessage {
  return new Map(transactions.flatMap((each) => (each.inMessage === undefined ? [] : [[each.inMessage.hash, each]])));
}

/** Matches sent messages with predicted ones; each predicted one is used once. */
function pairMessages(
  sent: readonly TraceMessage[],
  predicted: readonly TraceMessage[],
): ReadonlyMap<TraceMessage, TraceMessage> {
  const pairs = new Map<TraceMessage, TraceMessage>();
  let free = predicted;
  for (const isTwin of [isSame, isAlike, isNear]) {
    for (const message of sent) {
      const twin = pairs.has(message) ? undefined : free.find((each) => isTwin(message, each));
      if (twin === undefined) continue;
      pairs.set(message, twin);
      free = free.filter((each) => each !== twin);
    }
  }
  return pairs;
}

function isSame(a: TraceMessage, b: TraceMessage): boolean {
  return a.hash === b.hash;
}

function isAlike(a: TraceMessage, b: TraceMessage): boolean {
  return a.value === b.value && isOfOneKind(a, b);
}

/** A message that carries the remaining balance has less with every second of storage fees. */
function isNear(a: TraceMessage, b: TraceMessage): boolean {
  if (a.value === undefined || b.value === undefined) return false;
  const apart = a.value > b.value ? a.value - b.value : b.value - a.value;
  return apart * littlePart <= b.value && isOfOneKind(a, b);
}

/** A larger difference in value may be handled differently. */
const littlePart = 100n;

function isOfOneKind(a: TraceMessage, b: TraceMessage): boolean {
  return (
    a.source === b.source &&
    a.destination === b.destination &&
    a.bounce === b.bounce &&
    a.bounced === b.bounced &&
    a.body.hash() === b.body.hash() &&
    stateHash(a) === stateHash(b) &&
    a.extra.size === b.extra.size &&
    [...a.extra].every(([currency, amount]) => b.extra.get(currency) === amount)
  );
}

function stateHash({ init }: TraceMessage): Hash | undefined {
  return init && storeCell(StateInit, init).hash();
}

/** The predicted effects of a message, adapted to the message that was actually sent. */
function moveBelow(message: TraceMessage, first: TraceTransaction, expected: ByMessage): StoredTransaction {
  const lt = (message.createdLt ?? 0n) - (first.inMessage?.createdLt ?? 0n);
  const seconds = (message.createdAt ?? 0) - (first.inMessage?.createdAt ?? 0);
  const move = (each: TraceMessage): TraceMessage => ({
    ...each,
    createdLt: each.createdLt === undefined ? undefined : each.createdLt + lt,
    createdAt: each.createdAt === undefined ? undefined : each.createdAt + seconds,
  });
  const traceTransactions: TraceTransaction[] = [];
  const left: LeftMessage[] = [];
  const queue = [first];
  for (const each of queue) {
    const inMessage = each === first ? message : each.inMessage && move(each.inMessage);
    const outMessages = each.outMessages.map(move);
    const sender = { ...each, lt: each.lt + lt, now: each.now + seconds, inMessage, outMessages };
    traceTransactions.push(sender);
    for (const sent of outMessages) {
      const next = expected.get(sent.hash);
      if (next !== undefined) queue.push(next);
      else if (sent.destination !== undefined) left.push({ sender, message: sent });
    }
  }
  return { kept: traceTransactions, left };
}

function countLogs(messages: readonly TraceMessage[]): number {
  return messages.filter(({ destination }) => destination === undefined).length;
}

function byLt(a: TraceTransaction, b: TraceTransaction): number {
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1;
  return a.account < b.account ? -1 : a.account > b.account ? 1 : 0;
}
