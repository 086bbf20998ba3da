import type { Clock } from "../../../lib/clock.ts";
import type { TrustedHead } from "../../../lite/queries/TrustedChain.ts";
import { UnprovedError } from "./UnprovedError.ts";

/** Refuses a head that is too old, or of the future, by the clock of this machine. */
export function checkAge(
  name: string,
  { genUtime }: TrustedHead,
  { clock, maxAge }: { readonly clock: Pick<Clock, "now">; readonly maxAge: number },
): void {
  const age = Math.floor(clock.now() / 1000) - genUtime;
  const data = { age, maxAge };
  if (age > maxAge) {
    throw new UnprovedError(
      "verify/old-head",
      `${name}: the newest block of the server is ${age} s old by the clock of this machine (limit ${maxAge} s); the server is behind, or this clock is wrong`,
      { data },
    );
  }
  if (-age > maxAge) {
    throw new UnprovedError(
      "verify/clock",
      `${name}: the newest block of the server is ${-age} s in the future by the clock of this machine (limit ${maxAge} s); set this clock`,
      { data },
    );
  }
}
