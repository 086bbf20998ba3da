import { crc32 } from "../../../lib/crc.ts";
import { isCoded } from "../../../lib/errors.ts";
import { type JsonValue, parseJson } from "../../../lib/json.ts";
import { HistoryError } from "../../errors.ts";
import type { SqlRow, SqlValue } from "../../store/Database.ts";
import { address, type Column, int8 } from "../../store/schema/columns.ts";
import { type Condition, type Params, type Statement, whereAll } from "./Statement.ts";
import { successive } from "./successive.ts";

export type Direction = "asc" | "desc";

/** Which part of a list is wanted. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
  /** The end of the previous page, from its `next`. */
  readonly cursor?: string | undefined;
  /** Whether the cursor stands for an offset. */
  readonly isResumed?: boolean | undefined;
  /** How many rows are searched, where that is not what the list says. */
  readonly maxSearched?: number | undefined;
}

/** Whether a page was asked for by an offset: its caller does not see a cursor to go on from. */
export function isByOffset({ offset, isResumed = false }: Page): boolean {
  return offset > 0 || isResumed;
}

/** A page, and the cursor of the next one; a page that is not full has none. */
export interface ListPage<T> {
  readonly items: readonly T[];
  readonly next: string | undefined;
}

/** One column of an order; all columns together must identify a row. */
export interface OrderColumn {
  /** As in the statement: `t.lt`. */
  readonly sql: string;
  /** Its name in the row. */
  readonly name: string;
  readonly column: Pick<Column<unknown>, "sql" | "read" | "isNullable"> & { write(value: never): string | null };
  readonly direction: Direction;
  /** Whether it may be null, which one column of an order may be. */
  readonly isNullable: boolean;
  /** The short prefix, of the column or of a value, that an index has instead of a wide column. */
  readonly short?: ((sql: string) => string) | undefined;
}

/** The order of a list: what a cursor remembers of the last row, and where the next page begins. */
export type Order = readonly OrderColumn[];

/** One column of an order. */
export function by(sql: string, column: OrderColumn["column"], direction: Direction): OrderColumn {
  return { sql, name: sql.slice(sql.indexOf(".") + 1), column, direction, isNullable: column.isNullable };
}

/** The first seven bytes of a hash: nearly its order, and much narrower in an index. */
export const firstBytes = (sql: string): string => `substring(${sql} from 1 for 7)`;

/** One column of an order that an index has only the first bytes of; rows with the same ones are sorted. */
export function byFirstBytes(sql: string, column: OrderColumn["column"], direction: Direction): OrderColumn {
  return { ...by(sql, column, direction), short: firstBytes };
}

/** The `order by` of an order. */
export function orderBy(order: Order): string {
  const words = order.flatMap(({ sql, direction, short }) => {
    return [...(short === undefined ? [] : [`${short(sql)} ${direction}`]), `${sql} ${direction}`];
  });
  return `order by ${words.join(", ")}`;
}

/** An order in the words of another alias, which has no indexes. */
export function inAlias(alias: string, order: Order): Order {
  return order.map((each) => ({ ...each, sql: `${alias}."${each.name}"`, short: undefined }));
}

/** The end of a statement that selects a page. */
export function limitOf(params: Params, { limit, offset }: Pick<Page, "limit" | "offset">): string {
  return `limit ${params.of(int8, BigInt(limit))} offset ${params.of(int8, BigInt(offset))}`;
}

/** Identifies the list of a cursor: a cursor of another order is refused. */
function nameOf(order: Order): string {
  const words = order.map(({ sql, direction }) => `${sql} ${direction}`).join(",");
  return crc32(Buffer.from(words)).toString(36);
}

/**
 * Conditions for rows after the cursor: one list for each range of rows that an index gives in order. Without a cursor
 * there is one range without a condition.
 */
function stretches(params: Params, order: Order, { cursor }: Page): readonly (readonly Condition[])[] {
  if (cursor === undefined || order.length === 0) return [[]];
  return stretchesBehind(params, order, readCursor(cursor, order));
}

