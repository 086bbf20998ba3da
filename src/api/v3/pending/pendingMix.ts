import { type MixedTrace, mixTrace } from "../../../chain/pending/mixTrace.ts";
import type { PendingTrace } from "../../../chain/pending/PendingTrace.ts";
import { type NewContracts, withNewContracts } from "../../../chain/run/newContracts.ts";
import type { AbiLibrary } from "../../../contracts/AbiLibrary.ts";
import { isVisible } from "../../../contracts/visibility.ts";
import type { ActionRow } from "../../../history/queries/actions.ts";
import type { FullTransaction } from "../../../history/queries/fill/FullTransaction.ts";
import type { HistorySnapshot } from "../../../history/queries/kit/History.ts";
import { classifyOpen, readOpen } from "../../../history/queries/openTraces.ts";
import { type FullTrace, fillTraces } from "../../../history/queries/traces.ts";
import type { TraceRow } from "../../../history/store/schema/tables.ts";
import type { V3Services } from "../services/Services.ts";
import type { TransactionInContext } from "../shapes/transactions.ts";
import { emulatedTransactions } from "./emulated.ts";
import type { PendingView } from "./PendingView.ts";

type Store = NonNullable<V3Services["pending"]>;

/** A predicted trace, and its indexed part. */
export interface PartlyIndexedTrace {
  readonly row: TraceRow;
  readonly pending: PendingTrace;
  /** Contracts that it and the traces it depends on would deploy. */
  readonly contracts: NewContracts;
}

/** Traces that the chain has begun: the indexed part, and the prediction of the rest. */
export async function viewPartlyIndexed(
  reading: HistorySnapshot,
  store: Store,
  begun: readonly PartlyIndexedTrace[],
  supported: ReadonlySet<string> | "all",
): Promise<readonly PendingView[]> {
  const rows = begun.map(({ row }) => row);
  const filled = new Map((await fillTraces(reading, rows, undefined)).map((each) => [each.row.traceId, each]));
  const isFull = ({ traceId }: TraceRow) => filled.get(traceId)?.transactions !== undefined;
  const open = await readOpen(
    reading,
    rows.filter(isFull).map(({ traceId }) => traceId),
  );
  const contractsOf = new Map(begun.map(({ row, contracts }) => [row.traceId, contracts]));
  const mixes = new Map(
    begun.flatMap(({ row: { traceId }, pending }) => {
      const committed = open.get(traceId);
      return committed === undefined ? [] : [[traceId, mixTrace(pending.trace, committed)] as const];
    }),
  );
  const meanings = await classifyOpen(
    reading,
    [...mixes.values()].map(({ trace }) => trace),
    (facts, { id }) => withNewContracts(facts, contractsOf.get(id) ?? new Map()),
  );
  const views: PendingView[] = [];
  for (const { row, pending } of begun) {
    const mixed = mixes.get(row.traceId);
    // Messages that were sent differently than predicted are part of the next answer.
    if (mixed !== undefined) store.resume(pending, mixed);
    const full = filled.get(row.traceId)?.transactions;
    const actions = (meanings.get(row.traceId) ?? []).filter((action) => isShown(action, supported));
    const isLarge = mixed === undefined || full === undefined;
    views.push(
      isLarge
        ? viewLarge(row, pending)
        : await viewMixed({ row, transactions: full }, pending, mixed, actions, reading.abis),
    );
  }
  return views;
}

/** A trace that has become too large to show. */
function viewLarge(row: TraceRow, { sent }: PendingTrace): PendingView {
  return {
    head: { ...row, externalHash: sent.normalizedHash, state: "pending", classificationState: "ok" },
    transactions: undefined,
    actions: [],
    isCut: false,
    finality: finalityOf(row),
  };
}

async function viewMixed(
  { row, transactions }: Pick<FullTrace, "row"> & { readonly transactions: readonly FullTransaction[] },
  pending: PendingTrace,
  { trace, messages, pendingMessages, left }: MixedTrace,
  actions: readonly ActionRow[],
  abis: AbiLibrary | undefined,
): Promise<PendingView> {
  return {
    head: {
      ...row,
      externalHash: pending.sent.normalizedHash,
      endLt: trace.endLt,
      endUtime: trace.endAt,
      state: "pending",
      edges: messages,
      nodes: trace.transactions.length,
      pendingEdges: pendingMessages,
      classificationState: "ok",
    },
    transactions: await showMixed(transactions.map(finalInTrace(pending, trace)), pending, { trace }, abis),
    actions,
    isCut: left.length > 0,
    finality: finalityOf(row),
  };
}

function finalInTrace({ sent }: PendingTrace, { id }: MixedTrace["trace"]) {
  const context = {
    emulated: false,
    finality: "finalized" as const,
    traceExternalHash: sent.normalizedHash,
    traceId: id,
  };
  return (transaction: FullTransaction): TransactionInContext => ({ context, ...transaction });
}

/** All transactions of a mixed trace in order, of which the chain has these. */
export async function showMixed(
  real: readonly TransactionInContext[],
  pending: PendingTrace,
  { trace }: Pick<MixedTrace, "trace">,
  abis?: AbiLibrary,
): Promise<readonly TransactionInContext[]> {
  const messages = real.flatMap(({ outMessages }) => outMessages);
  const sent = new Map(messages.map((each) => [each.row.hash, each]));
  const predicted = new Map(pending.transactions.map((each) => [each.seen.hash, each]));
  const kept = trace.transactions.flatMap((traceTransaction) => {
    const emulated = traceTransaction.emulated ? predicted.get(traceTransaction.hash) : undefined;
    return emulated === undefined ? [] : [{ ...emulated, seen: traceTransaction }];
  });
  const likely = (await emulatedTransactions({ ...pending, transactions: kept }, trace.id, abis)).map((each) => {
    const { row, inMessage } = each;
    // Messages of the chain are shown as they are, not as predicted.
    const received = (row.inMsgHash && sent.get(row.inMsgHash)) ?? inMessage;
    return { ...each, inMessage: received };
  });
  const byHash = new Map([...real, ...likely].map((each) => [each.row.hash, each]));
  return trace.transactions.flatMap(({ hash }) => byHash.get(hash) ?? []);
}

/** A complete trace only waits for classification. */
function finalityOf({ state }: TraceRow): PendingView["finality"] {
  return state === "complete" ? "finalized" : "pending";
}

function isShown({ type, ancestorTypes }: ActionRow, supported: ReadonlySet<string> | "all"): boolean {
  return supported === "all" || isVisible({ type, ancestors: ancestorTypes }, supported);
}
