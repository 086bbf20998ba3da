import { int8, int53 } from "../../store/schema/columns.ts";
import type { HistorySnapshot } from "./History.ts";
import { type IndexScansStatement, ownKey } from "./indexScans.ts";
import { columnOf, type ListStatement, makeCursor, type OrderColumn, orderBy, type Page, unsearched } from "./Page.ts";
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

/** The rows that an index gives in the order of all columns but the last. */
function indexedRows(params: Params, { scans: [scan = {}] = [], ...list }: SkippedList, columns: string): string {
  const { from, where, order } = list;
  return `select ${columns} from ${from} ${whereAll([ownKey(params, scan), ...where])} ${orderBy(order.slice(0, -1))}`;
}

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
 * list that several scans have together, or that checks its rows by what the index does not have.
 */
function skipSql(params: Params, list: SkippedList, offset: number, checked: readonly string[]): Statement | undefined {
  const { scans = [], order } = list;
  const checks = presentOf(list.checks);
  const [scan = {}, ...others] = scans;
  const isOne = others.length === 0 && (scan.by?.keys.length ?? 1) === 1 && scan.parts === undefined;
  if (!isOne || checks.length > checked.length) return undefined;
  const narrow = order.slice(0, -1);
  const columns = narrow.map(({ sql, name }) => `${sql} as "${name}"`).join(", ");
  const inKeys = (alias: string) => narrow.map((each) => ({ ...each, sql: `${alias}."${each.name}"` }));
  const isSame = narrow.map(({ name }) => `k."${name}" is not distinct from l."${name}"`).join(" and ");
  const count = params.of(int8, BigInt(offset));
  const alias = list.from.slice(list.from.lastIndexOf(" ") + 1);
  const searched = () => `
    select ${columns} from (
      ${indexedRows(params, list, [columns, ...checked.map((name) => `${alias}."${name}"`)].join(", "))}
      limit ${params.of(int8, BigInt(maxSearchedAlone))}
    ) ${alias} ${whereAll(checks)} ${orderBy(narrow)}`;
  return params.statement(`
    with keys as materialized (
      ${checks.length === 0 ? indexedRows(params, list, columns) : searched()} limit ${count} + 1
    )
    select l.*, (select count(*) from keys k where ${isSame}) - 1 as tied
    from (select k.* from keys k ${orderBy(inKeys("k").map(reversed))} limit 1) l
    where (select count(*) from keys) > ${count}`);
}