function stretchesBehind(
  params: Params,
  order: Order,
  values: readonly (string | null)[],
): readonly (readonly Condition[])[] {
  const [first, ...others] = order;
  if (first === undefined || !order.some(({ isNullable }) => isNullable)) return [[behind(params, order, values)]];
  if (!first.isNullable) {
    const value = place(params, first.column, values[0] ?? "");
    const rest = stretchesBehind(params, others, values.slice(1));
    const sign = first.direction === "asc" ? ">" : "<";
    return [...rest.map((each) => [`${first.sql} = ${value}`, ...each]), [`${first.sql} ${sign} ${value}`]];
  }
  const isNull = `${first.sql} is null`;
  // By default PostgreSQL puts nulls first when descending and last when ascending.
  if (values[0] === null) {
    const rest = [isNull, behind(params, others, values.slice(1))];
    return first.direction === "desc" ? [rest, [`${first.sql} is not null`]] : [rest];
  }
  const rest = [behind(params, order, values)];
  return first.direction === "asc" ? [rest, [isNull]] : [rest];
}

function behind(params: Params, order: Order, values: readonly (string | null)[]): string {
  const places = order.map(({ column }, at) => place(params, column, values[at] ?? ""));
  return order.every(({ direction }) => direction === order[0]?.direction)
    ? behindAtOnce(order, places)
    : behindOneByOne(order, places);
}

/** A list query. */
export interface ListStatement {
  /** The columns, with the alias before each. */
  readonly select: string;
  readonly from: string;
  readonly where: readonly Condition[];
  readonly order: Order;
  readonly page: Page;
  /**
   * A column that leads the index and does not change the order of the wanted rows: it has one value in all of them, or
   * grows with the order. Only with it the planner recognises the index's order, and no other index has that order.
   */
  readonly lead?: string | undefined;
  /** Conditions that no index finds rows by; at most `maxSearched` rows are read to find those that meet them. */
  readonly checks?: readonly Condition[] | undefined;
  readonly maxSearched?: number | undefined;
  /** Whether the planner does not know the value that leads the index, so that it must have no choice. */
  readonly isForced?: boolean | undefined;
  /**
   * How many columns of the order an index has, when few rows are the same in these; known where the first is a time.
   */
  readonly fewTiesAfter?: number | undefined;
}

/** How many rows are searched for those that meet the conditions which no index serves. */
export const maxSearched = 10_000;

/** The statement of a page: filters, order, limit, offset and cursor. */
export function listSql(params: Params, list: ListStatement): Statement {
  const { order, page } = list;
  const arms = stretches(params, order, page);
  const whole = wholeOrder(list);
  const armSql = (more: readonly Condition[]) => orderedSql(params, list, whole, more);
  const [only = []] = arms;
  const ties = fewTiesAfter(list);
  if (arms.length === 1 && ties > 0) return params.statement(tiedSql(params, list, only, ties));
  if (arms.length === 1) return params.statement(`${armSql(only)} ${limitOf(params, page)}`);
  const enough = () => params.of(int8, BigInt(page.limit + page.offset));
  const inOrder = `${orderBy(inAlias("l", order))} ${limitOf(params, page)}`;
  if (ties > 0) {
    const all = arms.map((arm) => `(${tiedSql(params, list, arm, ties)})`).join(" union all ");
    return params.statement(`select * from (${all}) l ${inOrder}`);
  }
  const rows = arms.map((arm) => `${armSql(arm)} limit ${enough()}`);
  const { parts, names } = successive(rows, enough);
  const all = names.map((name) => `select * from ${name}`).join(" union all ");
  return params.statement(`with ${parts} select * from (${all}) l ${inOrder}`);
}

/** By how many columns of the order rows can be read alone, because few rows have the same values there; 0 for none. */
function fewTiesAfter(list: ListStatement): number {
  const { order, isForced = false, page } = list;
  const [first] = order;
  if (!isForced || page.offset > 0 || first === undefined) return 0;
  return list.fewTiesAfter ?? (!first.isNullable && /^id$|(?:^|_)(?:lt|now|utime)$/.test(first.name) ? 1 : 0);
}

/**
 * The first rows, and those with the same time as the last of them, in the order of the index: there is nothing to
 * sort. To sort rows with the same time, the planner would rather read and sort all rows, of which it expects few. So
 * more rows than wanted may be searched: whoever merges lists leaves out what is behind the end of a search.
 */
function tiedSql(params: Params, list: ListStatement, more: readonly Condition[], ties: number): string {
  const { select, from, where, lead, page } = list;
  const order = orderBy(wholeOrder(list).slice(0, lead === undefined ? ties : ties + 1));
  const first = (count: number) => `${order} fetch first (${params.of(int8, BigInt(count))}) rows with ties`;
  const found = `from ${from} ${whereAll([...where, ...more])}`;
  const checks = presentChecks(list);
  const alias = from.slice(from.lastIndexOf(" ") + 1);
  const searched = () => `from (select ${alias}.* ${found} ${first(searchedOf(list))}) ${alias} ${whereAll(checks)}`;
  return `select ${select} ${checks.length === 0 ? found : searched()} ${first(page.limit)}`;
}

