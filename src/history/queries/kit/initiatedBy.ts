import type { Address } from "../../../model/Address.ts";
import { address } from "../../store/schema/columns.ts";
import type { Params } from "./Statement.ts";

/** How many rows are checked for the first transaction of their traces: each looks into every partition. */
export const maxRootsSearched = 2_000;

/** The rows whose traces are checked. */
interface RowsOfTraces {
  readonly alias: string;
  /** The traces of all rows that may be checked, for a cluster: it looks up their first transactions before. */
  readonly near: () => string;
}

/** Whether the first transaction of a row's trace is on the account; a trace without an indexed one has none there. */
export function initiatedBy(params: Params, account: Address, { alias, near }: RowsOfTraces): string {
  const own = params.of(address, account);
  if (params.layout === "single") {
    const root = `r.hash = ${alias}.trace_id and r.lt <= ${alias}.trace_end_lt`;
    // The account is compared outside: within, the planner could read all transactions of the account instead.
    return `coalesce((select r.account from transactions r where ${root} limit 1) = ${own}, false)`;
  }
  const roots = `select r.hash from (${near()}) n join transactions r on r.hash = n.trace_id where r.account = ${own}`;
  return `${alias}.trace_id in (${roots})`;
}
