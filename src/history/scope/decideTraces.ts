import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { TraceTransaction } from "../../model/Trace.ts";
import type { OpenTrace, TraceStep } from "../ingest/traces/TraceMemory.ts";

/** Where the traces of a block are in respect of the scope. */
export interface TraceDecisions {
  /** Traces that touch the scope, in this or an earlier block. */
  readonly kept: ReadonlySet<Hash>;
  /** Traces that do not touch it yet, and whether they may have a beginning that is not indexed. */
  readonly undecided: ReadonlyMap<Hash, Pick<OpenTrace, "mayHaveParent">>;
  /** Of `kept`, those that waited since an earlier block. */
  readonly released: readonly Hash[];
  /** Traces that waited since an earlier block and ended outside. */
  readonly dropped: readonly Hash[];
  /** Accounts of the block that are in the scope. */
  readonly accounts: ReadonlySet<Address>;
}

/**
 * Decides which traces of a block are kept: those with a transaction on an account of the scope. A trace that is not
 * complete may still touch it, and so may a broken one, whose beginning may be indexed later.
 */
export function decideTraces(
  { mcSeqno, touched, traceIds }: TraceStep,
  transactions: readonly TraceTransaction[],
  accounts: ReadonlySet<Address>,
): TraceDecisions {
  const touching = new Set<Hash>();
  for (const { hash, account } of transactions) if (accounts.has(account)) touching.add(traceIds.get(hash) ?? hash);
  const kept = new Set<Hash>();
  const undecided = new Map<Hash, Pick<OpenTrace, "mayHaveParent">>();
  const released: Hash[] = [];
  const dropped: Hash[] = [];
  for (const { row, isInScope, mayHaveParent } of touched) {
    const { traceId } = row;
    const waited = !isInScope && row.mcSeqnoStart < mcSeqno;
    if (isInScope || touching.has(traceId)) {
      kept.add(traceId);
      if (waited) released.push(traceId);
    } else if (row.state !== "complete" || mayHaveParent) {
      undecided.set(traceId, { mayHaveParent });
    } else if (waited) {
      dropped.push(traceId);
    }
  }
  return { kept, undecided, released, dropped, accounts };
}

/** The step with the traces that were decided to touch the scope. */
export function markKept(step: TraceStep, { kept }: TraceDecisions): TraceStep {
  const touched = step.touched.map((trace) => (kept.has(trace.row.traceId) ? { ...trace, isInScope: true } : trace));
  return { ...step, touched };
}
