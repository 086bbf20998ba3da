import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { SqlRow, TableLayout } from "../store/Database.ts";
import { isAccount } from "../store/schema/accountKey.ts";
import { actionTypeCode } from "../store/schema/actionTypeCode.ts";
import { address, hash, hashes, int4, int8, int8s, int53, ints, text, texts } from "../store/schema/columns.ts";
import { type Row, readRow, selectList } from "../store/schema/Table.ts";
import { actions } from "../store/schema/tables.ts";
import { actionsAtSql } from "./fill/actionsAt.ts";
import { type ActionPlaces, findActionPlaces, hasHash } from "./fill/places.ts";
import type { HistorySnapshot } from "./kit/History.ts";
import { nearestEdge, untilRow } from "./kit/indexScans.ts";
import { initiatedBy, maxRootsSearched } from "./kit/initiatedBy.ts";
import {
  by,
  type Direction,
  type FoundRows,
  isByOffset,
  type ListPage,
  type ListStatement,
  limitOf,
  listed,
  listSql,
  makeCursor,
  makeSearchEdges,
  maxSearched,
  type Order,
  type OrderColumn,
  orderBy,
  type Page,
  readCursor,
} from "./kit/Page.ts";
import { inRange, isByTime, type TimeRange } from "./kit/ranges.ts";
import { findPage, hasAtMost, readMerged, readPage, readTogether } from "./kit/readPage.ts";
import { type Condition, ifAny, ifSet, Params, type Statement, whereAll } from "./kit/Statement.ts";

export type ActionRow = Row<typeof actions>;

export interface ActionFilter extends TimeRange {
  /** Types that the caller supports: an action is shown when none of its ancestors is. */
  readonly supported: ReadonlySet<string>;
  readonly account?: Address | undefined;
  /** Only actions of traces whose first transaction is on the account, or only the others. */
  readonly isInitiated?: boolean | undefined;
  readonly traceIds: readonly Hash[];
  readonly actionIds: readonly Hash[];
  /** Actions that contain one of these transactions. */
  readonly transactions: readonly Hash[];
  /** Actions that contain the sender or receiver of one of these messages, by hash or normalized hash. */
  readonly messages: readonly Hash[];
  /** Where the actions are that the four filters above name. */
  readonly places?: ActionPlaces | undefined;
  /** Actions that contain the receiver of one of these external messages. */
  readonly externals?: readonly Hash[] | undefined;
  readonly mcSeqno?: number | undefined;
  /** Only these types; all supported types when empty. */
  readonly types: readonly string[];
  readonly excludedTypes: readonly string[];
  /** Only actions of traces that began with an external message, not those of the chain itself. */
  readonly isOfUsers?: boolean | undefined;
}

const nothingElse = { traceIds: [], actionIds: [], transactions: [], messages: [], types: [], excludedTypes: [] };

/** A filter that passes every action of these types. */
export function everyAction(supported: ReadonlySet<string>): ActionFilter {
  return { supported, ...nothingElse };
}

/** Whether the list is read along the account's own list of actions: other filters leave few actions. */
function isByAccount(filter: ActionFilter): boolean {
  return filter.account !== undefined && !isBounded(filter);
}

/** Conditions that an index serves, and those that are checked on the rows it finds. */
interface Found {
  readonly where: readonly Condition[];
  readonly checks: readonly Condition[];
}

/** The same column under its name in the row. */
function as(name: string, column: OrderColumn): OrderColumn {
  return { ...column, name };
}

/** Whether the list is read along the index of what users did. */
function isAlongUsers(filter: ActionFilter): boolean {
  return filter.isOfUsers === true && filter.account === undefined && filter.types.length === 0 && !isBounded(filter);
}

/** The index of what users did has this instead of the time: no other index has its order. */
const ofUsers = (sql: string): string => `(${sql} + 0)`;

