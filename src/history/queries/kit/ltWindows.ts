import type { SqlRow } from "../../store/Database.ts";
import { address, int8, int8s, text } from "../../store/schema/columns.ts";
import type { HistorySnapshot } from "./History.ts";
import { type IndexScansStatement, type PartedList, presentKeysSql, waysOf } from "./indexScans.ts";
import {
  columnOf,
  cursorBehind,
  type FoundRows,
  findCursorValue,
  isRowAfter,
  maxSearched,
  type Order,
  type Page,
  readCursor,
} from "./Page.ts";
import { isByTime } from "./ranges.ts";
import { Params, type Statement, whereAll } from "./Statement.ts";

/*
 * A page of many accounts is read in parts, in the order of the list, until it is full: from one partition, then from
 * two, from four. Each statement has logical times as constants, so that it is planned for these partitions and looks
 * for each account there alone; there are few statements also where the accounts have few rows or none.
 */

/** Logical times from `from` on, below `to`, and the least and the largest value of the order's first column there. */
export interface LtWindow {
  readonly from: bigint;
  readonly to: bigint;
  readonly least: bigint;
  readonly largest: bigint;
}

/** The ranges of a table's partitions. */
export function partitionRangesSql(table: string): Statement {
  const params = new Params();
  return params.lookup(`
    select partition_from(p.place) as from_lt, partition_to(p.place) as to_lt
    from partition_places(${params.of(text(), table)}) as p(place) order by from_lt`);
}

/** The first and the last time in each of these ranges that has rows. */
export function windowTimesSql(
  { table, lt, time, where }: PartedList,
  ranges: readonly Pick<LtWindow, "from" | "to">[],
): Statement {
  const params = new Params();
  const [from, to] = (["from", "to"] as const).map((name) =>
    params.of(
      int8s,
      ranges.map((each) => each[name]),
    ),
  );
  const found = whereAll([where, `${lt} >= r.from_lt`, `${lt} < r.to_lt`]);
  const one = (direction: string) =>
    `(select ${time} as time from ${table} t ${found} order by ${time} ${direction} limit 1)`;
  return params.lookup(`
    select r.from_lt, r.to_lt, f.time as least, l.time as largest from unnest(${from}, ${to}) as r(from_lt, to_lt)
    cross join lateral ${one("asc")} f cross join lateral ${one("desc")} l`);
}

const numberIn = (row: SqlRow, name: string): bigint => BigInt(String(columnOf(row, name)));

/**
 * The partitions that may have rows of a page, in the order of the list; `undefined` for a list that is better read
 * from all of them at once.
 */
export async function findWindows(
  reading: HistorySnapshot,
  { parted, order, page }: Pick<IndexScansStatement, "parted" | "order" | "page">,
): Promise<readonly LtWindow[] | undefined> {
  const [first] = order;
  if (parted === undefined || first === undefined) return undefined;
  if (reading.layout !== "single" || page.limit + page.offset > maxSearched) return undefined;
  const found = await reading.query(partitionRangesSql(parted.table));
  if (found.length <= 1) return undefined;
  const { startLt, endLt, startUtime, endUtime } = parted.range;
  const ranges = found
    .map((row) => ({ from: numberIn(row, "from_lt"), to: numberIn(row, "to_lt") }))
    .filter(({ from, to }) => (startLt === undefined || startLt < to) && (endLt === undefined || endLt >= from));
  const cursor = findCursorValue(order, page);
  const place = cursor === undefined ? undefined : BigInt(cursor);
  const isUp = first.direction === "asc";
  const isOfTimes = isByTime(parted.range);
  const start = isUp && place !== undefined ? place : isOfTimes ? startUtime : startLt;
  const end = !isUp && place !== undefined ? place : isOfTimes ? endUtime : endLt;
  const windows = isOfTimes ? await withTimes(reading, parted, ranges) : ranges.map(withLts);
  return inGroups(
    windows
      .filter(({ least, largest }) => (start === undefined || largest >= start) && (end === undefined || least <= end))
      .toSorted((one, other) => (one.from < other.from === isUp ? -1 : 1)),
  );
}

/** Partitions that follow each other, together: each group is twice as large as the one before. */
function inGroups(windows: readonly LtWindow[]): readonly LtWindow[] {
  const groups: LtWindow[] = [];
  for (let [at, size] = [0, 1]; at < windows.length; at += size, size *= 2)
    groups.push(windows.slice(at, at + size).reduce(around));
  return groups;
}

const lower = (one: bigint, other: bigint): bigint => (one < other ? one : other);
const higher = (one: bigint, other: bigint): bigint => (one < other ? other : one);

/** The window that has two others. */
const around = (one: LtWindow, other: LtWindow): LtWindow => ({
  ...{ from: lower(one.from, other.from), to: higher(one.to, other.to) },
  ...{ least: lower(one.least, other.least), largest: higher(one.largest, other.largest) },
});

const withLts = ({ from, to }: Pick<LtWindow, "from" | "to">): LtWindow => ({
  from,
  to,
  least: from,
  largest: to - 1n,
});

