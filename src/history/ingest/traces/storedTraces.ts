import { readRoot } from "../../../cell/boc.ts";
import { loadCell } from "../../../cell/codec.ts";
import { mapInPieces } from "../../../lib/sharing/mapInPieces.ts";
import type { Hash } from "../../../model/Hash.ts";
import { StateInit } from "../../../model/StateInit.ts";
import type { Trace, TraceMessage, TraceTransaction } from "../../../model/Trace.ts";
import { TransactionDescription } from "../../../model/Transaction.ts";
import { HistoryError } from "../../errors.ts";
import type { SqlSession } from "../../store/Database.ts";
import { hashList } from "../../store/schema/columns.ts";
import { type Row, readRow, selectList } from "../../store/schema/Table.ts";
import type { TraceRow } from "../../store/schema/tables.ts";
import * as tables from "../../store/schema/tables.ts";
import { asBatch, readUndecided } from "../../store/write/undecidedRows.ts";
import type { OpenTrace } from "./TraceMemory.ts";

type TransactionRow = Row<typeof tables.transactions>;
type MessageRow = Row<typeof tables.messages>;
type Session = Pick<SqlSession, "query">;

/** Completes traces: transactions that are not in memory are read from the tables, for all traces at once. */
export async function completeTraces(session: Session, traces: readonly OpenTrace[]): Promise<readonly Trace[]> {
  const missing = traces.filter(({ isWhole }) => !isWhole).map(({ row }) => row.traceId);
  const stored = await loadTransactions(session, missing);
  return traces.map(({ row, seen }) => {
    const all = new Map((stored.get(row.traceId) ?? []).map((transaction) => [transaction.hash, transaction]));
    for (const transaction of seen) all.set(transaction.hash, transaction);
    return makeTrace(row, [...all.values()]);
  });
}

const fromTables = { isInScope: true, mayHaveParent: false };

/** Traces from the tables. */
export async function loadTraces(session: Session, traceIds: readonly Hash[]): Promise<readonly OpenTrace[]> {
  if (traceIds.length === 0) return [];
  const raw = await session.query(
    `select ${selectList(tables.traces, "t")} from traces t where t.trace_id = any($1::bytea[])
     order by t.mc_seqno_end, t.end_lt, t.trace_id`,
    [hashList(traceIds)],
  );
  return raw.map((each) => ({ row: readRow(tables.traces, each), seen: [], isWhole: false, ...fromTables }));
}

function makeTrace(row: TraceRow, transactions: readonly TraceTransaction[]): Trace {
  if (transactions.length !== row.nodes) {
    throw new HistoryError(
      "history/row",
      `trace ${row.traceId} has ${transactions.length} of ${row.nodes} transactions`,
    );
  }
  return traceOf(row, transactions);
}

/** A trace from its row and these transactions. */
export function traceOf(row: TraceRow, transactions: readonly TraceTransaction[]): Trace {
  return {
    id: row.traceId,
    externalHash: row.externalHash,
    externalHashNormalized: row.externalHashNorm,
    endLt: row.endLt,
    endAt: row.endUtime,
    mcSeqnoEnd: row.mcSeqnoEnd,
    transactions,
  };
}

async function loadTransactions(
  session: Session,
  traceIds: readonly Hash[],
): Promise<ReadonlyMap<Hash, readonly TraceTransaction[]>> {
  const byTrace = new Map<Hash, TraceTransaction[]>();
  if (traceIds.length === 0) return byTrace;
  const raw = await session.query(
    `select ${selectList(tables.transactions, "t")} from transactions t
     where t.trace_id = any($1::bytea[]) order by t.lt, t.account`,
    [hashList(traceIds)],
  );
  const parts = (await readUndecided(session, traceIds)).map(asBatch);
  const stored = await mapInPieces(raw, (each) => readRow(tables.transactions, each));
  const rows = [...parts.flatMap(({ transactions }) => transactions), ...stored];
  const others = parts.flatMap(({ messages }) => messages);
  const made = await fillMessages(session, rows, others);
  for (const [index, { traceId }] of rows.entries()) {
    const list = byTrace.get(traceId) ?? [];
    byTrace.set(traceId, list);
    list.push(...made.slice(index, index + 1));
  }
  return byTrace;
}

