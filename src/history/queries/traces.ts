import { groupBy } from "../../contracts/kit/groupBy.ts";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { SqlRow } from "../store/Database.ts";
import { isAccount } from "../store/schema/accountKey.ts";
import { address, hash, hashes, int4, int8, int8s, int53 } from "../store/schema/columns.ts";
import { readRow, selectList } from "../store/schema/Table.ts";
import { type TraceRow, traces, transactions } from "../store/schema/tables.ts";
import type { ActionRow } from "./actions.ts";
import { listActionsOf } from "./actionsOfTraces.ts";
import type { FullTransaction } from "./fill/FullTransaction.ts";
import { fillTransactions, type HashesAt, hashesAt, near, unnested } from "./fill/fillTransactions.ts";
import { findLts, findNamed, hasHash, traceStartsSql } from "./fill/places.ts";
import type { HistoryOptions, HistorySnapshot } from "./kit/History.ts";
import {
  by,
  columnOf,
  type Direction,
  type ListPage,
  type ListStatement,
  listed,
  listSql,
  type Order,
  type Page,
} from "./kit/Page.ts";
import { inRange, isByTime, type TimeRange } from "./kit/ranges.ts";
import { isSearchedOn, readPage, readTogether } from "./kit/readPage.ts";
import { type Condition, ifAny, ifSet, Params, type Statement } from "./kit/Statement.ts";
import { transactionColumns } from "./transactions.ts";

export interface TraceFilter extends TimeRange {
  readonly account?: Address | undefined;
  readonly traceIds: readonly Hash[];
  /** The logical times at which these traces began. */
  readonly starts?: readonly bigint[] | undefined;
  /** Traces that contain one of these transactions. */
  readonly transactions: readonly Hash[];
  /** Traces that contain one of these messages, by hash or normalized hash. */
  readonly messages: readonly Hash[];
  /** The masterchain block that completed the trace. */
  readonly mcSeqno?: number | undefined;
  /** Only traces that began with one of these external messages, by hash or normalized hash. */
  readonly externals?: readonly Hash[] | undefined;
}

/** A trace with its transactions, unless there are too many. */
export interface FullTrace {
  readonly row: TraceRow;
  /** Ordered by lt, then account; absent when there are too many. */
  readonly transactions: readonly FullTransaction[] | undefined;
  /** Absent when not requested. */
  readonly actions: readonly ActionRow[] | undefined;
}

/** Whether the list is read along the account's own list of traces: other filters leave few traces. */
const isByAccount = ({ account, mcSeqno }: TraceFilter) => account !== undefined && mcSeqno === undefined;

function orderOf(filter: TraceFilter, sort: Direction): Order {
  const side = isByAccount(filter) ? "a" : "t";
  const first = isByTime(filter) ? by(`${side}.end_utime`, int53, sort) : by(`${side}.end_lt`, int8, sort);
  return [first, by(`${side}.trace_id`, hash, sort)];
}

function conditions(params: Params, filter: TraceFilter): readonly Condition[] {
  return [
    ifSet(filter.account, (value) => {
      // Only with `mcSeqno`, whose few traces are looked up in the account's list.
      const few = `select f.trace_id, f.end_lt from traces f where f.mc_seqno_end = ${params.of(int4, filter.mcSeqno ?? 0)}`;
      return `t.trace_id in (
        select a.trace_id from (${few}) f join trace_accounts a on a.end_lt = f.end_lt and a.trace_id = f.trace_id
        where ${isAccount("a.account", params.of(address, value))}
      )`;
    }),
    ifAny(filter.traceIds, (values) => `t.trace_id = any(${params.of(hashes, values)})`),
    ifSet(filter.starts, (values) => `t.start_lt = any(${params.of(int8s, values)})`),
    ifSet(filter.mcSeqno, (value) => `t.mc_seqno_end = ${params.of(int4, value)}`),
    ifSet(filter.externals, (values) => hasHash(params, values, "t.external_hash", "t.external_hash_norm")),
    isNamed(filter) ? named : "t.state = 'complete'",
  ];
}

/** Whether a trace of an account began with one of these messages: most traces began shortly before they ended. */
function beganWith(params: Params, externals: readonly Hash[]): string {
  const found = (when: string) => `(
    select ${hasHash(params, externals, "t.external_hash", "t.external_hash_norm")} is true from traces t
    where t.trace_id = a.trace_id and ${when})`;
  const isNear = `t.start_lt <= a.end_lt and t.start_lt > a.end_lt - ${near}`;
  return `coalesce(${found(isNear)}, ${found(`t.start_lt <= a.end_lt - ${near}`)})`;
}

/** Whether another filter than the list of complete traces finds the traces. */
function isNamed({ account, traceIds, transactions: covered, messages, mcSeqno }: TraceFilter): boolean {
  return account !== undefined || mcSeqno !== undefined || traceIds.length + covered.length + messages.length > 0;
}

/** The same condition in a form that keeps the planner from scanning the list of complete traces for a few of them. */
const named = "t.state <> 'pending' and t.state <> 'broken'";

