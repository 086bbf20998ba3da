import { groupBy } from "../../../contracts/kit/groupBy.ts";
import type { Address } from "../../../model/Address.ts";
import type { Hash } from "../../../model/Hash.ts";
import type { SqlSession } from "../../store/Database.ts";
import { isOneOfAccounts } from "../../store/schema/accountKey.ts";
import {
  address as addressColumn,
  addresses as addressesColumn,
  addressList,
  hashList,
} from "../../store/schema/columns.ts";
import { insertText } from "../../store/schema/insertText.ts";
import { type Columns, type Row, readRow, selectList, type Table } from "../../store/schema/Table.ts";
import * as tables from "../../store/schema/tables.ts";
import { assembleTraces } from "./assembleTraces.ts";
import { fillMessages } from "./storedTraces.ts";
import { TraceMemory } from "./TraceMemory.ts";

type TransactionRow = Row<typeof tables.transactions>;
type MessageRow = Row<typeof tables.messages>;

/** Transactions of a trace that are read at once: a trace may have lasted for years. */
const pageSize = 2_000;

/**
 * Prepares the removal of everything before a logical time, in its transaction: traces that reach beyond it become
 * those of an index that begins there. Transactions whose message was sent before begin broken traces; messages that
 * were sent before and not received yet are forgotten. Returns the messages that the remaining transactions received
 * from removed ones, without their senders: `putBack` writes them when the rest is removed.
 */
export async function cutTraces(session: SqlSession, end: bigint): Promise<readonly MessageRow[]> {
  const crossing = await session.query(
    `select t.trace_id, t.end_lt from traces t
     where t.start_lt < $1::bigint and t.end_lt >= $1::bigint
       and t.mc_seqno_end >= (select min(b.mc_block_seqno) from blocks b where b.end_lt >= $1::bigint)
     order by t.trace_id`,
    [String(end)],
  );
  const received: MessageRow[] = [];
  for (const row of crossing) {
    const { traceId, endLt } = tables.traces.columns;
    const trace = { id: traceId.read(row.trace_id ?? null), endLt: endLt.read(row.end_lt ?? null) };
    await forgetMeaning(session, trace);
    received.push(...(await assembleRest(session, trace.id, end)));
  }
  await session.query(
    "delete from open_edges e using traces t where t.trace_id = e.trace_id and t.start_lt < $1::bigint",
    [String(end)],
  );
  return received;
}

/** Writes messages again whose partition was removed. */
export async function putBack(session: SqlSession, messages: readonly MessageRow[]): Promise<void> {
  if (messages.length === 0) return;
  await session.query("select make_partitions($1::bigint[])", [messages.map(({ lt }) => String(lt))]);
  await insertRows(session, tables.messages, messages);
}

/** Removes what a trace means, because it is not the whole trace. */
export async function forgetMeaning(
  session: SqlSession,
  { id, endLt }: { readonly id: Hash; readonly endLt: bigint },
): Promise<void> {
  const ofTrace = `\\x${id}`;
  const own = await session.query("select distinct account from transactions where trace_id = $1::bytea", [ofTrace]);
  const named = await session.query("select accounts from actions where trace_id = $1::bytea", [ofTrace]);
  const accounts = new Set<Address>([
    ...own.map((row) => addressColumn.read(row.account ?? null)),
    ...named.flatMap((row) => addressesColumn.read(row.accounts ?? null)),
  ]);
  // Tables that are keyed by account have no other index.
  const ofAccounts = [ofTrace, addressList(accounts), String(endLt)];
  for (const [name, lt] of [
    ["trace_accounts", "end_lt"],
    ["action_accounts", "trace_end_lt"],
  ] as const) {
    await session.query(
      `delete from ${name} t
       where t.trace_id = $1::bytea and ${isOneOfAccounts("t.account", "$2::bytea[]")} and t.${lt} = $3::bigint`,
      ofAccounts,
    );
  }
  await session.query("delete from actions where trace_id = $1::bytea", [ofTrace]);
}

