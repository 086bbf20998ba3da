import { int8, int53 } from "../../store/schema/columns.ts";
import type { HistorySnapshot } from "./History.ts";
import { type IndexScan, type IndexScansStatement, ownKey } from "./indexScans.ts";
import {
  columnOf,
  inAlias,
  type ListStatement,
  makeCursor,
  type Order,
  type OrderColumn,
  orderBy,
  type Page,
  unsearched,
} from "./Page.ts";
import { maxSearchedAlone } from "./readPage.ts";
import { type Condition, Params, type Statement, whereAll } from "./Statement.ts";

/** A list whose index has all columns of its order but the last, an address or a hash. */
type SkippedList = ListStatement & Partial<Pick<IndexScansStatement, "scans">>;

/**
 * The page behind a deep offset, as a cursor and what is left of the offset; `undefined` when the list ends before it.
 * The rows before the page are skipped in the index alone: they are wide, and each is on another page of the table.
 * `checked` are the columns of the checks of the list, where the index has them.
 */
export async function skipRows(
  reading: HistorySnapshot,
  page: Page,
  list: (params: Params) => SkippedList,
  checked: readonly string[] = [],
): Promise<Page | undefined> {
  const { minResumedOffset } = reading.options;
  if (page.offset < minResumedOffset || page.cursor !== undefined || reading.layout !== "single") return page;
  const params = new Params();
  const whole = list(params);
  const skipped = skipSql(params, whole, page.offset, checked);
  if (skipped === undefined) return page;
  const [last] = await reading.query(skipped);
  if (last === undefined) {
    if (checked.length > 0 && (await reading.query(searchedSql(list))).length > 0) throw unsearched();
    return undefined;
  }
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

/**
 * The rows that an index gives in the order of all columns but the last; of scans after the first, those that no scan
 * before them has.
 */
function indexedRows(
  params: Params,
  { scans, ...list }: SkippedList,
  columns: string,
  scan: IndexScan = scans?.[0] ?? {},
): string {
  const { from, where, order } = list;
  const before = (scans ?? []).slice(0, scans?.indexOf(scan)).map((each) => ownKey(params, each));
  const others = before.map((condition) => condition && `(${condition}) is not true`);
  return `select ${columns} from ${from} ${whereAll([ownKey(params, scan), ...where, ...others])} ${orderBy(narrowOf(order))}`;
}

const narrowOf = (order: Order): Order => order.slice(0, -1);

/** Finds a row when there are more than may be searched. */
function searchedSql(list: (params: Params) => SkippedList): Statement {
  const params = new Params();
  const { checks, ...whole } = list(params);
  // The database wants to see every parameter.
  const where = [...whole.where, `(true or (${presentOf(checks).join(" and ")}))`];
  const rows = indexedRows(params, { ...whole, where }, "1 as one");
  return params.statement(`${rows} offset ${params.of(int8, BigInt(maxSearchedAlone))} limit 1`);
}

const presentOf = (checks: readonly Condition[] = []): readonly Condition[] =>
  checks.filter((each) => each !== undefined);

/**
 * The row behind so many, without its last column, and how many of those are the same without theirs; `undefined` for a
 * list of several accounts, or that checks its rows by what the index does not have. Several scans of one account are
 * merged: each is read as far as the merge needs.
 */
function skipSql(params: Params, list: SkippedList, offset: number, checked: readonly string[]): Statement | undefined {
  const { scans = [], order } = list;
  const checks = presentOf(list.checks);
  const isOne = scans.every(({ by, parts }) => (by?.keys.length ?? 1) === 1 && parts === undefined);
  if (!isOne || checks.length > checked.length || (checks.length > 0 && scans.length > 1)) return undefined;
  const narrow = narrowOf(order);
  const columns = narrow.map(({ sql, name }) => `${sql} as "${name}"`).join(", ");
  const inKeys = (alias: string) => narrow.map((each) => ({ ...each, sql: `${alias}."${each.name}"` }));
  const isSame = narrow.map(({ name }) => `k."${name}" is not distinct from l."${name}"`).join(" and ");
  const count = params.of(int8, BigInt(offset));
  const alias = list.from.slice(list.from.lastIndexOf(" ") + 1);
  const merged = () => {
    const each = scans.map((scan) => `(${indexedRows(params, list, columns, scan)} limit ${count} + 1)`);
    return `select m.* from (${each.join(" union all ")}) m ${orderBy(inAlias("m", narrow))}`;
  };
  const searched = () => `
    select ${columns} from (
      ${indexedRows(params, list, [columns, ...checked.map((name) => `${alias}."${name}"`)].join(", "))}
      limit ${params.of(int8, BigInt(maxSearchedAlone))}
    ) ${alias} ${whereAll(checks)} ${orderBy(narrow)}`;
  const found = () => (scans.length > 1 ? merged() : indexedRows(params, list, columns));
  return params.statement(`
    with keys as materialized (
      ${checks.length === 0 ? found() : searched()} limit ${count} + 1
    )
    select l.*, (select count(*) from keys k where ${isSame}) - 1 as tied
    from (select k.* from keys k ${orderBy(inKeys("k").map(reversed))} limit 1) l
    where (select count(*) from keys) > ${count}`);
}
