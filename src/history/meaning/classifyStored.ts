import type { FailureReporter } from "../../contracts/engine/ClassifyFailures.ts";
import type { Facts } from "../../contracts/engine/Facts.ts";
import type { Hash } from "../../model/Hash.ts";
import { completeTraces, loadTraces } from "../ingest/traces/storedTraces.ts";
import type { Database, SqlSession } from "../store/Database.ts";
import { isOneOfAccounts } from "../store/schema/accountKey.ts";
import { addressList } from "../store/schema/columns.ts";
import type { Columns, Row, Table } from "../store/schema/Table.ts";
import * as tables from "../store/schema/tables.ts";
import { type ActionRows, makeActionRows, transactionsLimit } from "./actionRows.ts";
import type { PrepareFacts } from "./factsAtBlocks.ts";
import { gatherFacts } from "./gatherFacts.ts";
import { KnownEntities, loadMarketplaceNames } from "./KnownEntities.ts";
import { makeLargeRows } from "./largeTraces.ts";

/** Traces classified together. */
const atOnce = 100;

export interface ClassifyOptions {
  readonly reporter?: FailureReporter | undefined;
  /** Where the tables do not have all facts. */
  readonly prepare?: PrepareFacts | undefined;
}

/** Classifies complete traces that wait for it, for example after segments were joined; returns their number. */
export async function classifyStored(
  database: Pick<Database, "query" | "write">,
  network: Facts["network"],
  signal: AbortSignal,
  { reporter, prepare }: ClassifyOptions = {},
): Promise<number> {
  for (let count = 0; ; ) {
    signal.throwIfAborted();
    const ids = await listUnclassified(database);
    if (ids.length === 0) return count;
    const open = await loadTraces(database, ids);
    const traces = await completeTraces(
      database,
      open.filter(({ row }) => row.nodes <= transactionsLimit),
    );
    const names = await loadMarketplaceNames(database);
    const rows: (ActionRows & { readonly id: Hash })[] = [];
    // Facts of one block are not those of another.
    for (const together of prepare === undefined ? [traces] : traces.map((trace) => [trace])) {
      const known = new KnownEntities(network, names);
      for (const trace of together) await prepare?.(trace, known);
      await gatherFacts(database, together, known, reporter);
      for (const trace of together) rows.push({ id: trace.id, ...makeActionRows(trace, known.facts, reporter) });
    }
    for (const trace of open) {
      if (trace.row.nodes > transactionsLimit)
        rows.push({ id: trace.row.traceId, ...(await makeLargeRows(database, trace)) });
    }
    await database.write((session) => writeActions(session, rows));
    count += rows.length;
  }
}

async function listUnclassified(database: Pick<SqlSession, "query">): Promise<readonly Hash[]> {
  const rows = await database.query(
    `select trace_id from traces where state = 'complete' and classification_state = 'unclassified'
     order by mc_seqno_end limit ${atOnce}`,
  );
  return rows.map((row) => tables.traces.columns.traceId.read(row.trace_id ?? null));
}

/** The row of a trace is taken first: of two writers that classify it, one writes. */
async function writeActions(session: SqlSession, rows: readonly (ActionRows & { readonly id: Hash })[]): Promise<void> {
  for (const { id, state, actions, actionAccounts, traceAccounts } of rows) {
    const taken = await session.query(
      `update traces set classification_state = $2 where trace_id = $1::bytea and classification_state = 'unclassified'
       returning trace_id`,
      [`\\x${id}`, state],
    );
    if (taken.length === 0) continue;
    await insert(session, tables.actions, actions);
    await insert(session, tables.actionAccounts, actionAccounts);
    await dropAccounts(session, id, traceAccounts);
    await insert(session, tables.traceAccounts, traceAccounts);
  }
}

/** Joining segments has written the accounts of traces, so that the lists of accounts have them at once. */
async function dropAccounts(session: SqlSession, id: Hash, rows: ActionRows["traceAccounts"]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  await session.query(
    `delete from trace_accounts t
     where ${isOneOfAccounts("t.account", "$1::bytea[]")} and t.end_lt = $2::bigint and t.trace_id = $3::bytea`,
    [addressList(new Set(rows.map(({ account }) => account))), String(first.endLt), `\\x${id}`],
  );
}

async function insert<C extends Columns>(
  session: SqlSession,
  table: Table<C>,
  rows: readonly Row<Table<C>>[],
): Promise<void> {
  const columns = Object.entries(table.columns);
  const names = table.names.map((name) => `"${name}"`).join(", ");
  const places = columns.map(([, column], index) => `$${index + 1}::${column.sql}`).join(", ");
  for (const row of rows) {
    // Each value is written by the column of its own name.
    const values = columns.map(([key, column]) => column.write((row as Record<string, unknown>)[key] as never));
    await session.query(`insert into ${table.name} (${names}) values (${places}) on conflict do nothing`, values);
  }
}
