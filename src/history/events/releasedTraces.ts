import type { Hash } from "../../model/Hash.ts";
import type { BlockRow } from "../queries/blocks.ts";
import type { HistorySnapshot } from "../queries/kit/History.ts";
import { Params } from "../queries/kit/Statement.ts";
import { hash, int4, int8, int53 } from "../store/schema/columns.ts";
import { selectList } from "../store/schema/Table.ts";
import { type TraceRow, traces } from "../store/schema/tables.ts";

/** A trace that is open for longer, in seconds of the chain, counts as ended: its events wait no longer. */
const longestOpenSeconds = 600;

/** Traces that count as ended although they continue: since an earlier block, or as of this one. */
export interface ReleasedTraces {
  readonly earlier: ReadonlySet<Hash>;
  readonly now: ReadonlySet<Hash>;
}

/** Whether a trace is open at the end of a block, as far as later blocks tell. */
export function isOpenAfter({ state, mcSeqnoEnd }: TraceRow, mcSeqno: number): boolean {
  return state !== "complete" || mcSeqnoEnd > mcSeqno;
}

/**
 * Finds which of the traces of a block are released: those that are open for too long, and those with more transactions
 * than can be shown. It depends on the block and on those before it alone, so that a replay finds the same.
 */
export async function findReleased(
  reading: HistorySnapshot,
  block: BlockRow,
  previousUtime: number | undefined,
  rows: readonly { readonly row: TraceRow; readonly own: number }[],
): Promise<ReleasedTraces> {
  const { maxTraceTransactions } = reading.options;
  const earlier = new Set<Hash>();
  const now = new Set<Hash>();
  for (const { row, own } of rows) {
    const before = row.nodes > maxTraceTransactions ? await countBefore(reading, row, block) : 0;
    if (isOld(row, previousUtime) || before > maxTraceTransactions) earlier.add(row.traceId);
    else if (isOpenAfter(row, block.seqno) && (isOld(row, block.genUtime) || before + own > maxTraceTransactions))
      now.add(row.traceId);
  }
  return { earlier, now };
}

function isOld({ startUtime }: TraceRow, utime: number | undefined): boolean {
  return utime !== undefined && startUtime + longestOpenSeconds <= utime;
}

/** Open traces that become too old with this block, whether it has transactions of them or not. */
export async function listTooOld(
  reading: HistorySnapshot,
  { seqno, genUtime }: BlockRow,
  previousUtime: number | undefined,
): Promise<readonly TraceRow[]> {
  if (previousUtime === undefined || previousUtime === genUtime) return [];
  const params = new Params();
  const [after, until] = [previousUtime, genUtime].map((utime) => params.of(int53, utime - longestOpenSeconds));
  const at = params.of(int4, seqno);
  // A trace has the name of its first transaction.
  const statement = params.lookup(`
    select ${selectList(traces, "t")} from traces t
    where t.trace_id in (select x.hash from transactions x where x.now > ${after} and x.now <= ${until} and x.trace_id = x.hash)
      and t.mc_seqno_start <= ${at} and (t.mc_seqno_end > ${at} or t.state <> 'complete')`);
  return reading.rows(traces, statement);
}

/** How many transactions earlier blocks have of a trace, as far as that matters. */
async function countBefore(reading: HistorySnapshot, { traceId, startLt }: TraceRow, block: BlockRow): Promise<number> {
  const params = new Params();
  const range = `t.lt >= ${params.of(int8, startLt)} and t.lt < ${params.of(int8, block.endLt)}`;
  const of = `t.trace_id = ${params.of(hash, traceId)} and t.mc_block_seqno < ${params.of(int4, block.seqno)}`;
  const max = params.of(int4, reading.options.maxTraceTransactions + 1);
  const [row] = await reading.query(
    params.lookup(
      `select count(*)::int as found from (select 1 from transactions t where ${of} and ${range} limit ${max}) few`,
    ),
  );
  return Number(row?.found ?? 0);
}
