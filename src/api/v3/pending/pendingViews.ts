import type { NewContracts } from "../../../chain/pending/newContracts.ts";
import type { PendingTrace } from "../../../chain/pending/PendingTrace.ts";
import type { HistorySnapshot } from "../../../history/queries/History.ts";
import { listTracesByExternal } from "../../../history/queries/traces.ts";
import type { TraceRow } from "../../../history/store/tables.ts";
import type { Hash } from "../../../model/Hash.ts";
import type { V3Services } from "../Services.ts";
import { emulatedActions, emulatedHead, emulatedTransactions } from "./emulated.ts";
import type { PendingView } from "./PendingView.ts";
import { type PartlyIndexedTrace, viewPartlyIndexed } from "./pendingMix.ts";

type Store = NonNullable<V3Services["pending"]>;

/** What the index has of the message that began a trace, since the trace was predicted. */
function findIndexed({ sent, afterLt }: PendingTrace, rows: readonly TraceRow[]): TraceRow | undefined {
  const isOurs = (hash: Hash | undefined) => hash === sent.hash || hash === sent.normalizedHash;
  return rows.find((row) => row.startLt > afterLt && (isOurs(row.externalHash) || isOurs(row.externalHashNorm)));
}

function isSettled({ state, classificationState }: TraceRow): boolean {
  return state === "broken" || (state === "complete" && classificationState !== "unclassified");
}

/**
 * Traces that wait for the chain, by what the index says of them: those it has to the end are gone from here and from
 * the store, those it has begun are told by it as far as it has them, and all else as predicted. The latest come first.
 */
export async function viewPending(
  reading: HistorySnapshot,
  store: Store,
  pending: readonly PendingTrace[],
  supported: ReadonlySet<string>,
): Promise<readonly PendingView[]> {
  // Of those that they stand on, it is seen whether they are settled, too: then these will be predicted anew.
  const bases = pending.flatMap(({ standsOn }) => standsOn.flatMap((hash) => store.find(hash) ?? []));
  const all = [...new Set([...bases, ...pending])];
  const externals = all.flatMap(({ sent }) => [sent.hash, sent.normalizedHash]);
  const rows = await listTracesByExternal(reading, [...new Set(externals)]);
  const emulated: PendingView[] = [];
  const begun: PartlyIndexedTrace[] = [];
  const wanted = new Set(pending);
  for (const each of all) {
    const row = findIndexed(each, rows);
    if (row !== undefined && isSettled(row)) store.drop(each, row.mcSeqnoEnd);
    else if (!wanted.has(each)) continue;
    else if (row === undefined) emulated.push(viewEmulated(each, supported));
    else begun.push({ row, pending: each, contracts: contractsOf(each, store) });
  }
  return [...emulated, ...(await viewPartlyIndexed(reading, store, begun, supported))].sort(byEnd);
}

function viewEmulated(pending: PendingTrace, supported: ReadonlySet<string>): PendingView {
  return {
    head: emulatedHead(pending),
    transactions: emulatedTransactions(pending),
    actions: emulatedActions(pending, supported),
    isCut: pending.left > 0,
    finality: "pending",
  };
}

/** What it and those it stands on would deploy; no index can know of that. */
function contractsOf(pending: PendingTrace, store: Store): NewContracts {
  const bases = pending.standsOn.flatMap((hash) => store.find(hash) ?? []);
  return new Map([...bases, pending].flatMap(({ contracts }) => [...contracts]));
}

function byEnd({ head: a }: PendingView, { head: b }: PendingView): number {
  return a.endLt === b.endLt ? 0 : a.endLt > b.endLt ? -1 : 1;
}
