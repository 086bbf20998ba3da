import type { PendingTrace } from "../../chain/pending.ts";
import { isVisible } from "../../contracts/visibility.ts";
import type { ActionRow } from "../../history/queries/actions.ts";
import type { Reading } from "../../history/queries/History.ts";
import { classifyOpen } from "../../history/queries/openTraces.ts";
import { fillTraces, listTracesByExternal, type TraceRow } from "../../history/queries/traces.ts";
import type { Hash } from "../../model/Hash.ts";
import { emulatedActions, emulatedHead, emulatedTransactions } from "./emulated.ts";
import type { V3Services } from "./Services.ts";
import type { ActionHead } from "./shapes/actions.ts";
import type { TraceHead } from "./shapes/traces.ts";
import type { StandingTransaction } from "./shapes/transactions.ts";

type Store = NonNullable<V3Services["pending"]>;

/** A trace that is not settled, as far as anything is known of it. */
export interface PendingView {
  readonly head: TraceHead;
  /** Absent when there are too many. */
  readonly transactions: readonly StandingTransaction[] | undefined;
  readonly actions: readonly ActionHead[];
  readonly isCut: boolean;
  /** Whether the chain has begun it: what was predicted of it is then no longer told. */
  readonly isBegun: boolean;
}

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
 * the store, those it has begun are told by it, the others as predicted. The latest come first.
 */
export async function viewPending(
  reading: Reading,
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
  const begun: { readonly row: TraceRow; readonly normalizedHash: Hash }[] = [];
  const wanted = new Set(pending);
  for (const each of all) {
    const row = findIndexed(each, rows);
    if (row !== undefined && isSettled(row)) store.drop(each, row.mcSeqnoEnd);
    else if (!wanted.has(each)) continue;
    else if (row === undefined) emulated.push(viewEmulated(each, supported));
    else begun.push({ row, normalizedHash: each.sent.normalizedHash });
  }
  return [...emulated, ...(await viewBegun(reading, begun, supported))].sort(byEnd);
}

function viewEmulated(pending: PendingTrace, supported: ReadonlySet<string>): PendingView {
  return {
    head: emulatedHead(pending),
    transactions: emulatedTransactions(pending),
    actions: emulatedActions(pending, supported),
    isCut: pending.left > 0,
    isBegun: false,
  };
}

async function viewBegun(
  reading: Reading,
  begun: readonly { readonly row: TraceRow; readonly normalizedHash: Hash }[],
  supported: ReadonlySet<string>,
): Promise<readonly PendingView[]> {
  const filled = await fillTraces(
    reading,
    begun.map(({ row }) => row),
    undefined,
  );
  const shown = filled.filter(({ transactions }) => transactions !== undefined).map(({ row }) => row.traceId);
  const meanings = await classifyOpen(reading, shown);
  return filled.map(({ row, transactions }, at) => {
    const external = begun[at]?.normalizedHash;
    const actions = (meanings.get(row.traceId) ?? []).filter((action) => isShown(action, supported));
    return {
      head: { ...row, externalHash: external, state: "pending", classificationState: "ok" },
      transactions: transactions?.map((transaction) => ({
        transaction,
        standing: { emulated: false, finality: "finalized", traceExternalHash: external, traceId: row.traceId },
      })),
      actions: actions.map((action) => ({ ...action, traceExternalHash: external, traceExternalHashNorm: external })),
      isCut: false,
      isBegun: true,
    };
  });
}

function isShown({ type, ancestorTypes }: ActionRow, supported: ReadonlySet<string>): boolean {
  return isVisible({ type, ancestors: ancestorTypes }, supported);
}

function byEnd({ head: a }: PendingView, { head: b }: PendingView): number {
  return a.endLt === b.endLt ? 0 : a.endLt > b.endLt ? -1 : 1;
}
