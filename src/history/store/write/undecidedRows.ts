import type { Hash } from "../../../model/Hash.ts";
import type { SqlRow, SqlSession } from "../Database.ts";
import { partTables } from "../schema/blockTables.ts";
import { hashList } from "../schema/columns.ts";
import { insertText } from "../schema/insertText.ts";
import { readRow, type Table } from "../schema/Table.ts";
import { type UndecidedTraceRow, undecidedRows, undecidedTraces } from "../schema/tables.ts";
import type { BatchRows, TracePart } from "./BatchRows.ts";
import { noRows } from "./BatchRows.ts";
import { formatPart, parsePart } from "./rowTexts.ts";

/** What one block adds to a trace. */
export interface UndecidedPart {
  readonly traceId: Hash;
  readonly mcSeqno: number;
  readonly rows: TracePart;
}

/** The tables whose rows name their trace. */
const namedTables = partTables.filter(([, { source }]) => source.kind === "part" && source.of === "trace");

/** A part as rows of its block, under the trace that it belongs to now. */
export function asBatch({ traceId, mcSeqno, rows }: UndecidedPart): BatchRows {
  const named = namedTables.map(([name]) => [name, rows[name].map((row) => ({ ...row, traceId }))]);
  return { ...noRows(mcSeqno), ...rows, ...Object.fromEntries(named) };
}

/**
 * Decides traces in the transaction of a commit. Returns the blocks of the commit, after the rows that traces gained
 * before they touched the scope. What begins and is decided within the commit never reaches the tables of undecided
 * rows.
 */
export async function resolveUndecided(
  session: SqlSession,
  batches: readonly BatchRows[],
): Promise<readonly BatchRows[]> {
  if (batches.every(({ undecided }) => undecided === undefined)) return batches;
  const waiting = new Map<Hash, { readonly row: UndecidedTraceRow; readonly parts: readonly UndecidedPart[] }>();
  const released: UndecidedPart[] = [];
  const kept: Hash[] = [];
  const dropped: Hash[] = [];
  for (const { mcSeqno, undecided } of batches) {
    if (undecided === undefined) continue;
    for (const id of undecided.kept) released.push(...(waiting.get(id)?.parts ?? []));
    for (const id of [...undecided.kept, ...undecided.dropped]) waiting.delete(id);
    kept.push(...undecided.kept);
    dropped.push(...undecided.dropped);
    const gained = new Map(undecided.parts.map(({ traceId, rows }) => [traceId, { traceId, mcSeqno, rows }]));
    for (const row of undecided.traces) {
      const part = gained.get(row.traceId);
      const before = waiting.get(row.traceId)?.parts ?? [];
      waiting.set(row.traceId, { row, parts: part === undefined ? before : [...before, part] });
    }
  }
  const stored = await takeUndecided(session, kept);
  await dropUndecided(session, dropped);
  await writeUndecided(session, [...waiting.values()]);
  return [...[...stored, ...released].map(asBatch), ...batches];
}

/** The stored parts of traces, oldest first. */
export async function readUndecided(
  session: Pick<SqlSession, "query">,
  ids: readonly Hash[],
): Promise<readonly UndecidedPart[]> {
  if (ids.length === 0) return [];
  const sql =
    "select trace_id, mc_seqno, rows from undecided_rows where trace_id = any($1::bytea[]) order by mc_seqno, part_id";
  return (await session.query(sql, [hashList(ids)])).map(readPart);
}

/** Removes traces from those that wait, and returns their parts. */
export async function takeUndecided(session: SqlSession, ids: readonly Hash[]): Promise<readonly UndecidedPart[]> {
  const parts = await readUndecided(session, ids);
  await dropUndecided(session, ids);
  return parts;
}

/** Removes traces from those that wait. */
export async function dropUndecided(session: SqlSession, ids: readonly Hash[]): Promise<void> {
  if (ids.length === 0) return;
  await session.query("delete from undecided_rows where trace_id = any($1::bytea[])", [hashList(ids)]);
  await session.query("delete from undecided_traces where trace_id = any($1::bytea[])", [hashList(ids)]);
}

/** The rows of waiting traces by a condition over `t`. */
export async function listUndecidedTraces(
  session: Pick<SqlSession, "query">,
  condition: string,
  params: readonly (string | number | readonly string[])[],
): Promise<readonly UndecidedTraceRow[]> {
  const names = undecidedTraces.names.map((name) => `t."${name}"`).join(", ");
  const rows = await session.query(
    `select ${names} from undecided_traces t where ${condition} order by t.mc_seqno_end, t.end_lt, t.trace_id`,
    params,
  );
  return rows.map((row) => readRow(undecidedTraces, row));
}

async function writeUndecided(
  session: SqlSession,
  waiting: readonly { readonly row: UndecidedTraceRow; readonly parts: readonly UndecidedPart[] }[],
): Promise<void> {
  const rows = waiting.map(({ row }) => row);
  const parts = waiting.flatMap((each) => each.parts);
  const texts = parts.map(({ traceId, mcSeqno, rows: own }) => {
    return { traceId, mcSeqno, partId: traceId, rows: formatPart(own) };
  });
  if (rows.length > 0) {
    const ids = rows.map(({ traceId }) => traceId);
    await session.query("delete from undecided_traces where trace_id = any($1::bytea[])", [hashList(ids)]);
    await session.run(insertInto(undecidedTraces, rows));
  }
  if (texts.length > 0) await session.run(insertInto(undecidedRows, texts));
}

function insertInto(table: Table, rows: readonly object[]): string {
  return `insert into ${table.name} (${table.names.map((name) => `"${name}"`).join(", ")}) values ${insertText(table, rows)}`;
}

function readPart(row: SqlRow): UndecidedPart {
  const { traceId, mcSeqno, rows } = undecidedRows.columns;
  return {
    traceId: traceId.read(row.trace_id ?? null),
    mcSeqno: mcSeqno.read(row.mc_seqno ?? null),
    rows: parsePart(rows.read(row.rows ?? null)),
  };
}
