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

type Chance = (max: number) => number;

function pick<T>(list: readonly T[], chance: Chance): T {
  return list[chance(list.length)] as T;
}

/** A cell with flipped bits, truncated, or with references to other cells. */
export function bendCell(cell: Cell, others: readonly Cell[], chance: Chance): Cell {
  if (cell.isExotic) return pick(others, chance);
  const slice = rawSliceOf(cell);
  const length = chance(4) === 0 ? chance(cell.bitLength + 1) : cell.bitLength;
  const bytes = slice.loadBits(length);
  const flips = length === 0 ? 0 : chance(4);
  for (let flip = 0; flip < flips; flip++) {
    // Most changes to opcodes break the whole message, so half of the flips spare them.
    const from = chance(2) === 0 && length > 32 ? 32 : 0;
    const bit = from + chance(length - from);
    bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (0x80 >> (bit & 7));
  }
  const builder = beginCell().storeBits(bytes, length);
  const refs = cell.refs();
  if (chance(3) === 0 && refs.length > 0) refs.splice(chance(refs.length), 1);
  if (chance(3) === 0 && refs.length < 4) refs.push(pick(others, chance));
  const bent = chance(3) === 0 && refs.length > 0 ? chance(refs.length) : -1;
  refs.forEach((ref, index) => void builder.storeRef(index === bent ? bendCell(ref, others, chance) : ref));
  return builder.cell();
}

/** The same trace with some messages mutated and some transactions moved, dropped or failed. */
export function mutateTrace(trace: Trace, others: readonly Cell[], chance: Chance): Trace {
  let transactions = [...trace.transactions];
  const accounts = transactions.map(({ account }) => account);
  for (let edits = 1 + chance(4); edits > 0; edits--) {
    const at = chance(transactions.length);
    const transaction = transactions[at] as TraceTransaction;
    switch (chance(6)) {
      case 0:
        transactions[at] = { ...transaction, aborted: !transaction.aborted, exitCode: chance(100) };
        break;
      case 1:
        if (transactions.length > 1) transactions = transactions.filter((other) => other !== transaction);
        break;
      case 2:
        transactions = swapMessages(transactions, at, chance(transactions.length));
        break;
      case 3:
        transactions[at] = { ...transaction, account: pick(accounts, chance), origStatus: "uninit" };
        break;
      default:
        transactions = bendMessage(transactions, at, others, accounts, chance);
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

function bendMessage(
  transactions: readonly TraceTransaction[],
  at: number,
  others: readonly Cell[],
  accounts: readonly TraceTransaction["account"][],
  chance: Chance,
): TraceTransaction[] {
  const hash = transactions[at]?.inMessage?.hash;
  const body = transactions[at]?.inMessage?.body;
  if (hash === undefined || body === undefined) return [...transactions];
  const bent = chance(8) === 0 ? pick(others, chance) : bendCell(body, others, chance);
  const source = chance(6) === 0 ? pick(accounts, chance) : undefined;
  // Both ends of a message show the same message.
  const edit = (message: TraceMessage): TraceMessage =>
    message.hash === hash ? { ...message, body: bent, source: source ?? message.source } : message;
  return transactions.map((transaction) => ({
    ...transaction,
    inMessage: transaction.inMessage === undefined ? undefined : edit(transaction.inMessage),
    outMessages: transaction.outMessages.map(edit),
  }));
}