/** The order of an index that a column leads. */
function wholeOrder({ order, lead }: ListStatement): Order {
  return lead === undefined ? order : [by(lead, int8, order[0]?.direction ?? "asc"), ...order];
}

function orderedSql(params: Params, list: ListStatement, order: Order, more: readonly Condition[]): string {
  const { select, from, where } = list;
  const found = whereAll([...where, ...more]);
  const checks = presentChecks(list);
  if (checks.length === 0) return `select ${select} from ${from} ${found} ${orderBy(order)}`;
  const alias = from.slice(from.lastIndexOf(" ") + 1);
  // Named, so that the planner sees that the rows come in order already and stops when there are enough.
  const shorts = order.flatMap(({ sql, name, short }) =>
    short === undefined ? [] : `${short(sql)} as "short_${name}"`,
  );
  const near = [`${alias}.*`, ...shorts].join(", ");
  const outer = order.map((each) => ({ ...each, short: each.short && (() => `${alias}."short_${each.name}"`) }));
  return `select ${select} from (
      select ${near} from ${from} ${found} ${orderBy(order)} limit ${params.of(int8, BigInt(searchedOf(list)))}
    ) ${alias} ${whereAll(checks)} ${orderBy(outer)}`;
}

function searchedOf({ page, maxSearched: max = maxSearched }: ListStatement): number {
  return page.maxSearched ?? max;
}

function presentChecks({ checks = [] }: ListStatement): readonly Condition[] {
  return checks.filter((each) => each !== undefined);
}

/**
 * The last searched row of each range of rows that an index gives in order, and the one after it, when there is one;
 * with the number of the range as `range`. `undefined` for a list that searches none.
 */
export function makeSearchEdges(params: Params, list: ListStatement, rows: 1 | 2): Statement | undefined {
  const where = uncheckedWhere(list);
  if (where === undefined) return undefined;
  const select = list.order.map(({ sql, name }) => `${sql} as "${name}"`).join(", ");
  const last = params.of(int8, BigInt(searchedOf(list) - 1));
  const arms = stretches(params, list.order, list.page).map((more, at) => {
    const found = `${list.from} ${whereAll([...where, ...more])} ${orderBy(wholeOrder(list))}`;
    return `(select ${select}, ${at} as range from ${found} offset ${last} limit ${rows})`;
  });
  return params.statement(arms.join(" union all "));
}

/** The conditions without those that are checked; `undefined` when none are. */
function uncheckedWhere(list: ListStatement): readonly Condition[] | undefined {
  const checks = presentChecks(list);
  // Not checked, but there: the database wants to see every parameter.
  return checks.length === 0 ? undefined : [...list.where, `(true or (${checks.join(" and ")}))`];
}

/** The value of the first column of an order in a cursor. */
export function findCursorValue(order: Order, { cursor }: Page): string | undefined {
  return cursor === undefined ? undefined : (readCursor(cursor, order)[0] ?? undefined);
}

/**
 * The rows of a page. When the search for rows that no index finds ended before the page was full, `edge` is the cursor
 * behind the last searched row: the next page goes on there.
 */
export interface FoundRows {
  readonly rows: readonly SqlRow[];
  readonly edge?: string | undefined;
}

/** Refuses a page behind an offset that the search did not reach: a cursor has no place for the rest of the offset. */
export function unsearched(): HistoryError {
  const message =
    "no index serves these filters together, and the rows that one of them finds were searched without reaching the " +
    "offset: ask without offset and continue with cursor from the X-Next-Cursor header";
  return new HistoryError("history/unsearched", message);
}

/** The rows of a page as values, with the cursor of the next page. */
export function listed<T>(
  { rows, edge }: FoundRows,
  { order, page }: Pick<ListStatement, "order" | "page">,
  read: (row: SqlRow) => T,
): ListPage<T> {
  if (edge !== undefined && page.offset > 0 && rows.length === 0) throw unsearched();
  return { items: rows.map(read), next: edge ?? nextCursor(order, rows, page) };
}

function place(params: Params, column: OrderColumn["column"], text: string): string {
  // The cursor holds the text that the column wrote; the database checks it.
  return params.of({ sql: column.sql, write: () => text }, text);
}