/** Assembles the rest of a trace again; returns the messages that came from its removed part. */
async function assembleRest(session: SqlSession, id: Hash, end: bigint): Promise<readonly MessageRow[]> {
  const memory = new TraceMemory();
  const traces = new Map<Hash, tables.TraceRow>();
  const edges = new Map<Hash, Hash>();
  const received: MessageRow[] = [];
  let last: TransactionRow | undefined;
  for (;;) {
    const rows = await readPage(session, id, end, last);
    const transactions = await fillMessages(session, rows);
    for (const [mcSeqno, own] of groupBy(transactions, (each) => each.mcSeqno)) {
      const step = assembleTraces(memory, { mcSeqno, transactions: own, normalized: new Map() });
      memory.apply(step);
      for (const { row } of step.touched) traces.set(row.traceId, row);
      for (const hash of step.closedEdges) edges.delete(hash);
      for (const { msgHash, traceId } of step.openEdges) edges.set(msgHash, traceId);
      await relabel(session, id, step.traceIds);
    }
    memory.trim({ max: 0, sinceSeqno: Number.POSITIVE_INFINITY, storedBefore: Number.POSITIVE_INFINITY });
    received.push(...(await readReceived(session, rows, end)));
    last = rows.at(-1);
    if (rows.length < pageSize) break;
  }
  await session.query("delete from open_edges where trace_id = $1::bytea", [`\\x${id}`]);
  const open = [...edges].map(([msgHash, traceId]) => ({ msgHash, traceId }));
  await insertRows(session, tables.openEdges, open);
  await insertRows(session, tables.traces, [...traces.values()]);
  return received;
}

/** The transactions of a trace from a logical time on, after a given one, in the order of assembly. */
async function readPage(
  session: SqlSession,
  id: Hash,
  end: bigint,
  after: TransactionRow | undefined,
): Promise<readonly TransactionRow[]> {
  const place = after === undefined ? "" : "and (t.mc_block_seqno, t.lt, t.account) > ($3::int, $4::bigint, $5::bytea)";
  const raw = await session.query(
    `select ${selectList(tables.transactions, "t")} from transactions t
     where t.trace_id = $1::bytea and t.lt >= $2::bigint ${place}
     order by t.mc_block_seqno, t.lt, t.account limit ${pageSize}`,
    [
      ...[`\\x${id}`, String(end)],
      ...(after === undefined ? [] : [after.mcBlockSeqno, String(after.lt), addressColumn.write(after.account)]),
    ],
  );
  return raw.map((each) => readRow(tables.transactions, each));
}

/** The messages that transactions received and that were sent before a logical time, without their senders. */
async function readReceived(
  session: SqlSession,
  rows: readonly TransactionRow[],
  end: bigint,
): Promise<readonly MessageRow[]> {
  const raw = await session.query(
    `select ${selectList(tables.messages, "m")} from messages m
     where m.hash = any($1::bytea[]) and m.lt < $2::bigint`,
    [hashList(rows.flatMap(({ inMsgHash }) => inMsgHash ?? [])), String(end)],
  );
  return raw.map((each) => ({ ...readRow(tables.messages, each), outTxHash: undefined, outIndex: undefined }));
}

const carriers = [
  ["transactions", "hash"],
  ["jetton_transfers", "tx_hash"],
  ["jetton_burns", "tx_hash"],
  ["nft_transfers", "tx_hash"],
] as const;

/** Gives transactions of a trace, and the token events in them, to the traces that they are in now. */
async function relabel(session: SqlSession, id: Hash, traceIds: ReadonlyMap<Hash, Hash>): Promise<void> {
  for (const [traceId, own] of groupBy([...traceIds], ([, each]) => each)) {
    const params = [`\\x${traceId}`, `\\x${id}`, hashList(own.map(([hash]) => hash))];
    for (const [name, hash] of carriers) {
      await session.query(
        `update ${name} set trace_id = $1::bytea where trace_id = $2::bytea and ${hash} = any($3::bytea[])`,
        params,
      );
    }
  }
}

async function insertRows(session: SqlSession, table: Table<Columns>, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  const names = table.names.map((name) => `"${name}"`).join(", ");
  await session.run(`insert into ${table.name} (${names}) values ${insertText(table, rows)}`);
}
