import type { Address } from "../../../model/Address.ts";
import type { SqlRow } from "../../store/Database.ts";
import { isAccount } from "../../store/schema/accountKey.ts";
import { address, addresses, int8 } from "../../store/schema/columns.ts";
import {
  inAlias,
  type ListStatement,
  limitOf,
  listSql,
  makeSearchEdges,
  maxSearched,
  type Order,
  orderBy,
} from "./Page.ts";
import type { TimeRange } from "./ranges.ts";
import { type Condition, type Params, type Statement, whereAll } from "./Statement.ts";

/** Accounts in a column; `isShort` when its index has them in their short form. */
export interface ScanKeys {
  readonly column: string;
  readonly keys: readonly Address[];
  readonly isShort?: boolean;
}

/** One index scan: an index that gives rows in the order of the list. */
export interface IndexScan {
  /** Rows with one of these accounts in this column, each account's rows in index order; all rows when absent. */
  readonly by?: ScanKeys | undefined;
  /** Conditions of which exactly one holds for each row of the scan, when each needs its own index. */
  readonly parts?: readonly Condition[];
}

/** How the rows of a list are partitioned; its order begins with one of these columns. */
export interface PartedList {
  readonly table: string;
  readonly lt: string;
  readonly time: string;
  /** What holds for all rows of the list and for those in the index of the times. */
  readonly where?: Condition;
  /** The range of the filter. */
  readonly range: TimeRange;
}

/** A list whose rows come from any of several index scans, each row once. */
export interface IndexScansStatement extends ListStatement {
  /** From one table, which the statement calls `t`. */
  readonly from: string;
  readonly scans: readonly IndexScan[];
  /** The columns that identify a row. */
  readonly identity: readonly string[];
  /** How the table is partitioned; then a page of many accounts is read from as few partitions as it needs. */
  readonly parted?: PartedList | undefined;
  /** Those of its conditions that say which partitions have its rows. */
  readonly within?: readonly string[] | undefined;
  /** Among how many accounts the searched rows are divided, where some are known to have none. */
  readonly ways?: number | undefined;
}

/**
 * The statement for a page of such a list. Each scan of each account is read in order and only as far as the page
 * needs; together they contain the page, however many rows the accounts have.
 */
export function mergeIndexScans(params: Params, statement: IndexScansStatement): Statement {
  const { scans, identity, within = [], ...whole } = statement;
  const list = { ...whole, maxSearched: searchedEach(statement) };
  const [first = {}] = scans;
  if (scans.length <= 1 && (first.by?.keys.length ?? 1) === 1 && (first.parts?.length ?? 1) === 1)
    return listSql(params, { ...list, where: [ownKey(params, first), ...(first.parts ?? []), ...list.where] });
  const names = [...new Set([...identity, ...list.order.map(({ name }) => name)])];
  const isSame = [...identity.map((name) => `t."${name}" = p."${name}"`), ...within].join(" and ");
  const isKeyByKey =
    params.layout === "single" &&
    scans.length === 1 &&
    first.by !== undefined &&
    list.order[0]?.sql === first.by.column;
  const { before = "", text } = isKeyByKey
    ? { text: keyByKey(params, list, names, first) }
    : merged(params, list, names, scans);
  return params.statement(`
    ${before} select ${list.select}
    from (${text}) p join ${list.from} on ${isSame}
    ${orderBy(list.order)}`);
}

/** How many rows are searched for each account, so that all together are not too many. */
function searchedEach({ scans, maxSearched: max = maxSearched, ways = waysOf(scans) }: IndexScansStatement): number {
  return Math.max(100, Math.floor(max / Math.max(1, ways)));
}

/** Whether so many accounts are looked for that each partition costs more than a statement of its own. */
export function isOfManyWays({ scans }: Pick<IndexScansStatement, "scans">): boolean {
  return waysOf(scans) >= manyWays;
}

const manyWays = 64;

export function waysOf(scans: readonly IndexScan[]): number {
  return scans.reduce((sum, { by }) => sum + (by?.keys.length ?? 1), 0);
}

/** The accounts of each scan, by its number, that have a row of the list, whatever is checked of it. */
export function presentKeysSql(params: Params, { scans, from, where, checks = [] }: IndexScansStatement): Statement {
  const each = scans.flatMap(({ by }, at) => {
    if (by === undefined) return [];
    const row = `select 1 from ${from} ${whereAll([hasKey(by, "k.key"), ...where])} limit 1`;
    return `select ${at} as scan, k.key from ${keysOf(params, { by })} as k(key) cross join lateral (${row}) r`;
  });
  const unused = checks.filter((check) => check !== undefined);
  // The database wants to see every parameter.
  const seen = unused.length === 0 ? "" : `where true or exists (select 1 from ${from} where ${unused.join(" and ")})`;
  return params.lookup(`select * from (${each.join(" union all ")}) p ${seen}`);
}

/**
 * The nearest of the last searched rows of those accounts that have at least so many, among rows up to `last`;
 * `undefined` for a list that searches none.
 */
