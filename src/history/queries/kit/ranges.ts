import { int8, int53 } from "../../store/schema/columns.ts";
import { type Condition, ifSet, type Params } from "./Statement.ts";

const maxInt8 = 2n ** 63n - 1n;

/** A 64-bit logical time as the tables can compare it: stored values are always smaller than 2^63. */
export function boundedLt(lt: bigint): bigint {
  return lt > maxInt8 ? maxInt8 : lt;
}

/** A range of time and of logical time, both ends included. */
export interface TimeRange {
  readonly startUtime?: number | undefined;
  readonly endUtime?: number | undefined;
  readonly startLt?: bigint | undefined;
  readonly endLt?: bigint | undefined;
}

/** Whether a list is ordered by time: by logical time otherwise. */
export function isByTime({ startUtime, endUtime }: TimeRange): boolean {
  return startUtime !== undefined || endUtime !== undefined;
}

/** The columns that a range is about. */
interface TimeColumns {
  readonly time: string;
  readonly lt: string;
}

/** The conditions of a range. */
export function rangeConditions(params: Params, range: TimeRange, columns: TimeColumns) {
  const { startUtime, endUtime, startLt, endLt } = range;
  const times: readonly Condition[] = [
    ifSet(startUtime, (value) => `${columns.time} >= ${params.of(int53, value)}`),
    ifSet(endUtime, (value) => `${columns.time} <= ${params.of(int53, value)}`),
  ];
  const lts: readonly Condition[] = [
    ifSet(startLt, (value) => `${columns.lt} >= ${params.of(int8, boundedLt(value))}`),
    ifSet(endLt, (value) => `${columns.lt} <= ${params.of(int8, boundedLt(value))}`),
  ];
  return { times, lts };
}

/** The conditions that the index of the order serves, and those that are checked. */
export function inRange(
  params: Params,
  range: TimeRange,
  columns: TimeColumns,
): { readonly served: readonly Condition[]; readonly checked: readonly Condition[] } {
  const { times, lts } = rangeConditions(params, range, columns);
  return isByTime(range) ? { served: times, checked: lts } : { served: lts, checked: [] };
}
