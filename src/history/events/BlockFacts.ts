import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { ActionRow } from "../queries/actions.ts";
import { type BlockRow, listBlocks } from "../queries/blocks.ts";
import type { FullTransaction } from "../queries/fill/FullTransaction.ts";
import { fillTransactions } from "../queries/fill/fillTransactions.ts";
import type { HistorySnapshot } from "../queries/History.ts";
import { Params } from "../queries/kit/Statement.ts";
import { listTransactionsOf } from "../queries/traces.ts";
import { transactionColumns } from "../queries/transactions.ts";
import { hashes, int4 } from "../store/columns.ts";
import { type Row, selectList } from "../store/Table.ts";
import { actions, jettonWalletChanges, type TraceRow, traces, transactions } from "../store/tables.ts";

export type JettonWalletChange = Row<typeof jettonWalletChanges>;

/** A trace that came to its end in a block. */
export interface EndedTrace {
  readonly row: TraceRow;
  /** By lt, then by account. */
  readonly transactions: readonly FullTransaction[];
  readonly actions: readonly ActionRow[];
}

/** A trace of which a block has a part, and that continues. */
export interface OpenTracePart {
  readonly row: TraceRow;
  /** Those of the block alone. */
  readonly transactions: readonly FullTransaction[];
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

/** Reads a masterchain block back from the tables; `undefined` when it is not there. */
export async function readBlockFacts(reading: HistorySnapshot, mcSeqno: number): Promise<BlockFacts | undefined> {
  const page = { limit: 1, offset: 0, cursor: undefined };
  const filter = { workchain: -1, shard: 1n << 63n, seqno: mcSeqno };
  const [block] = (await listBlocks(reading, filter, page, "asc")).items;
  if (block === undefined) return undefined;
  const own = await fillTransactions(reading, await reading.rows(transactions, transactionsOfBlock(mcSeqno)));
  const rows = await listTraces(reading, [...new Set(own.map(({ row }) => row.traceId))]);
  const isEnded = ({ state, mcSeqnoEnd }: TraceRow) => state === "complete" && mcSeqnoEnd === mcSeqno;
  const ended = rows.filter(isEnded);
  const jettons = await reading.rows(jettonWalletChanges, jettonsOfBlock(mcSeqno));
  return {
    block,
    transactions: own,
    ended: await fillEnded(reading, ended, own),
    open: rows.filter((row) => !isEnded(row)).map((row) => ({ row, transactions: partOf(row, own) })),
    jettons,
    jettonOf: new Map(
      [...(await listEarlierWallets(reading, ended)), ...jettons].map((each) => [each.address, each.jetton]),
    ),
  };
}

/** Wallets that earlier blocks of longer traces changed. */
async function listEarlierWallets(
  reading: HistorySnapshot,
  ended: readonly TraceRow[],
): Promise<readonly JettonWalletChange[]> {
  const longer = ended.filter(({ mcSeqnoStart, mcSeqnoEnd }) => mcSeqnoStart !== mcSeqnoEnd);
  if (longer.length === 0) return [];
  const params = new Params();
  const ids = params.of(
    hashes,
    longer.map(({ traceId }) => traceId),
  );
  const found = params.lookup(`
    select distinct on (w.address) ${selectList(jettonWalletChanges, "w")}
    from transactions t join jetton_wallet_changes w on w.mc_seqno = t.mc_block_seqno and w.address = t.account
    where t.trace_id = any(${ids}) order by w.address, w.mc_seqno desc`);
  return reading.rows(jettonWalletChanges, found);
}

function partOf({ traceId }: TraceRow, transactionsOfAll: readonly FullTransaction[]): readonly FullTransaction[] {
  return transactionsOfAll.filter(({ row }) => row.traceId === traceId);
}

/** Traces that began in an earlier block are read whole; the others are in the block. */
async function fillEnded(
  reading: HistorySnapshot,
  rows: readonly TraceRow[],
  own: readonly FullTransaction[],
): Promise<readonly EndedTrace[]> {
  const { maxTraceTransactions } = reading.options;
  const shown = rows.filter(({ nodes }) => nodes <= maxTraceTransactions);
  const ids = shown.map(({ traceId }) => traceId);
  const longer = shown.filter(({ mcSeqnoStart, mcSeqnoEnd }) => mcSeqnoStart !== mcSeqnoEnd);
  const earlier = await listTransactionsOf(
    reading,
    longer.map(({ traceId }) => traceId),
  );
  const meant = ids.length === 0 ? [] : await reading.rows(actions, actionsOf(ids));
  return shown.map((row) => ({
    row,
    transactions: earlier.get(row.traceId) ?? partOf(row, own),
    actions: meant.filter(({ traceId }) => traceId === row.traceId),
  }));
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
  const found = params.lookup(`
    select ${selectList(traces, "t")} from traces t where t.trace_id = any(${params.of(hashes, ids)})
    order by t.end_lt, t.trace_id`);
  return reading.rows(traces, found);
}