/** Transactions with their messages, in the order of their rows; `others` are messages that are not in the tables. */
export async function fillMessages(
  session: Session,
  rows: readonly TransactionRow[],
  others: readonly MessageRow[] = [],
): Promise<readonly TraceTransaction[]> {
  const messages = await loadMessages(session, rows, others);
  return mapInPieces(rows, (row) => makeTransaction(row, messages));
}

function senderLast(a: MessageRow, b: MessageRow): number {
  return Number(a.outTxHash !== undefined) - Number(b.outTxHash !== undefined);
}

interface Messages {
  getIn(hash: Hash): TraceMessage;
  listOut(transaction: Hash): readonly TraceMessage[];
}

async function loadMessages(
  session: Session,
  transactions: readonly TransactionRow[],
  others: readonly MessageRow[],
): Promise<Messages> {
  const received = transactions.flatMap(({ inMsgHash }) => inMsgHash ?? []);
  const raw = await session.query(
    `select ${selectList(tables.messages, "m")} from messages m where m.hash = any($1::bytea[])
     union select ${selectList(tables.messages, "m")} from messages m where m.out_tx_hash = any($2::bytea[])`,
    [hashList(received), hashList(transactions.map(({ hash }) => hash))],
  );
  // The block of the sender has the sender, that of the receiver alone has not.
  const all = [...others, ...(await mapInPieces(raw, (each) => readRow(tables.messages, each)))];
  const rows = [...new Map(all.toSorted(senderLast).map((row) => [row.hash, row])).values()];
  const byHash = new Map(await mapInPieces(rows, (row) => [row.hash, makeMessage(row)] as const));
  const sent = new Map<Hash, MessageRow[]>();
  for (const row of rows) {
    if (row.outTxHash === undefined) continue;
    const list = sent.get(row.outTxHash);
    if (list === undefined) sent.set(row.outTxHash, [row]);
    else list.push(row);
  }
  const getIn = (hash: Hash): TraceMessage => byHash.get(hash) ?? absent("message", hash);
  return {
    getIn,
    listOut: (transaction) =>
      (sent.get(transaction) ?? [])
        .sort((a, b) => (a.outIndex ?? 0) - (b.outIndex ?? 0))
        .map(({ hash }) => getIn(hash)),
  };
}

function makeTransaction(row: TransactionRow, messages: Messages): TraceTransaction {
  const description = loadCell(TransactionDescription, readRoot(row.description));
  const compute = "compute" in description ? description.compute : undefined;
  return {
    hash: row.hash,
    account: row.account,
    lt: row.lt,
    now: row.now,
    mcSeqno: row.mcBlockSeqno,
    isTickTock: description.kind === "tickTock",
    aborted: row.aborted,
    emulated: false,
    origStatus: row.origStatus,
    endStatus: row.endStatus,
    exitCode: compute?.kind === "vm" ? compute.details.exitCode : undefined,
    computeSkipped: compute?.kind === "skipped" ? compute.reason : undefined,
    inMessage: row.inMsgHash === undefined ? undefined : messages.getIn(row.inMsgHash),
    outMessages: messages.listOut(row.hash),
  };
}

function makeMessage(row: MessageRow): TraceMessage {
  return {
    hash: row.hash,
    source: row.source,
    destination: row.destination,
    value: row.value,
    extra: new Map(Object.entries(row.valueExtra ?? {}).map(([currency, value]) => [Number(currency), BigInt(value)])),
    createdLt: row.createdLt,
    createdAt: row.createdAt,
    bounce: row.bounce ?? false,
    bounced: row.bounced ?? false,
    body: readRoot(row.body),
    init: row.init && loadCell(StateInit, readRoot(row.init)),
  };
}

function absent(what: string, hash: Hash): never {
  throw new HistoryError("history/row", `the tables lack the ${what} ${hash}`);
}
