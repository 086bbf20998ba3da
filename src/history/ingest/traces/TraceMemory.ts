import { SpreadMap } from "../../../lib/memory/SpreadMap.ts";
import type { Hash } from "../../../model/Hash.ts";
import type { TraceTransaction } from "../../../model/Trace.ts";
import type { Database } from "../../store/Database.ts";
import type { Segment } from "../../store/schema/checkpoint.ts";
import { readRow, selectList } from "../../store/schema/Table.ts";
import type { TraceRow } from "../../store/schema/tables.ts";
import * as tables from "../../store/schema/tables.ts";
import type { BatchRows } from "../../store/write/BatchRows.ts";

/** A trace with open messages, and its remembered transactions. */
export interface OpenTrace {
  readonly row: TraceRow;
  readonly seen: readonly TraceTransaction[];
  /** Whether all its transactions are in memory; the others are in the tables. */
  readonly isWhole: boolean;
  /** Whether it is known to touch the scope of the index, if there is one. */
  readonly isInScope: boolean;
  /** Whether it looks whole, but a transaction before the segment may have sent its first message. */
  readonly mayHaveParent: boolean;
}

/** What one masterchain block changes in traces. */
export interface TraceStep {
  readonly mcSeqno: number;
  /** The trace of each transaction by its hash. */
  readonly traceIds: ReadonlyMap<Hash, Hash>;
  /** Traces begun, continued or completed, each once, ordered by their first transaction in the block. */
  readonly touched: readonly OpenTrace[];
  /** Messages sent in the block and not received in it. */
  readonly openEdges: BatchRows["openEdges"];
  /** Messages sent before the block and received in it. */
  readonly closedEdges: readonly Hash[];
}

/**
 * State of trace assembly between blocks: messages sent but not received, and their traces. It can be read from the
 * tables at any time.
 */
export class TraceMemory {
  readonly #edges: SpreadMap<Hash, Hash>;
  readonly #traces: Map<Hash, OpenTrace>;

  constructor(edges: Iterable<readonly [Hash, Hash]> = [], traces: Iterable<OpenTrace> = []) {
    this.#edges = new SpreadMap(edges);
    this.#traces = new Map([...traces].map((trace) => [trace.row.traceId, trace]));
  }

  get openEdges(): number {
    return this.#edges.size;
  }

  get openTraces(): number {
    return this.#traces.size;
  }

  /** The trace that waits for this message. */
  findEdge(message: Hash): Hash | undefined {
    return this.#edges.get(message);
  }

  /** The messages of traces that were sent before and not received. */
  listEdges(traceIds: ReadonlySet<Hash>): readonly Hash[] {
    return [...this.#edges].filter(([, traceId]) => traceIds.has(traceId)).map(([message]) => message);
  }

  findTrace(traceId: Hash): OpenTrace | undefined {
    return this.#traces.get(traceId);
  }

  /** Applies the changes of a block. */
  apply({ touched, openEdges, closedEdges }: TraceStep): void {
    for (const message of closedEdges) this.#edges.delete(message);
    for (const { msgHash, traceId } of openEdges) this.#edges.set(msgHash, traceId);
    for (const trace of touched) {
      const { traceId, pendingEdges } = trace.row;
      // Inserted again, so that the map is ordered by the last transaction.
      this.#traces.delete(traceId);
      if (pendingEdges > 0) this.#traces.set(traceId, trace);
    }
  }

  /**
   * Forgets transactions of traces that began before a block, then those of the least recently changed traces until at
   * most `max` are left, because they keep whole blocks in memory. Transactions that are not in the tables yet are
   * kept.
   */
  trim({ max, sinceSeqno, storedBefore }: TraceBounds): void {
    let count = 0;
    for (const { seen } of this.#traces.values()) count += seen.length;
    for (const [traceId, { seen, ...trace }] of this.#traces) {
      const { row } = trace;
      if (count <= max && row.mcSeqnoStart >= sinceSeqno) continue;
      const traceTransactions = seen.filter(({ mcSeqno }) => mcSeqno >= storedBefore);
      if (traceTransactions.length === seen.length) continue;
      count -= seen.length - traceTransactions.length;
      this.#traces.set(traceId, { ...trace, seen: traceTransactions, isWhole: false });
    }
  }
}

/** Limits for transactions of open traces. */
export interface TraceBounds {
  /** Number of transactions. */
  readonly max: number;
  /** Only traces that began at this block or later. */
  readonly sinceSeqno: number;
  /** Blocks before this one are in the tables. */
  readonly storedBefore: number;
}

/** Loads the state of assembly for traces that began in a range of blocks. */
export async function loadTraceMemory(database: Pick<Database, "query">, range: Segment): Promise<TraceMemory> {
  const open = (table: string, others: string) =>
    database.query(
      `select e.msg_hash, ${others}, ${selectList(tables.traces, "t")}
       from open_edges e join ${table} t on t.trace_id = e.trace_id
       where t.mc_seqno_start >= $1 and t.mc_seqno_start < $2
       order by t.mc_seqno_end, t.end_lt, t.trace_id, e.msg_hash`,
      [range.firstSeqno, range.nextSeqno],
    );
  const raw = [
    ...(await open("undecided_traces", "false as is_in_scope, t.may_have_parent")),
    ...(await open("traces", "true as is_in_scope, false as may_have_parent")),
  ];
  const edges: [Hash, Hash][] = [];
  const traces = new Map<Hash, OpenTrace>();
  for (const each of raw) {
    const row = readRow(tables.traces, each);
    edges.push([tables.openEdges.columns.msgHash.read(each.msg_hash ?? null), row.traceId]);
    const [isInScope, mayHaveParent] = [each.is_in_scope === true, each.may_have_parent === true];
    if (!traces.has(row.traceId)) traces.set(row.traceId, { row, seen: [], isWhole: false, isInScope, mayHaveParent });
  }
  return new TraceMemory(edges, traces.values());
}
