import type { TimeRange } from "../../../history/queries/kit/ranges.ts";
import type { Address } from "../../../model/Address.ts";
import { cursorArgs, ltArgs, pageArgs, sortArg, utimeArgs } from "./args.ts";
import { refusal } from "./refusals.ts";

/** Times, page and direction of a list of transfers or burns. */
export const eventArgs = { ...utimeArgs, ...ltArgs, ...pageArgs, ...cursorArgs, sort: sortArg };

export interface TimeArgs {
  readonly start_utime: number | undefined;
  readonly end_utime: number | undefined;
}

/** The times of a list whose request is refused when they are reversed. */
export function timesOf({ start_utime: startUtime, end_utime: endUtime }: TimeArgs) {
  if (startUtime !== undefined && endUtime !== undefined && startUtime > endUtime) throw refusal("utimeOrder");
  return { startUtime, endUtime };
}

interface RangeArgs extends TimeArgs {
  readonly start_lt: bigint | undefined;
  readonly end_lt: bigint | undefined;
}

/** The times of a list. */
export function rangeOf({ start_utime, end_utime, start_lt, end_lt }: RangeArgs): TimeRange {
  return { startUtime: start_utime, endUtime: end_utime, startLt: start_lt, endLt: end_lt };
}

/** The side of an owner: any value but `in` and `both` means the sender. */
export function sideOf(direction: string | undefined): "in" | "out" | undefined {
  if (direction === undefined || direction === "both") return undefined;
  return direction === "in" ? "in" : "out";
}

/** Owners, or the one given by the older name. */
export function ownersOf(owners: readonly Address[], older: Address | undefined): readonly Address[] {
  return owners.length > 0 || older === undefined ? owners : [older];
}
