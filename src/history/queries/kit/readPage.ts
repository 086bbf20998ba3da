import type { SqlRow } from "../../store/Database.ts";
import type { HistorySnapshot } from "./History.ts";
import { type IndexScansStatement, makeSearchedScans, mergeIndexScans } from "./indexScans.ts";
import {
  type ListPage,
  type ListStatement,
  listed,
  makeSearchEdge,
  maxSearched,
  nextCursor,
  type Order,
  type Page,
  unsearched,
} from "./Page.ts";
import { Params, type Statement } from "./Statement.ts";

/**
 * How many rows are searched for a request with a single filter, in parts of `maxSearched`: between two parts, other
 * requests have their turn. Only a request that combines filters is refused after the first part, because it can be asked
 * with fewer of them.
 */
export const maxSearchedAlone = 2_000_000;

/** Whether a request has at most this many filters; empty lists and `false` are none. */
export function hasAtMost(count: number, filter: object): boolean {
  const isSet = (value: unknown) =>
    !(value === undefined || value === false || (Array.isArray(value) && value.length === 0));
  return Object.values(filter).filter(isSet).length <= count;
}

/** A list that one statement reads; `more` are further arguments, such as the direction. */
export function listQuery<Filter, More extends readonly unknown[], T>(
  sql: (filter: Filter, page: Page, ...more: More) => Statement,
  orderOf: (...more: More) => Order,
  read: (row: SqlRow) => T,
) {
  return async (reading: HistorySnapshot, filter: Filter, page: Page, ...more: More): Promise<ListPage<T>> =>
    listed(await reading.query(sql(filter, page, ...more)), { order: orderOf(...more), page }, read);
}

/** A list with conditions that no index serves. */
export interface SearchedList {
  /** The statement of a page. */
  readonly sql: (page: Page) => Statement;
  /** The list that it searches. */
  readonly list: (params: Params, page: Page) => ListStatement;
  /** Whether it has a single filter. */
  readonly isAlone: boolean;
}

/** Reads a page; `undefined` when it is not full only because no further rows were searched. */
export async function findPage(
  reading: HistorySnapshot,
  page: Page,
  { sql, list }: SearchedList,
): Promise<readonly SqlRow[] | undefined> {
  const rows = await reading.query(sql(page));
  return rows.length >= page.limit || (await findEdge(reading, list, page)) === undefined ? rows : undefined;
}

/** The same; a list with a single filter is searched on, others are refused. */
export async function readPage(
  reading: HistorySnapshot,
  page: Page,
  searched: SearchedList,
): Promise<readonly SqlRow[]> {
  const rows = await findPage(reading, page, searched);
  if (rows !== undefined) return rows;
  const { sql, list, isAlone } = searched;
  const enough = page.limit + page.offset;
  const sqlRows: SqlRow[] = [];
  let next: Page = { ...page, limit: enough, offset: 0 };
  for (let left = isAlone ? maxSearchedAlone : 0; left > 0; left -= maxSearched) {
    sqlRows.push(...(await reading.query(sql(next))));
    const cursor = sqlRows.length < enough ? await findEdge(reading, list, next) : undefined;
    if (cursor === undefined) return sqlRows.slice(page.offset, enough);
    next = { limit: enough - sqlRows.length, offset: 0, cursor };
  }
  throw unsearched();
}

/** The cursor of the last searched row; `undefined` when there are no more. */
async function findEdge(reading: HistorySnapshot, list: SearchedList["list"], page: Page): Promise<string | undefined> {
  const params = new Params(reading.layout);
  const whole = list(params, page);
  const edge = makeSearchEdge(params, whole);
  const [last, next] = edge === undefined ? [] : await reading.query(edge);
  return last === undefined || next === undefined
    ? undefined
    : nextCursor(whole.order, [last], { limit: 1, offset: 0 });
}

/** A list that is merged from several, each of which is searched. */
export interface MergedList {
  /** The statement of the page, with so many rows searched. */
  readonly sql: (max: number) => Statement;
  /** Finds a row when there are more than so many; absent when none are searched. */
  readonly left: (max: number) => Statement | undefined;
  /** Whether it has a single filter. */
  readonly isAlone: boolean;
}

/** Reads a page of a merged list, with more and more rows searched. */
export async function readMerged(
  reading: HistorySnapshot,
  page: Page,
  { sql, left, isAlone }: MergedList,
): Promise<readonly SqlRow[]> {
  for (let max = maxSearched; max <= (isAlone ? maxSearchedAlone : maxSearched); max *= 5) {
    const rows = await reading.query(sql(max));
    const more = rows.length < page.limit ? left(max) : undefined;
    if (more === undefined || (await reading.query(more)).length === 0) return rows;
  }
  throw unsearched();
}

/** The same for merged index scans; `first` is the statement of the page. */
export function readScans(
  reading: HistorySnapshot,
  page: Page,
  first: Statement,
  { scans, isAlone }: { readonly scans: (params: Params) => IndexScansStatement; readonly isAlone: boolean },
): Promise<readonly SqlRow[]> {
  const searching = <T>(max: number, make: (params: Params, statement: IndexScansStatement) => T) => {
    const params = new Params(reading.layout);
    return make(params, { ...scans(params), maxSearched: max });
  };
  return readMerged(reading, page, {
    sql: (max) => (max === maxSearched ? first : searching(max, mergeIndexScans)),
    left: (max) => searching(max, makeSearchedScans),
    isAlone,
  });
}
