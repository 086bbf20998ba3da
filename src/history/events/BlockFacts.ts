import { groupBy } from "../../contracts/kit/groupBy.ts";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { ActionRow } from "../queries/actions.ts";
import type { BlockRow } from "../queries/blocks.ts";
import type { FullTransaction } from "../queries/fill/FullTransaction.ts";
import { fillTransactions } from "../queries/fill/fillTransactions.ts";
import type { HistorySnapshot } from "../queries/kit/History.ts";
import { Params } from "../queries/kit/Statement.ts";
import { transactionColumns } from "../queries/transactions.ts";
import { hashes, int4, ints, shard } from "../store/schema/columns.ts";
import { type Row, selectList } from "../store/schema/Table.ts";
import { actions, blocks, type TraceRow, traces, transactions } from "../store/schema/tables.ts";
import { jettonWalletChanges } from "../store/schema/tokenTables.ts";
import { findReleased, isOpenAfter, listTooOld, type ReleasedTraces } from "./releasedTraces.ts";

export type JettonWalletChange = Row<typeof jettonWalletChanges>;

/** A trace that came to its end in a block, or counts as ended from this block on. */
export interface EndedTrace extends OpenTracePart {
  readonly actions: readonly ActionRow[];
}

/** A trace of which a block has a part, and that continues. */
export interface OpenTracePart {
  readonly row: TraceRow;
  /**
   * Those of the block. Of a trace that ends with it also the earlier ones, by lt, then by account, unless there are
   * too many to show.
   */
  readonly transactions: readonly FullTransaction[];
  /**
   * Whether it counts as ended since an earlier block: then its earlier transactions were events of their own blocks.
   */
  readonly wasReleased: boolean;
}

/** All changes of a masterchain block, as a stream reports them: a pure function of the rows of the block. */
export interface BlockFacts {
  readonly block: BlockRow;
  readonly transactions: readonly FullTransaction[];
  readonly ended: readonly EndedTrace[];
  readonly open: readonly OpenTracePart[];
  readonly jettons: readonly JettonWalletChange[];
  /** The jettons of wallets that changed while the traces of this block ran. */
  readonly jettonOf: ReadonlyMap<Address, Address>;
}

/**
 * The rows of a block that say which accounts changed and which traces ended: its messages, most of it, are not read.
 */
export interface BlockChanges {
  readonly block: BlockRow;
  readonly transactions: readonly Row<typeof transactions>[];
  /** Traces that have transactions in the block, and those of them and of others that ended with it. */
  readonly touched: readonly TraceRow[];
  readonly ended: readonly TraceRow[];
  readonly released: ReleasedTraces;
}

/** Reads what changed with a masterchain block; `undefined` when it is not there. */
export async function readBlockChanges(reading: HistorySnapshot, mcSeqno: number): Promise<BlockChanges | undefined> {
  const found = await reading.rows(blocks, blockAndPrevious(mcSeqno));
  const block = found.find(({ seqno }) => seqno === mcSeqno);
  if (block === undefined) return undefined;
  const own = await reading.rows(transactions, transactionsOfBlock(mcSeqno));
  const touched = await listTraces(reading, [...new Set(own.map(({ traceId }) => traceId))]);
  const previousUtime = found.find(({ seqno }) => seqno === mcSeqno - 1)?.genUtime;
  const rows = withOthers(touched, await listTooOld(reading, block, previousUtime));
  const parts = rows.map((row) => ({ row, own: own.filter(({ traceId }) => traceId === row.traceId).length }));
  const released = await findReleased(reading, block, previousUtime, parts);
  const ended = rows.filter((row) => isCompletedBy(row, mcSeqno) || released.now.has(row.traceId));
  return { block, transactions: own, touched, ended, released };
}

/** Reads a masterchain block back from the tables; `undefined` when it is not there. */
export async function readBlockFacts(reading: HistorySnapshot, mcSeqno: number): Promise<BlockFacts | undefined> {
  const changes = await readBlockChanges(reading, mcSeqno);
  if (changes === undefined) return undefined;
  const { block, touched, ended, released } = changes;
  const own = await fillTransactions(reading, changes.transactions);
  const jettons = await reading.rows(jettonWalletChanges, jettonsOfBlock(mcSeqno));
  const wasReleased = ({ traceId }: TraceRow) => released.earlier.has(traceId);
  return {
    block,
    transactions: own,
    ended: await fillEnded(reading, ended, { own, mcSeqno, released }),
    open: touched
      .filter((row) => !ended.includes(row))
      .map((row) => ({ row, transactions: partOf(row, own), wasReleased: wasReleased(row) })),
    jettons,
    jettonOf: new Map(
      [...(await listEarlierWallets(reading, ended, mcSeqno)), ...jettons].map((each) => [each.address, each.jetton]),
    ),
  };
}

function isCompletedBy(row: TraceRow, mcSeqno: number): boolean {
  return row.mcSeqnoEnd === mcSeqno && !isOpenAfter(row, mcSeqno);
}

