import type { Address } from "../../../model/Address.ts";
import type { PlanMode, SqlParam, TableLayout } from "../../store/Database.ts";
import type { Column } from "../../store/schema/columns.ts";
import { addresses } from "../../store/schema/columns.ts";
import { selectList, type Table } from "../../store/schema/Table.ts";

/** SQL with its parameters. */
export interface Statement {
  readonly text: string;
  readonly params: readonly SqlParam[];
  readonly plan?: PlanMode;
}

/** Collects the parameters of a statement while its text is written. */
export class Params {
  readonly #values: SqlParam[] = [];
  /** Where the tables are: a cluster cannot run some forms, and some are slower elsewhere. */
  readonly layout: TableLayout;

  constructor(layout: TableLayout = "single") {
    this.layout = layout;
  }

  /** The placeholder of a value with the column's type: `$1::bytea`. */
  of<T>(column: Pick<Column<T>, "sql" | "write">, value: T): string {
    this.#values.push(column.write(value));
    return `$${this.#values.length}::${column.sql}`;
  }

  /** A statement with this text and the parameters so far. */
  statement(text: string): Statement {
    return { text, params: this.#values };
  }

  /** A statement that fetches rows by key: one plan is good for all values. */
  lookup(text: string): Statement {
    return { text, params: this.#values, plan: "kept" };
  }
}

/** A condition, or nothing for an absent filter. */
export type Condition = string | undefined;

/** A `where` that holds when all conditions do; nothing when there are none. */
export function whereAll(conditions: readonly Condition[]): string {
  const present = conditions.filter((each) => each !== undefined);
  return present.length === 0 ? "" : `where ${present.join(" and ")}`;
}

/** A condition on an optional argument. */
export function ifSet<T>(value: T | undefined, condition: (value: T) => string): Condition {
  return value === undefined ? undefined : condition(value);
}

/** A condition on a list; an empty list is no condition. */
export function ifAny<T>(values: readonly T[], condition: (values: readonly T[]) => string): Condition {
  return values.length === 0 ? undefined : condition(values);
}

/** The rows `t` of a table of which a column is one of these addresses. */
export function selectRowsAt(table: Table, column: string, of: readonly Address[], order?: string): Statement {
  const params = new Params();
  const sorted = order === undefined ? "" : ` order by ${order}`;
  return params.statement(
    `select ${selectList(table, "t")} from ${table.name} t where t.${column} = any(${params.of(addresses, of)})${sorted}`,
  );
}
