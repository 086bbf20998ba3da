import type { SqlRow } from "../../store/Database.ts";
import { type Column, hash, hashes, int8, int8s } from "../../store/schema/columns.ts";
import { selectList } from "../../store/schema/Table.ts";
import { actions } from "../../store/schema/tables.ts";
import { columnOf } from "../kit/Page.ts";
import { Params, type Statement } from "../kit/Statement.ts";

/** The actions of a page, of which an account's list has the keys. */
export function actionsAtSql(rows: readonly SqlRow[]): Statement {
  const params = new Params();
  const of = <T>(list: Column<readonly T[]>, each: Column<T>, name: string) =>
    params.of(
      list,
      rows.map((row) => each.read(columnOf(row, name))),
    );
  const keys = [of(hashes, hash, "trace_id"), of(hashes, hash, "action_id"), of(int8s, int8, "partition_lt")];
  return params.lookup(`
    select ${selectList(actions, "a")} from unnest(${keys.join(", ")}) with ordinality as k(trace_id, action_id, lt, place)
    join actions a on a.trace_id = k.trace_id and a.action_id = k.action_id and a.trace_end_lt = k.lt
    order by k.place`);
}
