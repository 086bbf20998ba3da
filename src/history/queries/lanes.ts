import type { Address } from "../../model/Address.ts";
import { address, addresses } from "../store/columns.ts";
import { type ListQuestion, limitOf, listSql, orderBy } from "./Page.ts";
import type { Condition, Params, Statement } from "./Statement.ts";

/** One way into a table, along an index that gives its rows in the order of the list. */
export interface Lane {
  /** Rows with one of these accounts in this column, each account's own by the index; all rows when absent. */
  readonly by?: { readonly column: string; readonly keys: readonly Address[] } | undefined;
  /** What holds for the rows of this lane besides what holds for all. */
  readonly where?: readonly Condition[];
}

/** A list whose rows are those of any of its lanes, each row once. */
export interface LanesQuestion extends ListQuestion {
  /** From one table, which the statement calls `t`. */
  readonly from: string;
  readonly lanes: readonly Lane[];
  /** The columns that tell the rows of the table apart. */
  readonly identity: readonly string[];
}

/**
 * The statement for a part of such a list. Every account's part of every lane is read in order and no further than the
 * part that is wanted reaches; together they hold it, whatever else the accounts have.
 */
export function mergeLanes(params: Params, question: LanesQuestion): Statement {
  const { lanes, identity, ...list } = question;
  const [first = {}] = lanes;
  if (lanes.length <= 1 && (first.by === undefined || first.by.keys.length === 1))
    return listSql(params, { ...list, where: [...ownKey(params, first), ...(first.where ?? []), ...list.where] });
  const names = [...new Set([...identity, ...list.order.map(({ name }) => name)])];
  const merged = lanes.map((lane) => laneText(params, list, names, lane));
  // Only several lanes can lead to the same row.
  const all = merged.join(lanes.length === 1 ? "" : " union ");
  const order = list.order.map((each) => ({ ...each, sql: `p."${each.name}"` }));
  const isSame = identity.map((name) => `t."${name}" = p."${name}"`).join(" and ");
  return params.statement(`
    select ${list.select}
    from (select p.* from (${all}) p ${orderBy(order)} ${limitOf(params, list.page)}) p
    join ${list.from} on ${isSame}
    ${orderBy(list.order)}`);
}

function ownKey(params: Params, { by }: Lane): readonly Condition[] {
  const [only] = by?.keys ?? [];
  return by === undefined || only === undefined ? [] : [`${by.column} = ${params.of(address, only)}`];
}

function laneText(params: Params, list: ListQuestion, names: readonly string[], { by, where = [] }: Lane): string {
  const enough = { limit: list.page.limit + list.page.offset, offset: 0, cursor: list.page.cursor };
  const key = by && `${by.column} = k.key`;
  const own = listSql(params, {
    ...list,
    select: names.map((name) => `t."${name}"`).join(", "),
    where: [key, ...where, ...list.where],
    page: enough,
  });
  const selected = `select ${names.map((name) => `t."${name}"`).join(", ")} from`;
  if (by === undefined) return `${selected} (${own.text}) t`;
  return `${selected} unnest(${params.of(addresses, by.keys)}) as k(key) cross join lateral (${own.text}) t`;
}