export function makeScanEdges(
  params: Params,
  statement: IndexScansStatement,
  last: SqlRow | undefined,
): Statement | undefined {
  const { scans, ...whole } = statement;
  const ways = (scans.length === 0 ? [{}] : spread(params, scans)).flatMap(({ by, parts = [undefined] }: IndexScan) =>
    parts.map((part) => ({ by, part })),
  );
  const isOneWay = ways.length === 1 && (ways[0]?.by?.keys.length ?? 1) === 1;
  // The rows of a full page from one list are all before the end of its search.
  if (isOneWay && last !== undefined) return undefined;
  const list = { ...whole, maxSearched: searchedEach(statement) };
  const near = last && untilRow(params, list.order, last);
  const each = ways.flatMap(({ by, part }) => {
    const own = makeSearchEdges(params, { ...list, where: [keyCondition(params, by), part, near, ...list.where] }, 1);
    if (own === undefined) return [];
    const keys = by?.keys ?? [];
    return keys.length <= 1
      ? `(${own.text})`
      : `(select s.* from unnest(${params.of(addresses, keys)}) as k(key) cross join lateral (${own.text}) s)`;
  });
  return each.length === 0 ? undefined : nearestEdge(params, list.order, each);
}

/** The first of the rows that these statements find. */
export function nearestEdge(params: Params, order: Order, edges: readonly string[]): Statement {
  return params.statement(`select * from (${edges.join(" union all ")}) e ${orderBy(inAlias("e", order))} limit 1`);
}

/** Rows up to this one, as far as the first column of the order tells; nothing when that may be null. */
export function untilRow(params: Params, [first]: Order, row: SqlRow): Condition {
  if (first === undefined || first.isNullable) return undefined;
  const { sql, column, direction, name } = first;
  const value = params.of({ sql: column.sql, write: () => column.write(column.read(row[name] ?? null) as never) }, "");
  return `${sql} ${direction === "asc" ? "<=" : ">="} ${value}`;
}

/**
 * A cluster reads the rows of one account after another: it cannot join a list of accounts with the first rows of each.
 */
function spread(params: Params, scans: readonly IndexScan[]): readonly IndexScan[] {
  if (params.layout === "single") return scans;
  return scans.flatMap(({ by, parts }) => {
    const own = by?.keys.map((key) => ({ by: { ...by, keys: [key] } })) ?? [{}];
    return own.map((each) => (parts === undefined ? each : { ...each, parts }));
  });
}

/** The condition of the only account of a scan. */
export function ownKey(params: Params, { by }: IndexScan): Condition {
  const [only] = by?.keys ?? [];
  return by && only && hasKey(by, params.of(address, only));
}

/** A single account is passed as a value, so that the planner knows whether it is a busy one. */
function keyCondition(params: Params, by: IndexScan["by"]): Condition {
  return by?.keys.length === 1 ? ownKey(params, { by }) : by && hasKey(by, "k.key");
}

function hasKey({ column, isShort = false }: ScanKeys, value: string): string {
  return isShort ? isAccount(column, value) : `${column} = ${value}`;
}

const columnsOf = (alias: string, names: readonly string[]) => names.map((name) => `${alias}."${name}"`).join(", ");

/** The first rows of a scan without accounts or with one, or of the account `k.key` of a scan with several. */
function scanRows(
  params: Params,
  list: ListStatement,
  names: readonly string[],
  { by, parts = [undefined] }: IndexScan,
  { limit, edge }: { readonly limit: number; readonly edge?: Condition },
): string {
  const page = { limit, offset: 0, cursor: list.page.cursor };
  const isForced = params.layout === "single" && by !== undefined && by.keys.length > 1;
  const own = parts.map((part) => {
    const where = [keyCondition(params, by), part, edge, ...list.where];
    return listSql(params, { ...list, select: columnsOf("t", names), where, page, isForced }).text;
  });
  if (own.length === 1) return own.join();
  const all = own.map((each) => `(${each})`).join(" union all ");
  return `select * from (${all}) u ${orderBy(inAlias("u", list.order))} ${limitOf(params, page)}`;
}

/** When the account leads the order, accounts are read one after another until the page is full. */
function keyByKey(params: Params, list: ListStatement, names: readonly string[], scan: IndexScan): string {
  const enough = list.page.limit + list.page.offset;
  const [first, ...others] = inAlias("t", list.order);
  const order = first === undefined ? [] : [{ ...first, sql: "k.key" }, ...others];
  return `
    select ${columnsOf("t", names)}
    from (select key from unnest(${params.of(addresses, scan.by?.keys ?? [])}) as key order by key ${first?.direction}) k
    cross join lateral (${scanRows(params, list, names, scan, { limit: enough })}) t
    ${orderBy(order)} ${limitOf(params, list.page)}`;
}