function orderOf(filter: ActionFilter, sort: Direction): Order {
  const clock = isByTime(filter) ? "utime" : "lt";
  const column = isByTime(filter) ? int53 : int8;
  if (!isByAccount(filter)) {
    const first = by(`a.trace_end_${clock}`, column, sort);
    return [
      isAlongUsers(filter) ? { ...first, short: ofUsers } : first,
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
export function visibility(params: Params, { supported, types }: Pick<ActionFilter, "supported" | "types">): Condition {
  const known = params.of(texts, [...supported]);
  const isKnown = types.length > 0 ? undefined : `a.type = any(${known})`;
  return [isKnown, `not a.ancestor_types && ${known}`].filter((each) => each !== undefined).join(" and ");
}

function typeCondition(params: Params, types: readonly string[]): Condition {
  const [only] = types;
  if (only === undefined) return undefined;
  return types.length === 1 ? `a.type = ${params.of(text(), only)}` : `a.type = any(${params.of(texts, types)})`;
}

/** The end of a trace, in the list of all actions and in that of an account. */
const ofActions = { time: "a.trace_end_utime", lt: "a.trace_end_lt" };
const ofAccount = { time: "x.trace_end_utime", lt: "x.trace_end_lt" };

function conditions(params: Params, filter: ActionFilter): readonly Condition[] {
  return [
    ifSet(filter.account, (value) => `${params.of(address, value)} = any(a.accounts)`),
    ifSet(filter.places?.traceIds, (values) => `a.trace_id = any(${params.of(hashes, values)})`),
    ifSet(filter.places?.lts, (values) => `a.trace_end_lt = any(${params.of(int8s, values)})`),
    ifAny(filter.actionIds, (values) => `a.action_id = any(${params.of(hashes, values)})`),
    ifAny(filter.transactions, (values) => `a.transactions && ${params.of(hashes, values)}`),
    ifAny(filter.messages, () => `a.transactions && ${params.of(hashes, filter.places?.ends ?? [])}`),
    ifSet(filter.mcSeqno, (value) => `a.trace_mc_seqno_end = ${params.of(int4, value)}`),
    ifSet(filter.externals, (values) => receivedOutside(params, values)),
  ];
}

/** The receiver of an external message is the first transaction of its trace. */
const receivedOutside = (params: Params, externals: readonly Hash[]): string =>
  `${hasHash(params, externals, "a.trace_external_hash", "a.trace_external_hash_norm")} and a.trace_id = any(a.transactions)`;

/** The sender of the messages that the chain makes itself, such as fees to the elector. */
const chainItself = `-1:${"0".repeat(64)}`;

/** As the indexes of users' actions have it. */
const byUsers = ({ isOfUsers }: ActionFilter): Condition =>
  isOfUsers === true
    ? `a.trace_external_hash is not null and coalesce(a.details ->> 'source', '') <> '${chainItself}'`
    : undefined;

function listConditions(params: Params, filter: ActionFilter): Found {
  const { served, checked } = inRange(params, filter, ofActions);
  const users = byUsers(filter);
  const excluded = ifAny(filter.excludedTypes, (values) => `a.type <> all(${params.of(texts, values)})`);
  const shown = visibility(params, filter);
  const found = conditions(params, filter);
  const type = typeCondition(params, filter.types);
  if (isBounded(filter)) return { where: [...found, ...served, ...checked, type, excluded, shown, users], checks: [] };
  return isAlongUsers(filter)
    ? {
        where: [users, ...served, ...served.map((each) => each?.replace(/a\.trace_end_\w+/, ofUsers))],
        checks: [...checked, excluded, shown],
      }
    : { where: [...served, type], checks: [...checked, excluded, shown, users] };
}

/** The same for the list of an account, which has the types as numbers. */
function accountConditions(params: Params, filter: ActionFilter, account: Address): Found {
  const codes = (types: Iterable<string>) => params.of(ints, [...types].map(actionTypeCode));
  const { types, supported } = filter;
  const { served, checked } = inRange(params, filter, ofAccount);
  const own = isAccount("x.account", params.of(address, account));
  const [only = ""] = types;
  const isOne = types.length === 1 && !isByTime(filter);
  const type = isOne
    ? `x.type_code = ${params.of(int4, actionTypeCode(only))}`
    : `x.type_code = any(${codes(types.length === 0 ? supported : types)})`;
  const others = [
    `(x.ancestor_codes is null or not x.ancestor_codes && ${codes(supported)})`,
    ifAny(filter.excludedTypes, (values) => `x.type_code <> all(${codes(values)})`),
    ifSet(filter.externals, (values) => {
      const same = "a.trace_id = x.trace_id and a.action_id = x.action_id and a.trace_end_lt = x.trace_end_lt";
      return `exists (select 1 from actions a where ${same} and ${receivedOutside(params, values)})`;
    }),
  ];
  return isOne
    ? { where: [own, type, ...served], checks: [...checked, ...others] }
    : { where: [own, ...served], checks: [...checked, type, ...others] };
}

/** Whether the other filters leave few actions, so that all of them can be read. */
function isBounded({ traceIds, actionIds, transactions: covered, messages, mcSeqno }: ActionFilter): boolean {
  return mcSeqno !== undefined || [traceIds, actionIds, covered, messages].some(({ length }) => length > 0);
}

/** The list that a request searches: of all actions, or of those of an account. */
function actionsList(params: Params, filter: ActionFilter, page: Page, sort: Direction): ListStatement {
  const order = orderOf(filter, sort);
  const { account } = filter;
  if (account === undefined || !isByAccount(filter)) {
    const list = { select: selectList(actions, "a"), from: "actions a", order, page };
    const { where, checks } = listConditions(params, filter);
    const near = () => `select a.trace_id from actions a ${whereAll(where)}`;
    return { ...list, where: [...where, initiation(params, filter, { alias: "a", near })], checks };
  }
  const names = order.map(({ sql, name }) => `${sql} as "${name}"`);
  const select = names.concat("x.trace_end_lt as partition_lt").join(", ");
  const { where, checks } = accountConditions(params, filter, account);
  const list = { select, from: "action_accounts x", where, order, page };
  if (filter.isInitiated === undefined) return { ...list, checks };
  const near = () => {
    const searched = { limit: maxRootsSearched, offset: 0, cursor: page.cursor };
    return listSql(params, { ...list, select: names.join(", "), page: searched }).text;
  };
  const initiated = initiation(params, filter, { alias: "x", near });
  return { ...list, checks: [...checks, initiated], maxSearched: maxRootsSearched };
}

/** Whether the trace of a row began on the account, or not, when the filter says so. */
function initiation(params: Params, filter: ActionFilter, rows: Parameters<typeof initiatedBy>[2]): Condition {
  const { account, isInitiated } = filter;
  if (account === undefined || isInitiated === undefined) return undefined;
  return `${isInitiated ? "" : "not "}(${initiatedBy(params, account, rows)})`;
}

export function actionsSql(actionFilter: ActionFilter, page: Page, sort: Direction, layout?: TableLayout): Statement {
  const filter = { ...actionFilter, types: [...new Set(actionFilter.types)] };
  if (isOfManyTypes(filter)) return ofManyTypesSql(filter, page, sort, maxSearched, layout);
  const params = new Params(layout);
  return listSql(params, actionsList(params, filter, page, sort));
}

/** Whether the lists of several types are merged. */
function isOfManyTypes(filter: ActionFilter): boolean {
  return filter.types.length > 1 && !isBounded(filter) && filter.account === undefined;
}

/** Each type's part of the list is read in index order; together they contain the page. */
function ofManyTypesSql(
  filter: ActionFilter,
  page: Page,
  sort: Direction,
  max: number,
  layout?: TableLayout,
): Statement {
  const { types } = filter;
  const params = new Params(layout);
  const order = orderOf(filter, sort);
  const own = (type: string) =>
    listSql(params, {
      ...ofType(params, filter, sort, type),
      maxSearched: Math.floor(max / types.length),
      page: { limit: page.limit + page.offset, offset: 0, cursor: page.cursor },
    }).text;
  // One list a type, not a join with the types: the planner must know how many actions each type has.
  const lists = types.map((type) => `(${own(params.of(text(), type))})`);
  return params.statement(`
    select ${selectList(actions, "a")} from (${lists.join(" union all ")}) a ${orderBy(order)} ${limitOf(params, page)}`);
}

/** The list of one type; `type` is SQL. */
function ofType(params: Params, filter: ActionFilter, sort: Direction, type: string): Omit<ListStatement, "page"> {
  const { served, checked } = inRange(params, filter, ofActions);
  const excluded = ifAny(filter.excludedTypes, (values) => `a.type <> all(${params.of(texts, values)})`);
  const shown = visibility(params, filter);
  const list = { select: selectList(actions, "a"), from: "actions a", order: orderOf(filter, sort) };
  return { ...list, where: [`a.type = ${type}`, ...served], checks: [...checked, excluded, shown, byUsers(filter)] };
}

/** The place of an action in its list: the last one of a page. */
export interface ActionPosition {
  readonly isByTime: boolean;
  readonly sort: Direction;
  /** Logical times, or times when the list is by time. */
  readonly traceEnd: bigint;
  readonly traceId: Hash;
  readonly end: bigint;
  readonly actionId: Hash;
}

/** The position that a cursor of the list is behind. */
export function positionOf(cursor: string, filter: ActionFilter, sort: Direction): ActionPosition {
  const [traceEnd, traceId, end, actionId] = readCursor(cursor, orderOf(filter, sort)).map(String);
  return {
    ...{ isByTime: isByTime(filter), sort },
    ...{ traceEnd: BigInt(traceEnd ?? 0), traceId: hash.read(traceId ?? ""), end: BigInt(end ?? 0) },
    actionId: hash.read(actionId ?? ""),
  };
}

/** The cursor behind a position; `undefined` for one of a list with another order. */
export function findCursorBehind(position: ActionPosition, filter: ActionFilter, sort: Direction): string | undefined {
  const { traceEnd, traceId, end, actionId } = position;
  if (position.sort !== sort || position.isByTime !== isByTime(filter)) return undefined;
  return makeCursor(orderOf(filter, sort), [String(traceEnd), hash.write(traceId), String(end), hash.write(actionId)]);
}

/** Actions by filter. */
export async function listActions(
  reading: HistorySnapshot,
  actionFilter: ActionFilter,
  page: Page,
  sort: Direction,
): Promise<ListPage<ActionRow>> {
  const asked = { ...actionFilter, types: [...new Set(actionFilter.types)] };
  const filters = await placed(reading, asked);
  const order = orderOf(asked, sort);
  const hasOneFilter = hasAtMost(2, { ...asked, isOfUsers: undefined, isInitiated: undefined });
  const lists = filters.map((filter) => ({
    order: orderOf(filter, sort),
    read: (part: Page) => readActions(reading, filter, part, sort, hasOneFilter),
  }));
  const { items, next } = listed(await readTogether(order, page, lists), { order, page }, (row: SqlRow) => row);
  // A page is found in the lists of accounts alone; then its actions are looked up.
  const isOfKeys = filters.some(isByAccount) && items.length > 0;
  const keys = items.map((row) => ({ partition_lt: row.trace_end_lt ?? null, ...row }));
  const rows = isOfKeys ? await reading.query(actionsAtSql(keys)) : items;
  return { items: rows.map((row) => readRow(actions, row)), next };
}

/**
 * The filters of lists that together have the actions: those that are looked up, and those of often received messages.
 */
async function placed(reading: HistorySnapshot, filter: ActionFilter): Promise<readonly ActionFilter[]> {
  const places = await findActionPlaces(reading, filter);
  const found = places?.lts.length === 0 ? [] : [{ ...filter, places }];
  const outside = places?.outside;
  if (outside === undefined || outside.traceIds?.length === 0) return found;
  const { hashes: externals, traceIds = [], accounts } = outside;
  const others = { ...filter, messages: [], traceIds, externals };
  if (!isBounded(others) && filter.account === undefined)
    return [...found, ...accounts.map((account) => ({ ...others, account }))];
  return [...found, ...(await placed(reading, others))];
}

async function readActions(
  reading: HistorySnapshot,
  filter: ActionFilter,
  page: Page,
  sort: Direction,
  hasOneFilter: boolean,
): Promise<FoundRows> {
  const isAlone = isByOffset(page) || hasOneFilter;
  if (isOfManyTypes(filter)) return readOfTypes(reading, filter, page, sort, isAlone);
  const searched = {
    sql: (part: Page) => actionsSql(filter, part, sort, reading.layout),
    list: (params: Params, part: Page) => actionsList(params, filter, part, sort),
    isAlone,
  };
  const isOfAll = filter.account === undefined && filter.types.length === 0 && !isAlongUsers(filter);
  if (!hasOneFilter || !isOfAll) return readPage(reading, page, searched);
  const found = await findPage(reading, page, searched);
  if (found.edge === undefined) return found;
  // Most actions are of types that are not wanted: the lists of the others are merged.
  const types = [...filter.supported].filter((type) => !filter.excludedTypes.includes(type));
  return types.length === 0 ? { rows: [] } : readOfTypes(reading, { ...filter, types }, page, sort, isAlone);
}

function readOfTypes(
  reading: HistorySnapshot,
  filter: ActionFilter,
  page: Page,
  sort: Direction,
  isAlone: boolean,
): Promise<FoundRows> {
  const order = orderOf(filter, sort);
  return readMerged(reading, page, {
    order,
    sql: (max) => ofManyTypesSql(filter, page, sort, max, reading.layout),
    edges: (max, last) => {
      const params = new Params(reading.layout);
      const near = last && untilRow(params, order, last);
      const all = filter.types.flatMap((type) => {
        const each = Math.floor(max / filter.types.length);
        const own = ofType(params, filter, sort, params.of(text(), type));
        const edges = makeSearchEdges(params, { ...own, where: [...own.where, near], page, maxSearched: each }, 1);
        return edges?.text ?? [];
      });
      return nearestEdge(params, order, all);
    },
    isAlone,
  });
}
