import type { Address } from "../../../model/Address.ts";
import { address, addresses, int8 } from "../../store/columns.ts";
import { type ListStatement, limitOf, listSql, orderBy } from "./Page.ts";
import type { Condition, Params, Statement } from "./Statement.ts";

/** One way into a table, along an index that gives its rows in the order of the list. */
export interface IndexScan {
  /** Rows with one of these accounts in this column, each account's own by the index; all rows when absent. */
  readonly by?: { readonly column: string; readonly keys: readonly Address[] } | undefined;
  /** Conditions of which exactly one holds for each row of the lane, where an index is needed for each. */
  readonly parts?: readonly Condition[];
}

/** A list whose rows are those of any of its lanes, each row once. */
export interface IndexScansStatement extends ListStatement {
  /** From one table, which the statement calls `t`. */
  readonly from: string;
  readonly lanes: readonly IndexScan[];
  /** The columns that tell the rows of the table apart. */
  readonly identity: readonly string[];
}

/**
 * The statement for a part of such a list. Every account's part of every lane is read in order and no further than the
 * part that is wanted reaches; together they hold it, whatever else the accounts have.
 */
export function mergeIndexScans(params: Params, question: IndexScansStatement): Statement {
  const { lanes, identity, ...list } = question;
  const [first = {}] = lanes;
  if (lanes.length <= 1 && (first.by?.keys.length ?? 1) === 1 && (first.parts?.length ?? 1) === 1)
    return listSql(params, { ...list, where: [ownKey(params, first), ...(first.parts ?? []), ...list.where] });
  const names = [...new Set([...identity, ...list.order.map(({ name }) => name)])];
  const isSame = identity.map((name) => `t."${name}" = p."${name}"`).join(" and ");
  const isKeyByKey = lanes.length === 1 && first.by !== undefined && list.order[0]?.sql === first.by.column;
  const { before = "", text } = isKeyByKey
    ? { text: keyByKey(params, list, names, first) }
    : merged(params, list, names, lanes);
  return params.statement(`
    ${before} select ${list.select}
    from (${text}) p join ${list.from} on ${isSame}
    ${orderBy(list.order)}`);
}

function ownKey(params: Params, { by }: IndexScan): Condition {
  const [only] = by?.keys ?? [];
  return by && only && `${by.column} = ${params.of(address, only)}`;
}

/** A single account is shown to the planner, which then knows whether it is a busy one. */
function keyCondition(params: Params, by: IndexScan["by"]): Condition {
  return by?.keys.length === 1 ? ownKey(params, { by }) : by && `${by.column} = k.key`;
}

const columnsOf = (alias: string, names: readonly string[]) => names.map((name) => `${alias}."${name}"`).join(", ");

/** The first rows of a lane that has no accounts or one, or of the account `k.key` of one that has several. */
function laneRows(
  params: Params,
  list: ListStatement,
  names: readonly string[],
  { by, parts = [undefined] }: IndexScan,
  { limit, edge }: { readonly limit: number; readonly edge?: Condition },
): string {
  const page = { limit, offset: 0, cursor: list.page.cursor };
  const own = parts.map((part) => {
    const where = [keyCondition(params, by), part, edge, ...list.where];
    return listSql(params, { ...list, select: columnsOf("t", names), where, page }).text;
  });
  if (own.length === 1) return own.join();
  const all = own.map((each) => `(${each})`).join(" union all ");
  return `select * from (${all}) u ${orderBy(inAlias("u", list))} ${limitOf(params, page)}`;
}

function inAlias(alias: string, { order }: ListStatement): ListStatement["order"] {
  return order.map((each) => ({ ...each, sql: `${alias}."${each.name}"` }));
}

/** Where the account itself comes first in the order, one account is read after another until the part is full. */
function keyByKey(params: Params, list: ListStatement, names: readonly string[], lane: IndexScan): string {
  const enough = list.page.limit + list.page.offset;
  const [first, ...others] = inAlias("t", list);
  const order = first === undefined ? [] : [{ ...first, sql: "k.key" }, ...others];
  return `
    select ${columnsOf("t", names)}
    from (select key from unnest(${params.of(addresses, lane.by?.keys ?? [])}) as key order by key ${first?.direction}) k
    cross join lateral (${laneRows(params, list, names, lane, { limit: enough })}) t
    ${orderBy(order)} ${limitOf(params, list.page)}`;
}

/** The first rows of all lanes together, each row once. */
function merged(
  params: Params,
  list: ListStatement,
  names: readonly string[],
  lanes: readonly IndexScan[],
): { readonly before?: string; readonly text: string } {
  const enough = list.page.limit + list.page.offset;
  const firstOf = (limit: number, edge?: Condition) =>
    lanes
      .map((lane) => {
        const own = laneRows(params, list, names, lane, { limit, edge });
        const keys =
          lane.by &&
          lane.by.keys.length > 1 &&
          `unnest(${params.of(addresses, lane.by.keys)}) as k(key) cross join lateral`;
        return `select ${columnsOf("t", names)} from ${keys || ""} (${own}) t`;
      })
      // Only several lanes can lead to the same row.
      .join(lanes.length === 1 ? "" : " union ");
  const sorted = (rows: string) => `select p.* from (${rows}) p ${orderBy(inAlias("p", list))}`;
  const ways = lanes.reduce((sum, { by }) => sum + (by?.keys.length ?? 1), 0);
  const [first] = list.order;
  const farthest = first && edgeWords[`${first.column.sql} ${first.direction}`];
  if (first === undefined || farthest === undefined || ways <= fewWays)
    return { text: `${sorted(firstOf(enough))} ${limitOf(params, list.page)}` };
  const some = firstOf(Math.ceil((2 * enough) / ways));
  const last = `offset ${params.of(int8, BigInt(enough - 1))} limit 1`;
  const edge = `${first.sql} ${farthest.sign} coalesce((select e."${first.name}" from edge e), ${farthest.value})`;
  return {
    before: `with edge as materialized (${sorted(some)} ${last})`,
    text: `${sorted(firstOf(enough, edge))} ${limitOf(params, list.page)}`,
  };
}

/**
 * Many accounts may each have more rows than the part that is wanted. A few rows of each, taken together, already hold
 * as many: what stands behind the last of these cannot be in the part, so that nobody's rows are read further than that.
 */
const edgeWords: Readonly<Record<string, { readonly sign: string; readonly value: string }>> = {
  "bigint asc": { sign: "<=", value: "9223372036854775807" },
  "bigint desc": { sign: ">=", value: "-9223372036854775808" },
  "numeric asc": { sign: "<=", value: "'infinity'::numeric" },
  "numeric desc": { sign: ">=", value: "'-infinity'::numeric" },
};
/** For so few it is cheaper to read the rows at once. */
const fewWays = 4;