function withOthers(rows: readonly TraceRow[], others: readonly TraceRow[]): readonly TraceRow[] {
  const known = new Set(rows.map(({ traceId }) => traceId));
  return [...rows, ...others.filter(({ traceId }) => !known.has(traceId))];
}

/** Wallets that earlier blocks of longer traces changed. */
async function listEarlierWallets(
  reading: HistorySnapshot,
  ended: readonly TraceRow[],
  mcSeqno: number,
): Promise<readonly JettonWalletChange[]> {
  const longer = ended.filter(({ mcSeqnoStart }) => mcSeqnoStart !== mcSeqno);
  if (longer.length === 0) return [];
  const params = new Params();
  const ids = params.of(
    hashes,
    longer.map(({ traceId }) => traceId),
  );
  const statement = params.lookup(`
    select distinct on (w.address) ${selectList(jettonWalletChanges, "w")}
    from transactions t join jetton_wallet_changes w on w.mc_seqno = t.mc_block_seqno and w.address = t.account
    where t.trace_id = any(${ids}) and t.mc_block_seqno <= ${params.of(int4, mcSeqno)}
    order by w.address, w.mc_seqno desc`);
  return reading.rows(jettonWalletChanges, statement);
}

function partOf({ traceId }: TraceRow, transactionsOfAll: readonly FullTransaction[]): readonly FullTransaction[] {
  return transactionsOfAll.filter(({ row }) => row.traceId === traceId);
}

interface OwnOfBlock {
  readonly own: readonly FullTransaction[];
  readonly mcSeqno: number;
  readonly released: ReleasedTraces;
}

/** Traces that began in an earlier block are read up to this block; the others are in the block. */
async function fillEnded(
  reading: HistorySnapshot,
  rows: readonly TraceRow[],
  { own, mcSeqno, released }: OwnOfBlock,
): Promise<readonly EndedTrace[]> {
  const { maxTraceTransactions } = reading.options;
  const wasReleased = ({ traceId }: TraceRow) => released.earlier.has(traceId);
  const isHuge = (row: TraceRow) => wasReleased(row) && row.nodes > maxTraceTransactions;
  const longer = rows.filter((row) => row.mcSeqnoStart !== mcSeqno && !isHuge(row)).map(({ traceId }) => traceId);
  const earlier = await listTransactionsUntil(reading, longer, mcSeqno);
  // What an open trace means is known when it is complete.
  const complete = rows.filter((row) => isCompletedBy(row, mcSeqno)).map(({ traceId }) => traceId);
  const meant = complete.length === 0 ? [] : await reading.rows(actions, actionsOf(complete));
  return rows.map((row) => ({
    row,
    transactions: earlier.get(row.traceId) ?? partOf(row, own),
    actions: meant.filter(({ traceId }) => traceId === row.traceId),
    wasReleased: wasReleased(row),
  }));
}

/** Transactions of traces up to a block, by trace; each list ordered by lt, then account. */
async function listTransactionsUntil(
  reading: HistorySnapshot,
  ids: readonly Hash[],
  mcSeqno: number,
): Promise<ReadonlyMap<Hash, readonly FullTransaction[]>> {
  if (ids.length === 0) return new Map();
  const params = new Params();
  const rows = await reading.rows(
    transactions,
    params.lookup(`
      select ${transactionColumns} from transactions t
      where t.trace_id = any(${params.of(hashes, ids)}) and t.mc_block_seqno <= ${params.of(int4, mcSeqno)}
      order by t.lt, t.account`),
  );
  return groupBy(await fillTransactions(reading, rows), ({ row }) => row.traceId);
}

function blockAndPrevious(mcSeqno: number) {
  const params = new Params();
  return params.lookup(`
    select ${selectList(blocks, "b")} from blocks b
    where b.workchain = -1 and b.shard = ${params.of(shard, 1n << 63n)}
      and b.seqno = any(${params.of(ints, [mcSeqno - 1, mcSeqno])})`);
}

function transactionsOfBlock(mcSeqno: number) {
  const params = new Params();
  return params.lookup(`
    select ${transactionColumns} from transactions t
    where t.mc_block_seqno = ${params.of(int4, mcSeqno)} order by t.lt, t.account`);
}

function actionsOf(ids: readonly Hash[]) {
  const params = new Params();
  return params.lookup(`
    select ${selectList(actions, "a")} from actions a where a.trace_id = any(${params.of(hashes, ids)})
    order by a.end_lt desc, a.start_lt desc, a.action_id`);
}

function jettonsOfBlock(mcSeqno: number) {
  const params = new Params();
  return params.lookup(`
    select ${selectList(jettonWalletChanges, "w")} from jetton_wallet_changes w
    where w.mc_seqno = ${params.of(int4, mcSeqno)} order by w.address`);
}

async function listTraces(reading: HistorySnapshot, ids: readonly Hash[]): Promise<readonly TraceRow[]> {
  if (ids.length === 0) return [];
  const params = new Params();
  const statement = params.lookup(`
    select ${selectList(traces, "t")} from traces t where t.trace_id = any(${params.of(hashes, ids)})
    order by t.end_lt, t.trace_id`);
  return reading.rows(traces, statement);
}