function tracesList(params: Params, filter: TraceFilter, page: Page, sort: Direction): ListStatement {
  const order = orderOf(filter, sort);
  if (isByAccount(filter)) {
    const { served, checked } = inRange(params, filter, { time: "a.end_utime", lt: "a.end_lt" });
    const checks = [...checked, ifSet(filter.externals, (values) => beganWith(params, values))];
    const own = ifSet(filter.account, (value) => isAccount("a.account", params.of(address, value)));
    const select = "a.end_lt, a.end_utime, a.trace_id";
    return { select, from: "trace_accounts a", where: [own, ...served], checks, order, page };
  }
  const { served, checked: checks } = inRange(params, filter, { time: "t.end_utime", lt: "t.end_lt" });
  const found = conditions(params, filter);
  const list = { select: selectList(traces, "t"), from: "traces t", order, page };
  return isNamed(filter)
    ? { ...list, where: [...found, ...served, ...checks] }
    : { ...list, where: [...found, ...served], checks };
}

export function tracesSql(filter: TraceFilter, page: Page, sort: Direction): Statement {
  const params = new Params();
  return listSql(params, tracesList(params, filter, page, sort));
}

/** Traces that ended at these times, of those that began shortly before. */
export function tracesNearSql(ids: HashesAt): Statement {
  const params = new Params();
  return params.lookup(`
    select ${selectList(traces, "t")} from ${unnested(params, ids)}
    join traces t on t.trace_id = k.hash and t.start_lt <= k.lt and t.start_lt > k.lt - ${near}`);
}

/** The same of those that began at any earlier time. */
export function tracesBeforeSql(ids: HashesAt): Statement {
  const params = new Params();
  return params.lookup(`
    select ${selectList(traces, "t")} from ${unnested(params, ids)}
    join traces t on t.trace_id = k.hash and t.start_lt <= k.lt - ${near}`);
}

/** The traces of a page of an account's list, in its order. */
async function listTracesAt(reading: HistorySnapshot, keys: readonly SqlRow[]): Promise<readonly TraceRow[]> {
  const places = keys.map((row) => ({
    hash: hash.read(columnOf(row, "trace_id")),
    lt: int8.read(columnOf(row, "end_lt")),
  }));
  const found = new Map<Hash, TraceRow>();
  for (const sql of [tracesNearSql, tracesBeforeSql]) {
    const missing = places.filter((each) => !found.has(each.hash));
    if (missing.length === 0) break;
    for (const row of await reading.rows(traces, sql(hashesAt(missing)))) found.set(row.traceId, row);
  }
  return places.flatMap((each) => found.get(each.hash) ?? []);
}

/**
 * The filters of lists that together have the traces that others name: those that are looked up, and those of accounts
 * that received a message very often.
 */
async function placed(reading: HistorySnapshot, filter: TraceFilter): Promise<readonly TraceFilter[]> {
  const { traceIds, transactions, messages } = filter;
  if (isByAccount(filter) || traceIds.length + transactions.length + messages.length === 0) return [filter];
  const { traceIds: ids, outside } = await findNamed(reading, filter);
  const others = { ...filter, transactions: [], messages: [] };
  const filters: TraceFilter[] = [];
  const add = async (of: readonly Hash[], externals?: readonly Hash[]) => {
    const starts = of.length === 0 ? [] : await findLts(reading, traceStartsSql(of));
    if (starts.length > 0) filters.push({ ...others, traceIds: of, starts, externals });
  };
  await add(ids);
  if (outside?.traceIds !== undefined) {
    await add(outside.traceIds, outside.hashes);
  } else if (outside !== undefined) {
    const accounts = filter.mcSeqno === undefined ? outside.accounts : [undefined];
    for (const account of accounts) filters.push({ ...others, account, traceIds: [], externals: outside.hashes });
  }
  return filters;
}

/** Complete traces by filter, without their transactions. */
export async function listTraces(
  reading: HistorySnapshot,
  asked: TraceFilter,
  page: Page,
  sort: Direction,
): Promise<ListPage<TraceRow>> {
  const filters = await placed(reading, asked);
  const isAlone = isSearchedOn(asked, page);
  const lists = filters.map((filter) => ({
    order: orderOf(filter, sort),
    read: (part: Page) =>
      readPage(reading, part, {
        sql: (next) => tracesSql(filter, next, sort),
        list: (params, next) => tracesList(params, filter, next, sort),
        isAlone,
      }),
  }));
  const order = orderOf(asked, sort);
  const { items, next } = listed(await readTogether(order, page, lists), { order, page }, (row: SqlRow) => row);
  // A page is found in the lists of accounts alone; then its traces are looked up.
  const rows = filters.some(isByAccount)
    ? await listTracesAt(reading, items)
    : items.map((row) => readRow(traces, row));
  return { items: rows, next };
}

/** Where a trace is: logical times bound the partitions that are looked into. */
type TracePlace = Pick<TraceRow, "traceId" | "startLt" | "endLt" | "state">;

