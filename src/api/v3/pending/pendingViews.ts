import { maxPredictedMessages } from "../../../chain/pending/PendingOptions.ts";
import type { PendingTrace } from "../../../chain/pending/PendingTrace.ts";
import type { NewContracts } from "../../../chain/run/newContracts.ts";
import type { AbiLibrary } from "../../../contracts/AbiLibrary.ts";
import type { HistorySnapshot } from "../../../history/queries/kit/History.ts";
import { listTracesByExternal } from "../../../history/queries/traces.ts";
import type { TraceRow } from "../../../history/store/schema/tables.ts";
import type { Hash } from "../../../model/Hash.ts";
import type { V3Services } from "../services/Services.ts";
import { emulatedActions, emulatedHead, emulatedTransactions } from "./emulated.ts";
import type { PendingView } from "./PendingView.ts";
import { type PartlyIndexedTrace, viewPartlyIndexed } from "./pendingMix.ts";

type Store = NonNullable<V3Services["pending"]>;

/** The indexed traces of the message, since the trace was predicted. */
function findIndexed({ sent, afterLt }: PendingTrace, rows: readonly TraceRow[]): TraceRow | undefined {
  const isOurs = (hash: Hash | undefined) => hash === sent.hash || hash === sent.normalizedHash;
  return rows.find((row) => row.startLt > afterLt && (isOurs(row.externalHash) || isOurs(row.externalHashNorm)));
}

/** Whether the chain has all of a trace, or more of it than a prediction may have. */
function isFinal({ state, classificationState, edges, pendingEdges }: TraceRow): boolean {
  if (state === "broken" || edges + pendingEdges > maxPredictedMessages) return true;
  return state === "complete" && classificationState !== "unclassified";
}

/**
 * Pending traces, compared with the index: those that it has completely are dropped here and in the store, those that
 * it has in part are shown with that part, and all others as predicted. Latest first.
 */
export async function viewPending(
  reading: HistorySnapshot,
  store: Store,
  pending: readonly PendingTrace[],
  supported: ReadonlySet<string>,
): Promise<readonly PendingView[]> {
  const { untouched, begun } = await compareWithIndex(reading, store, pending);
  const emulated: PendingView[] = [];
  for (const each of untouched) emulated.push(await viewEmulated(each, supported, reading.abis));
  return [...emulated, ...(await viewPartlyIndexed(reading, store, begun, supported))].sort(byEnd);
}

/** Which of these the chain has not touched yet, and which it has begun; those that are settled are dropped. */
export async function compareWithIndex(
  reading: HistorySnapshot,
  store: Store,
  pending: readonly PendingTrace[],
): Promise<{ readonly untouched: readonly PendingTrace[]; readonly begun: readonly PartlyIndexedTrace[] }> {
  // The traces that they depend on are checked too: when those are final, these will be predicted again.
  const bases = pending.flatMap(({ standsOn }) => standsOn.flatMap((hash) => store.find(hash) ?? []));
  const all = [...new Set([...bases, ...pending])];
  const externals = all.flatMap(({ sent }) => [sent.hash, sent.normalizedHash]);
  const rows = await listTracesByExternal(reading, [...new Set(externals)]);
  const untouched: PendingTrace[] = [];
  const begun: PartlyIndexedTrace[] = [];
  const wanted = new Set(pending);
  for (const each of all) {
    const row = findIndexed(each, rows);
    if (row !== undefined && isFinal(row)) store.drop(each, row.mcSeqnoEnd);
    else if (!wanted.has(each)) continue;
    else if (row === undefined) untouched.push(each);
    else begun.push({ row, pending: each, contracts: contractsOf(each, store) });
  }
  return { untouched, begun };
}

async function viewEmulated(
  pending: PendingTrace,
  supported: ReadonlySet<string>,
  abis: AbiLibrary | undefined,
): Promise<PendingView> {
  return {
    head: emulatedHead(pending),
    transactions: await emulatedTransactions(pending, undefined, abis),
    actions: emulatedActions(pending, supported),
    isCut: pending.left > 0,
    finality: "pending",
  };
}

/** Contracts that it and the traces it depends on would deploy; no index has them. */
function contractsOf(pending: PendingTrace, store: Store): NewContracts {
  const bases = pending.standsOn.flatMap((hash) => store.find(hash) ?? []);
  return new Map([...bases, pending].flatMap(({ contracts }) => [...contracts]));
}

function byEnd({ head: a }: PendingView, { head: b }: PendingView): number {
  return a.endLt === b.endLt ? 0 : a.endLt > b.endLt ? -1 : 1;
}
