import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { address, hash, hashes, int4, int8, int53, text, texts } from "../store/columns.ts";
import type { SqlRow } from "../store/Database.ts";
import { type Row, readRow, selectList } from "../store/Table.ts";
import { actions, transactions } from "../store/tables.ts";
import type { FullTransaction } from "./fill/FullTransaction.ts";
import { fillTransactions } from "./fill/fillTransactions.ts";
import { endsOfMessages } from "./fill/messageEnds.ts";
import type { HistorySnapshot } from "./History.ts";
import {
  by,
  type Direction,
  type ListPage,
  type ListStatement,
  limitOf,
  listed,
  listSql,
  type Order,
  type OrderColumn,
  orderBy,
  type Page,
} from "./kit/Page.ts";
import { boundedLt } from "./kit/ranges.ts";
import { type Condition, ifAny, ifSet, Params, type Statement } from "./kit/Statement.ts";
import { transactionColumns } from "./transactions.ts";

export type ActionRow = Row<typeof actions>;

export interface ActionFilter {
  /** Types that the caller supports: an action is shown when none of its ancestors is. */
  readonly supported: ReadonlySet<string>;
  readonly account?: Address | undefined;
  readonly traceIds: readonly Hash[];
  readonly actionIds: readonly Hash[];
  /** Actions that contain one of these transactions. */
  readonly transactions: readonly Hash[];
  /** Actions that contain the sender or receiver of one of these messages, by hash or normalized hash. */
  readonly messages: readonly Hash[];
  readonly mcSeqno?: number | undefined;
  /** Only these types; all supported types when empty. */
  readonly types: readonly string[];
  readonly excludedTypes: readonly string[];
  readonly startUtime?: number | undefined;
  readonly endUtime?: number | undefined;
  readonly startLt?: bigint | undefined;
  readonly endLt?: bigint | undefined;
}

const nothingElse = { traceIds: [], actionIds: [], transactions: [], messages: [], types: [], excludedTypes: [] };

/** A filter that passes every action of these types. */
export function everyAction(supported: ReadonlySet<string>): ActionFilter {
  return { supported, ...nothingElse };
}

const isByTime = ({ startUtime, endUtime }: ActionFilter) => startUtime !== undefined || endUtime !== undefined;

/** The same column under its name in the row. */
function as(name: string, column: OrderColumn): OrderColumn {
  return { ...column, name };
}

function orderOf(filter: ActionFilter, sort: Direction): Order {
  const clock = isByTime(filter) ? "utime" : "lt";
  const column = isByTime(filter) ? int53 : int8;
  if (filter.account === undefined) {
    return [
      by(`a.trace_end_${clock}`, column, sort),
      by("a.trace_id", hash, sort),
      by(`a.end_${clock}`, column, sort),
      by("a.action_id", hash, sort),
    ];
  }
  return [
    by(`x.trace_end_${clock}`, column, sort),
    by("x.trace_id", hash, sort),
    as(`end_${clock}`, by(`x.action_end_${clock}`, column, sort)),
    by("x.action_id", hash, sort),
  ];
}

/** An action is shown when its type is supported and none of its ancestors is. v3.md §8.5 */
function visibility(params: Params, { supported, types }: Pick<ActionFilter, "supported" | "types">): Condition {
  const known = params.of(texts, [...supported]);
  const isKnown = types.length > 0 ? undefined : `a.type = any(${known})`;
  return [isKnown, `not a.ancestor_types && ${known}`].filter((each) => each !== undefined).join(" and ");
}

function typeCondition(params: Params, types: readonly string[]): Condition {
  const [only] = types;
  if (only === undefined) return undefined;
  return types.length === 1 ? `a.type = ${params.of(text(), only)}` : `a.type = any(${params.of(texts, types)})`;
}

function conditions(params: Params, filter: ActionFilter): readonly Condition[] {
  const side = filter.account === undefined ? "a" : "x";
  return [
    ifSet(filter.account, (value) => `x.account = ${params.of(address, value)}`),
    ifAny(filter.traceIds, (values) => `${side}.trace_id = any(${params.of(hashes, values)})`),
    ifAny(filter.actionIds, (values) => `a.action_id = any(${params.of(hashes, values)})`),
    ifAny(filter.transactions, (values) => {
      const list = params.of(hashes, values);
      const found = `select t.trace_id from transactions t where t.hash = any(${list})`;
      return `a.trace_id in (${found}) and a.transactions && ${list}`;
    }),
    ifAny(filter.messages, (values) => {
      const list = params.of(hashes, values);
      const found = endsOfMessages(list, (alias) => `${alias}.trace_id`);
      const covered = endsOfMessages(list, (alias) => `${alias}.hash`);
      return `a.trace_id in (${found}) and a.transactions && array(${covered})`;
    }),
    ifSet(filter.mcSeqno, (value) => `a.trace_mc_seqno_end = ${params.of(int4, value)}`),
    ifSet(filter.startUtime, (value) => `${side}.trace_end_utime >= ${params.of(int53, value)}`),
    ifSet(filter.endUtime, (value) => `${side}.trace_end_utime <= ${params.of(int53, value)}`),
    ifSet(filter.startLt, (value) => `${side}.trace_end_lt >= ${params.of(int8, boundedLt(value))}`),
    ifSet(filter.endLt, (value) => `${side}.trace_end_lt <= ${params.of(int8, boundedLt(value))}`),
    typeCondition(params, filter.types),
    ifAny(filter.excludedTypes, (values) => `a.type <> all(${params.of(texts, values)})`),
  ];
}