export function transactionsOfTracesSql(of: readonly TracePlace[]): Statement {
  const params = new Params();
  const ids = params.of(
    hashes,
    of.map(({ traceId }) => traceId),
  );
  const starts = params.of(
    int8s,
    of.map(({ startLt }) => startLt),
  );
  const ends = params.of(
    int8s,
    of.map(({ state, endLt }) => (state === "complete" ? endLt : maxLt)),
  );
  return params.lookup(`
    select ${transactionColumns} from unnest(${ids}, ${starts}, ${ends}) as k(trace_id, start_lt, end_lt)
    join transactions t on t.trace_id = k.trace_id and t.lt >= k.start_lt and t.lt <= k.end_lt
    order by t.lt, t.account`);
}

const maxLt = (1n << 63n) - 1n;

/** Transactions of traces by trace; each list ordered by lt, then account. */
async function listTransactionsOf(
  reading: HistorySnapshot,
  of: readonly (TracePlace & Pick<TraceRow, "externalHash">)[],
): Promise<ReadonlyMap<Hash, readonly FullTransaction[]>> {
  if (of.length === 0) return new Map();
  const rows = await reading.rows(transactions, transactionsOfTracesSql(of));
  const externals = new Map(
    of.flatMap(({ traceId, externalHash }) => (externalHash === undefined ? [] : [[traceId, externalHash] as const])),
  );
  return groupBy(await fillTransactions(reading, rows, externals), ({ row }) => row.traceId);
}

/** The row of a trace, complete or not. */
export function traceByIdSql(id: Hash): Statement {
  const params = new Params();
  return params.lookup(`select ${selectList(traces, "t")} from traces t where t.trace_id = ${params.of(hash, id)}`);
}

/** All transactions of one trace, complete or not; absent when there is no such trace. */
export async function listTransactionsOfTrace(
  reading: HistorySnapshot,
  id: Hash,
): Promise<readonly FullTransaction[] | undefined> {
  const rows = await reading.rows(traces, traceByIdSql(id));
  checkMessages(reading, rows);
  return (await listTransactionsOf(reading, rows)).get(id);
}

/** How many transactions one statement reads: between two statements, other requests have their turn. */
const maxAtOnce = 200;

/** Adds transactions and, when types are given, actions of those types to traces. */
export async function fillTraces(
  reading: HistorySnapshot,
  rows: readonly TraceRow[],
  supported: ReadonlySet<string> | undefined,
): Promise<readonly FullTrace[]> {
  const shown = rows.filter((row) => isShownWhole(reading.options, row));
  checkMessages(reading, shown);
  const full: FullTrace[] = [];
  for (const some of splitTraces(rows, maxAtOnce)) full.push(...(await fillSome(reading, some, supported)));
  return full;
}

/** Whether a trace is shown with its transactions. */
function isShownWhole({ maxTraceTransactions, maxMessages }: HistoryOptions, row: TraceRow): boolean {
  return row.nodes <= maxTraceTransactions && messagesOf(row) <= maxMessages;
}

/** The messages of a trace, each of which is received or sent as an external message, or waits. */
function messagesOf({ edges, pendingEdges }: TraceRow): number {
  return edges + pendingEdges;
}

/** Refuses traces before they are read. */
function checkMessages(reading: HistorySnapshot, rows: readonly TraceRow[]): void {
  const count = rows.reduce((sum, row) => sum + messagesOf(row), 0);
  if (count > reading.options.maxMessages) reading.countMessages(count);
}

/** Traces in parts with this many transactions, or a single trace. */
function* splitTraces(rows: readonly TraceRow[], max: number): Generator<readonly TraceRow[]> {
  let [part, nodes]: [TraceRow[], number] = [[], 0];
  for (const row of rows) {
    if (part.length > 0 && nodes + row.nodes > max) {
      yield part;
      [part, nodes] = [[], 0];
    }
    part.push(row);
    nodes += row.nodes;
  }
  if (part.length > 0) yield part;
}

async function fillSome(
  reading: HistorySnapshot,
  rows: readonly TraceRow[],
  supported: ReadonlySet<string> | undefined,
): Promise<readonly FullTrace[]> {
  const shown = rows.filter((row) => isShownWhole(reading.options, row));
  const transactions = await listTransactionsOf(reading, shown);
  const actions = supported && (await listActionsOf(reading, rows, supported));
  return rows.map((row) => ({
    row,
    transactions: isShownWhole(reading.options, row) ? (transactions.get(row.traceId) ?? []) : undefined,
    actions: actions && (actions.get(row.traceId) ?? []),
  }));
}

/** The newest traces of external messages, by hash or normalized hash, complete or not. */
export function tracesByExternalSql(externals: readonly Hash[]): Statement {
  const params = new Params();
  const list = params.of(hashes, externals);
  return params.statement(`
    select ${selectList(traces, "t")} from traces t
    where t.external_hash = any(${list}) or t.external_hash_norm = any(${list})
    order by t.start_lt desc, t.trace_id`);
}

export async function listTracesByExternal(
  reading: HistorySnapshot,
  externals: readonly Hash[],
): Promise<readonly TraceRow[]> {
  return externals.length === 0 ? [] : reading.rows(traces, tracesByExternalSql(externals));
}
