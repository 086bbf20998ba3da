import type { SqlRow } from "../../store/Database.ts";
import type { HistorySnapshot } from "./History.ts";
import { type IndexScansStatement, isOfManyWays, makeScanEdges, mergeIndexScans } from "./indexScans.ts";
import { findPresent, findWindows, inWindow, readWindows, rowAt } from "./ltWindows.ts";
import {
  cursorBehind,
  type FoundRows,
  isByOffset,
  isRowAfter,
  type ListPage,
  type ListStatement,
  listed,
  makeCursor,
  makeSearchEdges,
  maxSearched,
  type Order,
  type Page,
  readCursor,
  unsearched,
} from "./Page.ts";
import { Params, type Statement } from "./Statement.ts";

/**
 * How many rows are searched for a request with a single filter, in parts of `maxSearched`: between two parts, other
 * requests have their turn. A request that combines filters gets what the first part has, and a cursor to go on; behind
 * an offset there may be nothing in it, and no cursor has a place for the rest of the offset: then it is searched on,
 * too.
 */
export const maxSearchedAlone = 2_000_000;

/** Whether a request has at most this many filters; empty lists and `false` are none. */
export function hasAtMost(count: number, filter: object): boolean {
  const isSet = (value: unknown) =>
    !(value === undefined || value === false || (Array.isArray(value) && value.length === 0));
  return Object.values(filter).filter(isSet).length <= count;
}

/** Whether a list is searched on: it has a single filter, or an offset, behind which no part of it can be answered. */
export function isSearchedOn(filter: object, page: Page): boolean {
  return isByOffset(page) || hasAtMost(1, filter);
}

/** A list that one statement reads; `more` are further arguments, such as the direction. */
export function listQuery<Filter, More extends readonly unknown[], T>(
  sql: (filter: Filter, page: Page, ...more: More) => Statement,
  orderOf: (...more: More) => Order,
  read: (row: SqlRow) => T,
) {
  return async (reading: HistorySnapshot, filter: Filter, page: Page, ...more: More): Promise<ListPage<T>> =>
    listed({ rows: await reading.query(sql(filter, page, ...more)) }, { order: orderOf(...more), page }, read);
}

/** A list with conditions that no index serves. */
export interface SearchedList {
  /** The statement of a page. */
  readonly sql: (page: Page) => Statement;
  /** The list that it searches. */
  readonly list: (params: Params, page: Page) => ListStatement;
  /** Whether it is searched on; see `isSearchedOn`. */
  readonly isAlone: boolean;
}

/** Reads a page, with the first `maxSearched` rows searched. */
export async function findPage(
  reading: HistorySnapshot,
  page: Page,
  { sql, list }: Pick<SearchedList, "sql" | "list">,
): Promise<FoundRows> {
  const rows = await reading.query(sql(page));
  return { rows, edge: rows.length >= page.limit ? undefined : await findEdge(reading, list, page) };
}

/** The same; a list with a single filter or an offset is searched on, of others what was found is answered. */
export async function readPage(reading: HistorySnapshot, page: Page, searched: SearchedList): Promise<FoundRows> {
  if (page.offset >= maxSearched && searched.isAlone) return readBehind(reading, page, searched);
  const first = await findPage(reading, page, searched);
  if (first.edge === undefined) return first;
  const { sql, list, isAlone } = searched;
  const enough = page.limit + page.offset;
  const found =
    page.offset === 0 ? [...first.rows] : [...(await reading.query(sql({ ...page, limit: enough, offset: 0 })))];
  let edge: string | undefined = first.edge;
  for (let left = isAlone ? maxSearchedAlone : 0; left > 0 && edge !== undefined; left -= maxSearched) {
    const next: Page = { limit: enough - found.length, offset: 0, cursor: edge };
    found.push(...(await reading.query(sql(next))));
    edge = found.length < enough ? await findEdge(reading, list, next) : undefined;
  }
  return { rows: found.slice(page.offset, enough), edge };
}

/** Reads a page far behind with more and more rows searched at once: the skipped rows stay in the database. */
async function readBehind(reading: HistorySnapshot, page: Page, searched: SearchedList): Promise<FoundRows> {
  for (let max = page.offset + page.limit + maxSearched; ; max *= 5) {
    const found = await findPage(reading, { ...page, maxSearched: Math.min(max, maxSearchedAlone) }, searched);
    if (found.edge === undefined || max >= maxSearchedAlone) return found;
  }
}

/** The cursor of the last searched row; `undefined` when there are no more. */
async function findEdge(reading: HistorySnapshot, list: SearchedList["list"], page: Page): Promise<string | undefined> {
  const params = new Params(reading.layout);
  const whole = list(params, page);
  const edges = makeSearchEdges(params, whole, 2);
  const rows = edges === undefined ? [] : await reading.query(edges);
  // The ranges follow each other: the search ended in the first that has more rows.
  const last = rows.find((row, at) => rows[at + 1]?.range === row.range);
  return last && cursorBehind(whole.order, last);
}

