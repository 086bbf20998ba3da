import { int8, int53 } from "../../store/schema/columns.ts";
import type { HistorySnapshot } from "./History.ts";
import { type IndexScansStatement, ownKey } from "./indexScans.ts";
import {
  columnOf,
  cursorBehind,
  type ListStatement,
  makeCursor,
  type Order,
  type OrderColumn,
  orderBy,
  type Page,
  unsearched,
  wholeOrder,
} from "./Page.ts";
import { maxSearchedAlone } from "./readPage.ts";
import { type Condition, Params, type Statement, whereAll } from "./Statement.ts";

/** What the index of a list has. */
export interface SkippedIndex {
  /** The columns of the checks of the list. */
  readonly checked?: readonly string[];
  /** Whether it has the last column of the order, too, which many rows need that are the same in the others. */
  readonly hasLast?: boolean;
}

/** A list whose index has all columns of its order, or all but the last, an address or a hash. */
type SkippedList = ListStatement & Partial<Pick<IndexScansStatement, "scans">>;

/**
 * The page behind a deep offset, as a cursor and what is left of the offset; `undefined` when the list ends before it. The
 * rows before the page are skipped in the index alone: they are wide, and each is on another page of the table.
 */
export async function skipRows(
  reading: HistorySnapshot,
  page: Page,
  list: (params: Params) => SkippedList,
  { checked = [], hasLast = false }: SkippedIndex = {},
): Promise<Page | undefined> {
  const { minResumedOffset } = reading.options;
  if (page.offset < minResumedOffset || page.cursor !== undefined || reading.layout !== "single") return page;
  const params = new Params();
  const whole = list(params);
  const skipped = skipSql(params, whole, page.offset, { checked, hasLast });
  if (skipped === undefined) return page;
  const [last] = await reading.query(skipped);
  if (last === undefined) {
    if (checked.length > 0 && (await reading.query(searchedSql(list))).length > 0) throw unsearched();
    return undefined;
  }
  if (hasLast) return { ...page, offset: 0, cursor: cursorBehind(whole.order, last), isResumed: true };
  const values = whole.order.map(({ name, column, direction }, at) =>
    at < whole.order.length - 1
      ? column.write(column.read(columnOf(last, name)) as never)
      : // Before every address and hash.
        direction === "asc"
        ? "\\x"
        : `\\x${"ff".repeat(40)}`,
  );
  const cursor = makeCursor(whole.order, values);
  return { ...page, offset: int53.read(columnOf(last, "tied")), cursor, isResumed: true };
}

const reversed = (each: OrderColumn): OrderColumn => ({
  ...each,
  direction: each.direction === "asc" ? "desc" : "asc",
});

/** The rows that an index gives in this order. */
function indexedRows(params: Params, list: SkippedList, columns: string, order: Order): string {
  const { scans: [scan = {}] = [], from, where, lead } = list;
  const found = whereAll([ownKey(params, scan), ...where]);
  return `select ${columns} from ${from} ${found} ${orderBy(wholeOrder({ order, lead }))}`;
}

/** Finds a row when there are more than may be searched. */
function searchedSql(list: (params: Params) => SkippedList): Statement {
  const params = new Params();
  const { checks, ...whole } = list(params);
  // The database wants to see every parameter.
  const where = [...whole.where, `(true or (${presentOf(checks).join(" and ")}))`];
  const rows = indexedRows(params, { ...whole, where }, "1 as one", whole.order.slice(0, -1));
  return params.statement(`${rows} offset ${params.of(int8, BigInt(maxSearchedAlone))} limit 1`);
}

const presentOf = (checks: readonly Condition[] = []): readonly Condition[] =>
  checks.filter((each) => each !== undefined);

/**
 * The last of so many rows; without the last column of the order the row behind them, and how many of them are the same as
 * that. `undefined` for a list that several scans have together, or that checks its rows by what the index does not have.
 */
function skipSql(
  params: Params,
  list: SkippedList,
  offset: number,
  { checked, hasLast }: Required<SkippedIndex>,
): Statement | undefined {
  const { scans = [] } = list;
  const checks = presentOf(list.checks);
  const [scan = {}, ...others] = scans;
  const isOne = others.length === 0 && (scan.by?.keys.length ?? 1) === 1 && scan.parts === undefined;
  if (!isOne || checks.length > checked.length) return undefined;
  const order = hasLast ? list.order : list.order.slice(0, -1);
  const columns = order.map(({ sql, name }) => `${sql} as "${name}"`).join(", ");
  const alias = list.from.slice(list.from.lastIndexOf(" ") + 1);
  const searched = () => `
    select ${columns} from (
      ${indexedRows(params, list, [columns, ...checked.map((name) => `${alias}."${name}"`)].join(", "), order)}
      limit ${params.of(int8, BigInt(maxSearchedAlone))}
    ) ${alias} ${whereAll(checks)} ${orderBy(order)}`;
  const rows = checks.length === 0 ? indexedRows(params, list, columns, order) : searched();
  if (hasLast) return params.statement(`${rows} offset ${params.of(int8, BigInt(offset - 1))} limit 1`);
  return params.statement(lastOfKeys(rows, order, params.of(int8, BigInt(offset))));
}

function lastOfKeys(rows: string, order: Order, count: string): string {
  const inKeys = order.map((each) => ({ ...each, sql: `k."${each.name}"` }));
  const isSame = order.map(({ name }) => `k."${name}" is not distinct from l."${name}"`).join(" and ");
  return `
    with keys as materialized (${rows} limit ${count} + 1)
    select l.*, (select count(*) from keys k where ${isSame}) - 1 as tied
    from (select k.* from keys k ${orderBy(inKeys.map(reversed))} limit 1) l
    where (select count(*) from keys) > ${count}`;
}
