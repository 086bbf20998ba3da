import type { Hash } from "../../../model/Hash.ts";
import type { TraceTransaction } from "../../../model/Trace.ts";
import type { BatchRows } from "../../store/BatchRows.ts";
import type { Segment } from "../../store/checkpoint.ts";
import type { Database } from "../../store/Database.ts";
import { type Row, readRow, selectList } from "../../store/Table.ts";
import * as tables from "../../store/tables.ts";

export type TraceRow = Row<typeof tables.traces>;

/** A trace with messages under way, and what is remembered of its transactions. */
export interface OpenTrace {
  readonly row: TraceRow;
  readonly seen: readonly TraceTransaction[];
  /** Whether all its transactions are remembered; the rest stands in the tables. */
  readonly isWhole: boolean;
}

/** What one masterchain block does to traces. */
export interface TraceStep {
  readonly mcSeqno: number;
  /** The trace of each transaction, by its hash. */
  readonly traceIds: ReadonlyMap<Hash, Hash>;
  /** Traces begun, continued or completed; each once, in the order of their first transaction in the block. */
  readonly touched: readonly OpenTrace[];
  /** Messages sent in the block and not received in it. */
  readonly openEdges: BatchRows["openEdges"];
  /** Messages sent before the block and received in it. */
  readonly closedEdges: readonly Hash[];
}

/**
 * What the assembly of traces remembers between blocks: messages sent and not received, and the traces they belong to.
 * The tables hold the same, so that it can be read from them at any time.
 */
export class TraceMemory {
  readonly #edges: Map<Hash, Hash>;
  readonly #traces: Map<Hash, OpenTrace>;

  constructor(edges: Iterable<readonly [Hash, Hash]> = [], traces: Iterable<OpenTrace> = []) {
    this.#edges = new Map(edges);
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

  findTrace(traceId: Hash): OpenTrace | undefined {
    return this.#traces.get(traceId);
  }

  /** Takes over what a block did. */
  apply({ touched, openEdges, closedEdges }: TraceStep): void {
    for (const message of closedEdges) this.#edges.delete(message);
    for (const { msgHash, traceId } of openEdges) this.#edges.set(msgHash, traceId);
    for (const trace of touched) {
      const { traceId, pendingEdges } = trace.row;
      // Inserted anew, so that the map is in the order of the last transaction.
      this.#traces.delete(traceId);
      if (pendingEdges > 0) this.#traces.set(traceId, trace);
    }
  }

  /**
   * Forgets transactions of traces that began before a block, and of those that moved longest ago until at most so many
   * are remembered: they hold on to the blocks they came with. Those that are not in the tables yet are kept.
   */
  trim({ most, sinceSeqno, storedBefore }: TraceBounds): void {
    let count = 0;
    for (const { seen } of this.#traces.values()) count += seen.length;
    for (const [traceId, { row, seen }] of this.#traces) {
      if (count <= most && row.mcSeqnoStart >= sinceSeqno) continue;
      const kept = seen.filter(({ mcSeqno }) => mcSeqno >= storedBefore);
      if (kept.length === seen.length) continue;
      count -= seen.length - kept.length;
      this.#traces.set(traceId, { row, seen: kept, isWhole: false });
    }
  }
}

/** How much is remembered of traces under way. */
export interface TraceBounds {
  /** So many transactions. */
  readonly most: number;
  /** Of traces that began with this block or later. */
  readonly sinceSeqno: number;
  /** Blocks before this one are in the tables. */
  readonly storedBefore: number;
}

/** Reads what the assembly must remember of the traces that began in a range of blocks. */
export async function loadTraceMemory(database: Pick<Database, "query">, range: Segment): Promise<TraceMemory> {
  const raw = await database.query(
    `select e.msg_hash, ${selectList(tables.traces, "t")}
     from open_edges e join traces t on t.trace_id = e.trace_id
     where t.mc_seqno_start >= $1 and t.mc_seqno_start < $2
     order by t.mc_seqno_end, t.end_lt, t.trace_id, e.msg_hash`,
    [range.firstSeqno, range.nextSeqno],
  );
  const edges: [Hash, Hash][] = [];
  const traces = new Map<Hash, OpenTrace>();
  for (const each of raw) {
    const row = readRow(tables.traces, each);
    edges.push([tables.openEdges.columns.msgHash.read(each.msg_hash ?? null), row.traceId]);
    if (!traces.has(row.traceId)) traces.set(row.traceId, { row, seen: [], isWhole: false });
  }
  return new TraceMemory(edges, traces.values());
}
