import { mixTrace } from "../../../chain/pending/mixTrace.ts";
import type { PendingTrace } from "../../../chain/pending/PendingTrace.ts";
import { type NewContracts, withNewContracts } from "../../../chain/run/newContracts.ts";
import { beginningOf, type ConfirmedTrace } from "../../../history/confirmed/ConfirmedReader.ts";
import type { HistorySnapshot } from "../../../history/queries/kit/History.ts";
import { classifyOpen } from "../../../history/queries/openTraces.ts";
import type { Hash } from "../../../model/Hash.ts";
import type { TransactionInContext } from "../shapes/transactions.ts";
import type { PendingView } from "./PendingView.ts";
import { showMixed } from "./pendingMix.ts";

/** Predictions by the message that began them. */
export interface Predictions {
  find(hash: Hash): PendingTrace | undefined;
}

/** Traces with transactions in confirmed blocks, each joined with the prediction of its rest, in their order. */
export async function viewConfirmed(
  reading: HistorySnapshot,
  traces: readonly ConfirmedTrace[],
  predictions: Predictions,
): Promise<readonly PendingView[]> {
  const joined = traces.map((each) => {
    const pending = predictions.find(beginningOf(each));
    return { ...each, pending, mixed: pending && mixTrace(pending.trace, each.trace) };
  });
  const contracts = new Map<Hash, NewContracts>(
    joined.flatMap(({ trace, pending }) => (pending === undefined ? [] : [[trace.id, pending.contracts]])),
  );
  const meanings = await classifyOpen(
    reading,
    joined.map(({ trace, mixed }) => mixed?.trace ?? trace),
    (facts, { id }) => withNewContracts(facts, contracts.get(id) ?? new Map()),
  );
  const views: PendingView[] = [];
  for (const { pending, mixed, ...each } of joined) {
    const { row } = each;
    const isPredicted = mixed?.trace.transactions.some(({ emulated }) => emulated) === true;
    const own = listReal(each);
    const transactions =
      isPredicted && pending !== undefined && mixed !== undefined ? await showMixed(own, pending, mixed) : own;
    const { endLt, endAt } = mixed?.trace ?? each.trace;
    const counts = mixed && { edges: mixed.messages, pendingEdges: mixed.pendingMessages };
    const ended = { endLt, endUtime: endAt, nodes: transactions.length, ...counts };
    views.push({
      head: { ...row, ...ended, externalHash: beginningOf(each), state: "pending", classificationState: "ok" },
      transactions,
      actions: meanings.get(row.traceId) ?? [],
      isCut: (mixed?.left.length ?? 0) > 0,
      finality: isPredicted ? "pending" : "confirmed",
    });
  }
  return views;
}

/** A mixture is shown with the level of each transaction. */
function listReal({ row, transactions, confirmed, ...each }: ConfirmedTrace): readonly TransactionInContext[] {
  const shared = { emulated: false, traceExternalHash: beginningOf({ row, ...each }), traceId: row.traceId };
  return transactions.map((transaction) => {
    const finality = confirmed.has(transaction.row.hash) ? "confirmed" : "finalized";
    return { context: { ...shared, finality }, ...transaction };
  });
}
