import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { TraceTransaction } from "../../model/Trace.ts";
import type { OpenTrace, TraceMemory, TraceStep } from "../ingest/traces/TraceMemory.ts";
import type { TraceRow } from "../store/schema/tables.ts";

/** Where the traces of a block are in respect of the scope. */
export interface TraceDecisions {
  /** Traces that touch the scope, in this or an earlier block. */
  readonly kept: ReadonlySet<Hash>;
  /** Traces that do not touch it yet, and whether they may have a beginning that is not indexed. */
  readonly undecided: ReadonlyMap<Hash, Pick<OpenTrace, "mayHaveParent">>;
  /** Of `kept`, those that waited since an earlier block. */
  readonly released: readonly Hash[];
  /** Traces that waited since an earlier block and are outside. */
  readonly dropped: readonly Hash[];
  /** Traces that are still open and waited too long: they are outside, and what follows begins another trace. */
  readonly forgotten: ReadonlySet<Hash>;
  /** Accounts of the block that are in the scope. */
  readonly accounts: ReadonlySet<Address>;
}

/** When and where traces are decided. */
export interface DecisionTime {
  /** The time of the block, in seconds. */
  readonly now: number;
  /** Whether no earlier block will be indexed, so that no trace gains a beginning. */
  readonly isFirstSegment: boolean;
}

/** How long a trace that does not touch the scope may wait: contracts may call each other for years. */
const longestWaitSeconds = 86_400;
const maxWaiting = 100_000;

/**
 * Decides which traces of a block are kept: those with a transaction on an account of the scope. A trace with open
 * messages may still touch it, and so may a broken one, whose beginning may be indexed later. The wait is bounded.
 */
export function decideTraces(
  { mcSeqno, touched, traceIds }: TraceStep,
  transactions: readonly TraceTransaction[],
  accounts: ReadonlySet<Address>,
  { now, isFirstSegment }: DecisionTime,
): TraceDecisions {
  const touching = new Set<Hash>();
  for (const { hash, account } of transactions) if (accounts.has(account)) touching.add(traceIds.get(hash) ?? hash);
  const hashes = new Set<Hash>();
  const undecided = new Map<Hash, Pick<OpenTrace, "mayHaveParent">>();
  const released: Hash[] = [];
  const dropped: Hash[] = [];
  const forgotten = new Set<Hash>();
  for (const { row, isInScope, mayHaveParent } of touched) {
    const { traceId } = row;
    const waited = !isInScope && row.mcSeqnoStart < mcSeqno;
    if (isInScope || touching.has(traceId)) {
      hashes.add(traceId);
      if (waited) released.push(traceId);
      continue;
    }
    const mayGainParent = !isFirstSegment && (row.state === "broken" || mayHaveParent);
    const isOpen = row.pendingEdges > 0;
    if ((isOpen || mayGainParent) && !hasWaitedLong(row, now)) {
      undecided.set(traceId, { mayHaveParent });
      continue;
    }
    if (waited) dropped.push(traceId);
    if (isOpen) forgotten.add(traceId);
  }
  return { kept: hashes, undecided, released, dropped, forgotten, accounts };
}

function hasWaitedLong({ startUtime, nodes }: TraceRow, now: number): boolean {
  return now - startUtime > longestWaitSeconds || nodes > maxWaiting;
}

/** The step as the next blocks need it: without forgotten traces, and with those marked that touch the scope. */
export function applyDecisions(
  step: TraceStep,
  { kept, forgotten }: TraceDecisions,
  memory: Pick<TraceMemory, "listEdges">,
): TraceStep {
  const touched = step.touched.map((trace) => {
    const { row } = trace;
    // A trace without open messages leaves the memory.
    if (forgotten.has(row.traceId)) return { ...trace, row: { ...row, pendingEdges: 0 } };
    return kept.has(row.traceId) ? { ...trace, isInScope: true } : trace;
  });
  if (forgotten.size === 0) return { ...step, touched };
  return {
    ...step,
    touched,
    openEdges: step.openEdges.filter(({ traceId }) => !forgotten.has(traceId)),
    closedEdges: [...new Set([...step.closedEdges, ...memory.listEdges(forgotten)])],
  };
}