/** The first rows of all scans, each row once. */
function merged(
  params: Params,
  list: ListStatement,
  names: readonly string[],
  scans: readonly IndexScan[],
): { readonly before?: string; readonly text: string } {
  const enough = list.page.limit + list.page.offset;
  const each = spread(params, scans);
  const rowsOf = (scan: IndexScan, limits: { readonly limit: number; readonly edge?: Condition }, keys?: string) => {
    const own = scanRows(params, list, names, scan, limits);
    return `${isOfMany(scan) ? `${keys ?? keysOf(params, scan)} as k(key) cross join lateral ` : ""}(${own}) t`;
  };
  const columns = columnsOf("t", names);
  // Only several scans can give the same row.
  const [together, distinctly] = scans.length === 1 ? [" union all ", ""] : [" union ", "distinct "];
  const sorted = (rows: string) => `select p.* from (${rows}) p ${orderBy(inAlias("p", list.order))}`;
  const ways = waysOf(scans);
  const [first] = list.order;
  const farthest = first && edgeWords[`${first.column.sql} ${first.direction}`];
  if (params.layout === "distributed" || first === undefined || farthest === undefined || ways <= fewWays) {
    const all = each.map((scan) => `select ${columns} from ${rowsOf(scan, { limit: enough })}`).join(together);
    return { text: `${sorted(all)} ${limitOf(params, list.page)}` };
  }
  const rounds = roundsOf(enough, ways);
  const behind = `offset ${params.of(int8, BigInt(enough - 1))}`;
  const seenIn = (round: number) => seenRows(columnsOf("s", names), round, distinctly);
  const looked = rounds.map((limit, round) => {
    const own = each.flatMap((scan, at) => {
      const before = { scan: at, round: round - 1, limit: rounds[round - 1] ?? 0 };
      const keys = round === 0 ? undefined : fullKeys(before, `${seenIn(round - 1)} ${behind}`);
      if (keys !== undefined && !isOfMany(scan)) return [];
      const key = isOfMany(scan) ? "k.key" : "null::bytea";
      return `select ${columns}, ${at} as scan, ${key} as key from ${rowsOf(scan, { limit }, keys)}`;
    });
    return `${roundName(round)} as materialized (${own.join(" union all ")})`;
  });
  const until = (sql: string) =>
    `${sql} ${farthest.sign} coalesce((select e."${first.name}" from edge e), ${farthest.value})`;
  const near = each.map((scan, at) => {
    const keys = `(select distinct s.key from ${roundName(0)} s where s.scan = ${at} and ${until(`s."${first.name}"`)})`;
    return `select ${columns} from ${rowsOf(scan, { limit: enough, edge: until(first.sql) }, keys)}`;
  });
  return {
    before: `with ${looked.join(", ")},
      edge as materialized (${sorted(seenIn(rounds.length - 1))} ${behind} limit 1)`,
    text: `${sorted(near.join(together))} ${limitOf(params, list.page)}`,
  };
}

/**
 * How many rows of each account are looked at to find where a page ends. As long as all that were seen do not fill the
 * page, ten times as many are looked at of those accounts that have more: these are fewer than the page has rows.
 */
function roundsOf(enough: number, ways: number): readonly number[] {
  const first = Math.ceil((2 * enough) / ways);
  const rounds = [first];
  for (let limit = first * 10; limit * 10 <= enough; limit *= 10) rounds.push(limit);
  return rounds;
}

const roundName = (round: number): string => `heads_${round}`;

/** The rows of all rounds up to one; those of a round are in the next one again. */
function seenRows(columns: string, round: number, distinctly: string): string {
  if (round === 0) return `select ${distinctly}${columns} from ${roundName(0)} s`;
  const rounds = Array.from({ length: round + 1 }, (_, at) => `select ${columns} from ${roundName(at)} s`);
  return rounds.join(" union ");
}

/** The accounts of which a round did not see all rows; none when a page is known to be full. */
function fullKeys(
  { scan, round, limit }: { readonly scan: number; readonly round: number; readonly limit: number },
  full: string,
): string {
  return `(select s.key from ${roundName(round)} s where s.scan = ${scan} and not exists (${full})
    group by s.key having count(*) >= ${limit})`;
}

const isOfMany = ({ by }: IndexScan): boolean => by !== undefined && by.keys.length > 1;

const keysOf = (params: Params, { by }: IndexScan): string => `unnest(${params.of(addresses, by?.keys ?? [])})`;

/**
 * Many accounts may each have more rows than the page needs. A few rows of each already contain as many: rows after the
 * last of these cannot be in the page, so no account is read further, and only those with a row before it are read
 * again.
 */
const edgeWords: Readonly<Record<string, { readonly sign: string; readonly value: string }>> = {
  "bigint asc": { sign: "<=", value: "9223372036854775807" },
  "bigint desc": { sign: ">=", value: "-9223372036854775808" },
  "numeric asc": { sign: "<=", value: "'infinity'::numeric" },
  "numeric desc": { sign: ">=", value: "'-infinity'::numeric" },
};
/** For so few it is cheaper to read all rows at once. */
const fewWays = 4;