/** A list that is merged from several, each of which is searched. */
export interface MergedList {
  readonly order: Order;
  /** The statement of the page, with so many rows searched. */
  readonly sql: (max: number) => Statement;
  /**
   * The last searched rows of those lists that have at least so many, and in them only of rows up to the `last` of the
   * page; absent when none are searched.
   */
  readonly edges: (max: number, last: SqlRow | undefined) => Statement | undefined;
  /** Whether it is searched on; see `isSearchedOn`. */
  readonly isAlone: boolean;
}

/** Reads a page of a merged list, with more and more rows searched. */
export async function readMerged(
  reading: HistorySnapshot,
  page: Page,
  { order, sql, edges, isAlone }: MergedList,
): Promise<FoundRows> {
  for (let max = maxSearched; ; max *= 5) {
    const rows = await reading.query(sql(max));
    const last = rows.length < page.limit ? undefined : rows.at(-1);
    const cut = edges(max, last);
    const [edge] = cut === undefined ? [] : await reading.query(cut);
    if (edge === undefined || (last !== undefined && isRowAfter(order, edge, last))) return { rows };
    if (isAlone && max * 5 <= maxSearchedAlone) continue;
    // Behind the nearest edge, rows of that list may be missing.
    const whole = rows.filter((row) => !isRowAfter(order, row, edge));
    return { rows: whole, edge: cursorBehind(order, edge) };
  }
}

/**
 * The same for merged index scans; `first` is the statement of the page, unless it is read partition after partition.
 */
export async function readScans(
  reading: HistorySnapshot,
  page: Page,
  first: Statement,
  { scans, isAlone }: { readonly scans: (params: Params) => IndexScansStatement; readonly isAlone: boolean },
): Promise<FoundRows> {
  const whole = scans(new Params(reading.layout));
  const { order } = whole;
  const merged = (listOf: (params: Params) => IndexScansStatement, own?: Statement): MergedList => {
    const searching = (max: number) => {
      const params = new Params(reading.layout);
      return { params, list: { ...listOf(params), maxSearched: max } };
    };
    return {
      order,
      sql: (max) => {
        const { params, list } = searching(max);
        return max === maxSearched && own !== undefined ? own : mergeIndexScans(params, list);
      },
      edges: (max, last) => {
        const { params, list } = searching(max);
        return makeScanEdges(params, list, last);
      },
      isAlone,
    };
  };
  const windows = isOfManyWays(whole) ? await findWindows(reading, whole) : undefined;
  if (windows === undefined) return readMerged(reading, page, merged(scans, first));
  return readWindows(order, page, windows, async (part, window, isSparse) => {
    const listOf = (params: Params) => ({ ...inWindow(params, scans(params), window), page: part });
    const present = isSparse ? await findPresent(reading, listOf) : undefined;
    if (present?.scans.length === 0) return { rows: [] };
    return readMerged(
      reading,
      part,
      merged((params) => ({ ...listOf(params), ...present })),
    );
  });
}

/** One of several lists that are read together; its order has the names and directions of theirs. */
export interface PartList {
  readonly order: Order;
  readonly read: (page: Page) => Promise<FoundRows>;
}

/**
 * Reads a page of lists that may have rows in common. Several are merged here: each has the rows of the page that are
 * its own, up to the nearest of the places where their searches ended.
 */
export async function readTogether(order: Order, page: Page, lists: readonly PartList[]): Promise<FoundRows> {
  const [only, ...others] = lists;
  if (only === undefined) return { rows: [] };
  if (others.length === 0) return readAs(order, page, only);
  const enough = page.limit + page.offset;
  if (enough > maxSearched) throw unsearched();
  const rows: SqlRow[] = [];
  let nearest: SqlRow | undefined;
  for (const list of lists) {
    const found = await readAs(order, { ...page, limit: enough, offset: 0 }, list);
    rows.push(...found.rows);
    if (found.edge === undefined) continue;
    const edge = rowAt(order, found.edge);
    if (nearest === undefined || isRowAfter(order, nearest, edge)) nearest = edge;
  }
  const edge = nearest;
  const sorted = rows
    .filter((row) => edge === undefined || !isRowAfter(order, row, edge))
    .toSorted((one, other) => (isRowAfter(order, one, other) ? 1 : isRowAfter(order, other, one) ? -1 : 0));
  const distinct = sorted.filter((row, at) => {
    const before = sorted[at - 1];
    return before === undefined || isRowAfter(order, row, before);
  });
  const isFull = distinct.length >= enough || edge === undefined;
  return { rows: distinct.slice(page.offset, enough), edge: isFull ? undefined : cursorBehind(order, edge) };
}

/** The same page of a list whose cursors are of another order. */
async function readAs(order: Order, page: Page, list: PartList): Promise<FoundRows> {
  const from = page.cursor === undefined ? undefined : makeCursor(list.order, readCursor(page.cursor, order));
  const { rows, edge } = await list.read({ ...page, cursor: from });
  return { rows, edge: edge === undefined ? undefined : makeCursor(order, readCursor(edge, list.order)) };
}
