import { int8, int53 } from "../../store/schema/columns.ts";
import type { HistorySnapshot } from "./History.ts";
import { type IndexScansStatement, ownKey } from "./indexScans.ts";
import { columnOf, makeCursor, type OrderColumn, orderBy, type Page } from "./Page.ts";
import { Params, type Statement, whereAll } from "./Statement.ts";

/** A list whose index has all columns of its order but the last, the address of an entity. */
type EntityList = (params: Params) => IndexScansStatement;

/**
 * The page behind a deep offset, as a cursor and what is left of the offset; `undefined` when the list ends before it. The
 * rows before the page are skipped in the index alone: they are wide, and each is on another page of the table.
 */
export async function skipRows(reading: HistorySnapshot, page: Page, list: EntityList): Promise<Page | undefined> {
  const { minResumedOffset } = reading.options;
  if (page.offset < minResumedOffset || page.cursor !== undefined || reading.layout !== "single") return page;
  const params = new Params();
  const whole = list(params);
  const skipped = skipSql(params, whole, page.offset);
  if (skipped === undefined) return page;
  const [last] = await reading.query(skipped);
  if (last === undefined) return undefined;
  const values = whole.order.map(({ name, column, direction }, at) =>
    at < whole.order.length - 1
      ? column.write(column.read(columnOf(last, name)) as never)
      : // Before every address.
        direction === "asc"
        ? "\\x"
        : `\\x${"ff".repeat(40)}`,
  );
  return { ...page, offset: int53.read(columnOf(last, "tied")), cursor: makeCursor(whole.order, values) };
}

const reversed = (each: OrderColumn): OrderColumn => ({
  ...each,
  direction: each.direction === "asc" ? "desc" : "asc",
});

/**
 * The row behind so many, without its address, and how many of those are the same without theirs; `undefined` for a list
 * that several scans have together, or that checks its rows.
 */
function skipSql(params: Params, list: IndexScansStatement, offset: number): Statement | undefined {
  const { scans, checks = [], order } = list;
  const [scan = {}, ...others] = scans;
  const isOne = others.length === 0 && (scan.by?.keys.length ?? 1) === 1 && scan.parts === undefined;
  if (!isOne || checks.some((each) => each !== undefined)) return undefined;
  const narrow = order.slice(0, -1);
  const columns = narrow.map(({ sql, name }) => `${sql} as "${name}"`).join(", ");
  const inKeys = (alias: string) => narrow.map((each) => ({ ...each, sql: `${alias}."${each.name}"` }));
  const isSame = narrow.map(({ name }) => `k."${name}" is not distinct from l."${name}"`).join(" and ");
  const count = params.of(int8, BigInt(offset));
  return params.statement(`
    with keys as materialized (
      select ${columns} from ${list.from} ${whereAll([ownKey(params, scan), ...list.where])}
      ${orderBy(narrow)} limit ${count} + 1
    )
    select l.*, (select count(*) from keys k where ${isSame}) - 1 as tied
    from (select k.* from keys k ${orderBy(inKeys("k").map(reversed))} limit 1) l
    where (select count(*) from keys) > ${count}`);
}
