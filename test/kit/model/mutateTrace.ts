import { beginCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { rawSliceOf } from "../../../src/cell/Slice.ts";
import type { Trace, TraceMessage, TraceTransaction } from "../../../src/model/Trace.ts";

/** A fast seeded random, for tests that need many values. */
export function quickRandom(seed: number): (max: number) => number {
  let state = seed >>> 0;
  return (max) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % max;
  };
}

type QuickRandom = (max: number) => number;

function pick<T>(list: readonly T[], random: QuickRandom): T {
  return list[random(list.length)] as T;
}

/** A cell with flipped bits, truncated, or with references to other cells. */
export function mutateBody(cell: Cell, others: readonly Cell[], random: QuickRandom): Cell {
  if (cell.isExotic) return pick(others, random);
  const slice = rawSliceOf(cell);
  const length = random(4) === 0 ? random(cell.bitLength + 1) : cell.bitLength;
  const bytes = slice.loadBits(length);
  const flips = length === 0 ? 0 : random(4);
  for (let flip = 0; flip < flips; flip++) {
    // Most changes to opcodes break the whole message, so half of the flips spare them.
    const from = random(2) === 0 && length > 32 ? 32 : 0;
    const bit = from + random(length - from);
    bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (0x80 >> (bit & 7));
  }
  const builder = beginCell().storeBits(bytes, length);
  const refs = cell.refs();
  if (random(3) === 0 && refs.length > 0) refs.splice(random(refs.length), 1);
  if (random(3) === 0 && refs.length < 4) refs.push(pick(others, random));
  const mutated = random(3) === 0 && refs.length > 0 ? random(refs.length) : -1;
  refs.forEach((ref, index) => void builder.storeRef(index === mutated ? mutateBody(ref, others, random) : ref));
  return builder.cell();
}

/** The same trace with some messages mutated and some transactions moved, dropped or failed. */
export function mutateTrace(trace: Trace, others: readonly Cell[], random: QuickRandom): Trace {
  let transactions = [...trace.transactions];
  const accounts = transactions.map(({ account }) => account);
  for (let edits = 1 + random(4); edits > 0; edits--) {
    const at = random(transactions.length);
    const transaction = transactions[at] as TraceTransaction;
    switch (random(6)) {
      case 0:
        transactions[at] = { ...transaction, aborted: !transaction.aborted, exitCode: random(100) };
        break;
      case 1:
        if (transactions.length > 1) transactions = transactions.filter((other) => other !== transaction);
        break;
      case 2:
        transactions = swapMessages(transactions, at, random(transactions.length));
        break;
      case 3:
        transactions[at] = { ...transaction, account: pick(accounts, random), origStatus: "uninit" };
        break;
      default:
        transactions = mutateMessage(transactions, at, others, accounts, random);
    }
  }
  return { ...trace, transactions };
}

/** Two transactions swap places in the tree: each gets the other's message. */
function swapMessages(transactions: readonly TraceTransaction[], a: number, b: number): TraceTransaction[] {
  const [first, second] = [transactions[a] as TraceTransaction, transactions[b] as TraceTransaction];
  const list = [...transactions];
  list[a] = { ...first, inMessage: second.inMessage };
  list[b] = { ...second, inMessage: first.inMessage };
  return list;
}

function mutateMessage(
  transactions: readonly TraceTransaction[],
  at: number,
  others: readonly Cell[],
  accounts: readonly TraceTransaction["account"][],
  random: QuickRandom,
): TraceTransaction[] {
  const hash = transactions[at]?.inMessage?.hash;
  const body = transactions[at]?.inMessage?.body;
  if (hash === undefined || body === undefined) return [...transactions];
  const mutated = random(8) === 0 ? pick(others, random) : mutateBody(body, others, random);
  const source = random(6) === 0 ? pick(accounts, random) : undefined;
  // Both ends of a message show the same message.
  const edit = (message: TraceMessage): TraceMessage =>
    message.hash === hash ? { ...message, body: mutated, source: source ?? message.source } : message;
  return transactions.map((transaction) => ({
    ...transaction,
    inMessage: transaction.inMessage === undefined ? undefined : edit(transaction.inMessage),
    outMessages: transaction.outMessages.map(edit),
  }));
}