async function withTimes(
  reading: HistorySnapshot,
  parted: PartedList,
  ranges: readonly Pick<LtWindow, "from" | "to">[],
): Promise<readonly LtWindow[]> {
  const rows = await reading.query(windowTimesSql(parted, ranges));
  return rows.map((row) => ({
    ...{ from: numberIn(row, "from_lt"), to: numberIn(row, "to_lt") },
    ...{ least: numberIn(row, "least"), largest: numberIn(row, "largest") },
  }));
}

/** The list in a window. */
export function inWindow(params: Params, list: IndexScansStatement, { from, to }: LtWindow): IndexScansStatement {
  const lt = list.parted?.lt ?? "";
  const own = [`${lt} >= ${params.of(int8, from)}`, `${lt} < ${params.of(int8, to)}`];
  return { ...list, where: [...list.where, ...own], within: own };
}

/** Rows of a page are sparse when the windows before have fewer than this part of it. */
const sparse = 10;

/**
 * The scans of a list in a window, of those accounts alone that have rows there. A list of which few rows were found is
 * asked by a statement whose plan is kept: that of the list would be planned for all that its accounts may have.
 */
export async function findPresent(
  reading: HistorySnapshot,
  listOf: (params: Params) => IndexScansStatement,
): Promise<Pick<IndexScansStatement, "scans" | "ways">> {
  const params = new Params();
  const list = listOf(params);
  const rows = await reading.query(presentKeysSql(params, list));
  const found = rows.map((row) => ({ scan: Number(columnOf(row, "scan")), key: address.read(columnOf(row, "key")) }));
  const scans = list.scans.map(({ by, ...scan }, at) => {
    const keys = new Set(found.flatMap((each) => (each.scan === at ? each.key : [])));
    return { ...scan, by: by && { ...by, keys: by.keys.filter((key) => keys.has(key)) } };
  });
  const present = scans.filter(({ by }) => by === undefined || by.keys.length > 0);
  return { scans: present, ways: waysOf(list.scans) };
}

/**
 * Reads windows until the page is full; `read` is told whether few rows were found so far. The first rows of a page are
 * known when no later window can have one before them: times of different partitions may overlap a little, because
 * shards have logical times of their own.
 */
export async function readWindows(
  order: Order,
  page: Page,
  windows: readonly LtWindow[],
  read: (part: Page, window: LtWindow, isSparse: boolean) => Promise<FoundRows>,
): Promise<FoundRows> {
  const enough = page.limit + page.offset;
  const known: SqlRow[] = [];
  let open: readonly SqlRow[] = [];
  let edge: SqlRow | undefined;
  for (const [at, window] of windows.entries()) {
    const isSparse = at > 0 && (known.length + open.length) * sparse < enough;
    const found = await read({ ...page, limit: enough - known.length, offset: 0 }, window, isSparse);
    const own = found.edge === undefined ? undefined : rowAt(order, found.edge);
    if (own !== undefined && (edge === undefined || isRowAfter(order, edge, own))) edge = own;
    open = merge(order, open, found.rows, edge);
    const isKnown = isBefore(order, windows.slice(at + 1));
    const count = open.findIndex((row) => !isKnown(row));
    known.push(...open.slice(0, count < 0 ? open.length : count));
    open = count < 0 ? [] : open.slice(count);
    if (known.length >= enough || (edge !== undefined && isKnown(edge))) break;
  }
  const rows = [...known, ...open].slice(page.offset, enough);
  return { rows, edge: edge === undefined || known.length >= enough ? undefined : cursorBehind(order, edge) };
}

/** Rows of both in order, without those behind the place where a search ended. */
function merge(
  order: Order,
  some: readonly SqlRow[],
  others: readonly SqlRow[],
  edge: SqlRow | undefined,
): readonly SqlRow[] {
  if (some.length === 0) return others;
  return [...some, ...others]
    .filter((row) => edge === undefined || !isRowAfter(order, row, edge))
    .toSorted((one, other) => (isRowAfter(order, one, other) ? 1 : -1));
}

/** Whether a row comes before all rows of these windows. */
function isBefore([first]: Order, windows: readonly LtWindow[]): (row: SqlRow) => boolean {
  if (first === undefined || windows.length === 0) return () => true;
  const { name, direction, column } = first;
  const edges = windows.map(({ least, largest }) => (direction === "asc" ? least : largest));
  const nearest = edges.reduce(direction === "asc" ? lower : higher);
  return (row) => {
    const value = BigInt(String(column.write(column.read(columnOf(row, name)) as never)));
    return direction === "asc" ? value < nearest : value > nearest;
  };
}

/** A row with the values of a cursor, as the database returns them. */
export function rowAt(order: Order, cursor: string): SqlRow {
  const values = readCursor(cursor, order);
  return Object.fromEntries(
    order.map(({ name, column: { sql } }, at) => {
      const value = values[at] ?? null;
      return [name, value === null || sql === "bytea" || sql === "text" ? value : BigInt(value)];
    }),
  );
}
