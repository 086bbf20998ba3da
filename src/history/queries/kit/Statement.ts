import type { Column } from "../../store/columns.ts";
import type { PlanMode, SqlParam } from "../../store/Database.ts";

/** SQL with what fills its places. */
export interface Statement {
  readonly text: string;
  readonly params: readonly SqlParam[];
  readonly plan?: PlanMode;
}

/** Collects the parameters of a statement while its text is written. */
export class Params {
  readonly #values: SqlParam[] = [];

  /** The place of a value, as the column's type: `$1::bytea`. */
  of<T>(column: Column<T>, value: T): string {
    this.#values.push(column.write(value));
    return `$${this.#values.length}::${column.sql}`;
  }

  /** A statement of this text and the parameters given so far. */
  statement(text: string): Statement {
    return { text, params: this.#values };
  }

  /** One that fetches rows by their keys: there is one good plan for it, whatever the values. */
  lookup(text: string): Statement {
    return { text, params: this.#values, plan: "kept" };
  }
}

/** A condition, or nothing where a filter is not asked for. */
export type Condition = string | undefined;

/** A `where` that holds when all conditions do; nothing when there are none. */
export function whereAll(conditions: readonly Condition[]): string {
  const given = conditions.filter((each) => each !== undefined);
  return given.length === 0 ? "" : `where ${given.join(" and ")}`;
}

/** A condition on an argument that may not be given. */
export function given<T>(value: T | undefined, condition: (value: T) => string): Condition {
  return value === undefined ? undefined : condition(value);
}

/** A condition on a list that may be empty, which then asks for nothing. */
export function anyGiven<T>(values: readonly T[], condition: (values: readonly T[]) => string): Condition {
  return values.length === 0 ? undefined : condition(values);
}
