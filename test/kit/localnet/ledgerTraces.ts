import type { Ledger } from "../../../src/localnet/ledger/Ledger.ts";
import { forEachTransaction } from "../../../src/model/block/Block.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { loadInCell } from "../../../src/model/Message.ts";
import { type Trace, type TraceTransaction, traceTransaction } from "../../../src/model/Trace.ts";
import { Transaction } from "../../../src/model/Transaction.ts";
import { listBlocks } from "./ledgerTransactions.ts";

/** All traces that external messages started on a chain, in order. */
export function listTraces(ledger: Ledger): readonly Trace[] {
  const all = listTraceTransactions(ledger);
  const byMessage = new Map<Hash, TraceTransaction>();
  for (const transaction of all)
    if (transaction.inMessage !== undefined) byMessage.set(transaction.inMessage.hash, transaction);
  return all
    .filter(({ inMessage }) => inMessage !== undefined && inMessage.source === undefined)
    .map((first) => makeTrace(first, byMessage))
    .toSorted((a, b) => (a.startLt < b.startLt ? -1 : 1))
    .map(({ trace }) => trace);
}

function listTraceTransactions(ledger: Ledger): TraceTransaction[] {
  return listBlocks(ledger).flatMap((block) => {
    const traceTransactions: TraceTransaction[] = [];
    const place = { workchain: block.id.workchain, mcSeqno: block.masterSeqno, emulated: false };
    forEachTransaction(ledger.block(block), (cell) =>
      traceTransactions.push(traceTransaction(loadInCell(Transaction, cell), place)),
    );
    return traceTransactions;
  });
}

function makeTrace(first: TraceTransaction, byMessage: ReadonlyMap<Hash, TraceTransaction>) {
  const transactions = [first];
  for (const { outMessages } of transactions) {
    for (const { hash } of outMessages) {
      const next = byMessage.get(hash);
      if (next !== undefined) transactions.push(next);
    }
  }
  const last = transactions.reduce((a, b) => (b.lt > a.lt ? b : a));
  const trace: Trace = {
    id: first.hash,
    externalHash: first.inMessage?.hash,
    externalHashNormalized: undefined,
    endLt: last.lt,
    endAt: last.now,
    mcSeqnoEnd: last.mcSeqno,
    transactions,
  };
  return { trace, startLt: first.lt };
}
