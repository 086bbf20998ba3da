import type { Address } from "../../../model/Address.ts";
import { addresses } from "../../store/schema/columns.ts";
import { selectList, type Table } from "../../store/schema/Table.ts";
import { Params, type Statement } from "./Statement.ts";

/** The rows `t` of a table of which a column is one of these addresses. */
export function selectRowsAt(table: Table, column: string, of: readonly Address[], order?: string): Statement {
  const params = new Params();
  const sorted = order === undefined ? "" : ` order by ${order}`;
  return params.statement(
    `select ${selectList(table, "t")} from ${table.name} t where t.${column} = any(${params.of(addresses, of)})${sorted}`,
  );
}