function behindAtOnce(order: Order, places: readonly string[]): string {
  const sign = order[0]?.direction === "asc" ? ">" : "<";
  const pairs = order.flatMap(({ sql, short }, at) => {
    const value = places[at] ?? "";
    return [...(short === undefined ? [] : [[short(sql), short(value)] as const]), [sql, value] as const];
  });
  return `(${pairs.map(([sql]) => sql).join(", ")}) ${sign} (${pairs.map(([, value]) => value).join(", ")})`;
}

/** Bounds the first column, so that its index is entered at the right place. */
function behindOneByOne(order: Order, places: readonly string[]): string {
  const [column, ...others] = order;
  const [value, ...rest] = places;
  if (column === undefined) return "false";
  const sign = column.direction === "asc" ? ">" : "<";
  const strictly = `${column.sql} ${sign} ${value}`;
  return others.length === 0
    ? strictly
    : `${column.sql} ${sign}= ${value} and (${strictly} or (${behindOneByOne(others, rest)}))`;
}

/** The cursor after the last row of a page. */
export function nextCursor(order: Order, rows: readonly SqlRow[], { limit }: Page): string | undefined {
  const last = rows.at(-1);
  return last === undefined || rows.length < limit ? undefined : cursorBehind(order, last);
}

/** The cursor behind a row. */
export function cursorBehind(order: Order, row: SqlRow): string {
  return makeCursor(order, valuesOf(order, row));
}

function valuesOf(order: Order, row: SqlRow): readonly (string | null)[] {
  return order.map(({ name, column }) => column.write(column.read(row[name] ?? null) as never));
}

/** Whether a row comes after another one in an order. */
export function isRowAfter(order: Order, row: SqlRow, other: SqlRow): boolean {
  const [values, others] = [valuesOf(order, row), valuesOf(order, other)];
  for (const [at, { column, direction }] of order.entries()) {
    const sign = compareValues(column.sql, values[at] ?? null, others[at] ?? null);
    if (sign !== 0) return direction === "asc" ? sign > 0 : sign < 0;
  }
  return false;
}

/** As PostgreSQL compares them: null is the largest value. */
function compareValues(sql: string, one: string | null, other: string | null): number {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? 1 : -1;
  const isText = sql === "bytea" || sql === "text";
  return (isText ? one < other : BigInt(one) < BigInt(other)) ? -1 : 1;
}

/** The cursor behind a row with these values, as its columns write them. */
export function makeCursor(order: Order, values: readonly (string | null)[]): string {
  return Buffer.from(JSON.stringify([nameOf(order), ...values])).toString("base64url");
}

/** The values of a cursor of this order. */
export function readCursor(cursor: string, order: Order): readonly (string | null)[] {
  const [name, ...values] = readValues(cursor);
  const isGood = name === nameOf(order) && values.length === order.length;
  return order.map((column, at) => {
    const value = values[at] ?? null;
    if (!isGood || !isValue(value, column)) throw badCursor(cursor);
    return value;
  });
}

/** The size of integer types; a larger number would be an error of the database. */
const integerBits: Readonly<Record<string, number>> = { smallint: 16, integer: 32, bigint: 64 };

/** A cursor comes from outside: a text that is not a value of its column must not reach the database. */
function isValue(value: JsonValue, { column: { sql }, isNullable }: OrderColumn): value is string | null {
  if (value === null) return isNullable;
  if (typeof value !== "string") return false;
  if (sql === "bytea") return /^\\x(?:[0-9a-f]{2}){0,40}$/.test(value);
  if (sql === "text") return value.length <= 1000 && !value.includes("\0");
  if (!/^-?[0-9]{1,80}$/.test(value)) return false;
  const bits = integerBits[sql];
  return bits === undefined || BigInt.asIntN(bits, BigInt(value)) === BigInt(value);
}

function readValues(cursor: string): readonly JsonValue[] {
  try {
    const value = parseJson(Buffer.from(cursor, "base64url").toString(), { maxLength: 4096, maxDepth: 2 });
    return Array.isArray(value) ? value : [];
  } catch (error) {
    if (isCoded(error)) return [];
    throw error;
  }
}

function badCursor(cursor: string): HistoryError {
  const data = { cursor: cursor.slice(0, 100) };
  return new HistoryError("history/request", `invalid cursor for this list: ${cursor.slice(0, 100)}`, { data });
}

/** The value of a column of a row. */
export function columnOf(row: SqlRow, name: string): SqlValue {
  const value = row[name];
  if (value === undefined) throw new HistoryError("history/row", `no column ${name} in a row`);
  return value;
}

/** The order in which entities were first seen; the table is `t`. */
export function insertionOrder(direction: Direction): Order {
  return [by("t.id", int8, direction), by("t.address", address, direction)];
}