function actionsList(params: Params, filter: ActionFilter, page: Page, sort: Direction): ListStatement {
  const seen = visibility(params, filter);
  const isByAccount = filter.account !== undefined;
  return {
    select: selectList(actions, "a"),
    from: isByAccount ? ofAccount(seen) : "actions a",
    where: [...conditions(params, filter), isByAccount ? undefined : seen],
    order: orderOf(filter, sort),
    page,
  };
}

/**
 * The actions of an account, each looked up along the account's list: the planner cannot estimate how many are shown,
 * and with a low estimate it would look up and sort all of them.
 */
function ofAccount(seen: Condition): string {
  return `action_accounts x cross join lateral (
    select a.* from actions a where a.trace_id = x.trace_id and a.action_id = x.action_id and ${seen} offset 0) a`;
}

/** Whether the other filters leave few actions, so that all of them can be read. */
function isBounded(filter: ActionFilter): boolean {
  const { account, traceIds, actionIds, transactions: covered, messages, mcSeqno } = filter;
  const lists = [traceIds, actionIds, covered, messages];
  return account !== undefined || mcSeqno !== undefined || lists.some(({ length }) => length > 0) || isByTime(filter);
}

export function actionsSql(filter: ActionFilter, page: Page, sort: Direction): Statement {
  const types = [...new Set(filter.types)];
  if (types.length > 1 && !isBounded(filter)) return ofManyTypesSql(types, filter, page, sort);
  const params = new Params();
  return listSql(params, actionsList(params, { ...filter, types }, page, sort));
}

/** Each type's part of the list is read in index order; together they contain the page. */
function ofManyTypesSql(types: readonly string[], filter: ActionFilter, page: Page, sort: Direction): Statement {
  const params = new Params();
  const order = orderOf(filter, sort);
  const others = conditions(params, { ...filter, types: [] });
  const own = listSql(params, {
    select: selectList(actions, "a"),
    from: "actions a",
    where: ["a.type = k.type", ...others, visibility(params, filter)],
    order,
    page: { limit: page.limit + page.offset, offset: 0, cursor: page.cursor },
  });
  return params.statement(`
    select ${selectList(actions, "a")}
    from unnest(${params.of(texts, types)}) as k(type)
    cross join lateral (${own.text}) a
    ${orderBy(order)} ${limitOf(params, page)}`);
}

/** Actions by filter. */
export async function listActions(
  reading: HistorySnapshot,
  filter: ActionFilter,
  page: Page,
  sort: Direction,
): Promise<ListPage<ActionRow>> {
  const rows = await reading.query(actionsSql(filter, page, sort));
  return listed(rows, { order: orderOf(filter, sort), page }, (row: SqlRow) => readRow(actions, row));
}

export function actionsOfTracesSql(ids: readonly Hash[], supported: ReadonlySet<string>): Statement {
  const params = new Params();
  const known = visibility(params, { supported, types: [] });
  return params.lookup(`
    select ${selectList(actions, "a")} from actions a
    where a.trace_id = any(${params.of(hashes, ids)}) and ${known}
    order by a.start_lt, a.end_lt, a.action_id`);
}

/** Actions of traces for a caller that supports these types, by trace. */
export async function listActionsOf(
  reading: HistorySnapshot,
  ids: readonly Hash[],
  supported: ReadonlySet<string>,
): Promise<ReadonlyMap<Hash, readonly ActionRow[]>> {
  const byTrace = new Map<Hash, ActionRow[]>();
  if (ids.length === 0) return byTrace;
  for (const row of await reading.rows(actions, actionsOfTracesSql(ids, supported))) {
    const list = byTrace.get(row.traceId);
    if (list === undefined) byTrace.set(row.traceId, [row]);
    else list.push(row);
  }
  return byTrace;
}

export function transactionsByHashSql(of: readonly Hash[]): Statement {
  const params = new Params();
  return params.lookup(`
    select ${transactionColumns} from transactions t where t.hash = any(${params.of(hashes, of)})`);
}

/** Indexed transactions by hash. */
export async function readTransactions(
  reading: HistorySnapshot,
  of: readonly Hash[],
): Promise<ReadonlyMap<Hash, FullTransaction>> {
  if (of.length === 0) return new Map();
  const rows = await reading.rows(transactions, transactionsByHashSql([...new Set(of)]));
  return new Map((await fillTransactions(reading, rows)).map((full) => [full.row.hash, full]));
}
