import { int8, int53 } from "../../store/schema/columns.ts";
import { type Condition, ifSet, type Params } from "./Statement.ts";

const maxInt8 = 2n ** 63n - 1n;

/** A 64-bit logical time as the tables can compare it: stored values are always smaller than 2^63. */
export function boundedLt(lt: bigint): bigint {
  return lt > maxInt8 ? maxInt8 : lt;
}

/** A range of times in Unix seconds, both ends included. */
export interface Times {
  readonly startUtime?: number | undefined;
  readonly endUtime?: number | undefined;
}

/** The same with a range of logical times. */
export interface TimeRange extends Times {
  readonly startLt?: bigint | undefined;
  readonly endLt?: bigint | undefined;
}

/** The block that something is in, and when. */
export interface InBlock extends TimeRange {
  readonly workchain?: number | undefined;
  readonly shard?: bigint | undefined;
  readonly seqno?: number | undefined;
  /** The masterchain block that commits it; a masterchain block commits itself. */
  readonly mcSeqno?: number | undefined;
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

/** The conditions of a range of times on a column. */
export function inTimes(params: Params, column: string, { startUtime, endUtime }: Times): readonly Condition[] {
  return [
    ifSet(startUtime, (value) => `${column} >= ${params.of(int53, value)}`),
    ifSet(endUtime, (value) => `${column} <= ${params.of(int53, value)}`),
  ];
}

/** The conditions of a range. */
export function rangeConditions(params: Params, range: TimeRange, columns: TimeColumns) {
  const { startLt, endLt } = range;
  const times = inTimes(params, columns.time, range);
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
