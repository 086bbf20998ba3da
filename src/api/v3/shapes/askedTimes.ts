import { int, omittable } from "../../../lib/kit/shape.ts";

/** The times that a request asked for. */
export interface AskedTimes {
  readonly startUtime: number | undefined;
  readonly endUtime: number | undefined;
}

export const askedTimeFields = {
  start_utime: omittable(int)("`start_utime` of the request; absent without it.", (a: AskedTimes) => a.startUtime),
  end_utime: omittable(int)("`end_utime` of the request; absent without it.", (a: AskedTimes) => a.endUtime),
};
