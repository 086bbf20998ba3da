import type { Cell } from "../../cell/Cell.ts";
import type { Classification } from "../../contracts/classify.ts";
import type { Hash } from "../../model/Hash.ts";
import type { Trace } from "../../model/Trace.ts";
import type { Emulation } from "../run/emulation.ts";
import type { SendingProcess, SentMessage } from "../SentMessage.ts";

/** The predicted trace of a message that was sent through a process of this service, until the chain confirms it. */
export interface PendingTrace extends Emulation {
  readonly sent: SentMessage;
  readonly sentBy: SendingProcess;
  /** Absent when the facts about its accounts could not be gathered. */
  readonly classification: Classification | undefined;
  /** The last transaction on the chain of the receiving account at the time of the run. */
  readonly afterLt: bigint;
  /** Messages sent before it, by normalized hash, whose traces it was run on. */
  readonly standsOn: readonly Hash[];
}

/** Memory of a trace beside its transactions, of a transaction beside its cells, and of a cell beside its data. */
const traceBytes = 1024;
const decodedBytes = 2048;
const cellBytes = 200;

/** For ordering by time, latest first. */
export function byEnd({ trace: a }: PendingTrace, { trace: b }: PendingTrace): number {
  return a.endLt === b.endLt ? 0 : a.endLt > b.endLt ? -1 : 1;
}

/**
 * The approximate memory of a trace: its cells, of which transactions and accounts share many, and the decoded values.
 */
export function weightOf({ transactions, accounts }: Emulation): number {
  const cells = [
    ...transactions.map(({ transaction }) => transaction.cell),
    ...Array.from(accounts.values(), ({ account }) => account.cell),
  ];
  return traceBytes + transactions.length * decodedBytes + weighTrees(cells);
}

/** Without encoding them: a trace has up to a thousand transactions, and this is one piece on the loop. */
function weighTrees(roots: Cell[]): number {
  const seen = new Set(roots);
  let bytes = 0;
  for (const cell of seen) {
    bytes += cellBytes + cell.bitLength / 8;
    for (let i = 0; i < cell.refCount; i++) seen.add(cell.ref(i));
  }
  return bytes;
}

/**
 * A trace that went differently than predicted: mixed with the transactions of the chain, and with runs of the rest.
 */
export function withRest(before: PendingTrace, mixed: Trace, runs: readonly Emulation[]): PendingTrace {
  const added = runs.flatMap(({ transactions }) => transactions);
  const transactions = [...mixed.transactions, ...added.map(({ seen }) => seen)];
  const known = new Set(transactions.map(({ hash }) => hash));
  return {
    ...before,
    trace: {
      ...mixed,
      transactions,
      endLt: transactions.reduce((last, { lt }) => (lt > last ? lt : last), 0n),
      endAt: transactions.reduce((last, { now }) => Math.max(last, now), 0),
    },
    transactions: [...before.transactions.filter(({ seen }) => known.has(seen.hash)), ...added],
    contracts: new Map([before, ...runs].flatMap(({ contracts }) => [...contracts])),
    accounts: new Map([before, ...runs].flatMap(({ accounts }) => [...accounts])),
  };
}
