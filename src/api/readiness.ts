import { orAborted } from "../lib/abort.ts";
import type { Clock } from "../lib/clock.ts";
import { runWithin } from "../lib/deadline.ts";

/** A condition for sending requests to this server. */
export interface ReadinessCheck {
  readonly name: string;
  /** Returns its state in one line; throws with the reason when it is not ready. */
  check(signal: AbortSignal): Promise<string> | string;
}

/** The results of all checks. */
export interface Readiness {
  readonly isReady: boolean;
  readonly checks: Readonly<Record<string, { readonly ok: boolean; readonly detail: string }>>;
}

/** A check that takes longer has failed. */
const checkMs = 2000;

/** Runs all checks concurrently. */
export async function askReadiness(checks: readonly ReadinessCheck[], clock: Clock): Promise<Readiness> {
  const entries = await Promise.all(checks.map(async (each) => [each.name, await askOne(each, clock)] as const));
  return { isReady: entries.every(([, { ok }]) => ok), checks: Object.fromEntries(entries) };
}

async function askOne({ check }: ReadinessCheck, clock: Clock): Promise<{ ok: boolean; detail: string }> {
  try {
    const detail = await runWithin(clock, checkMs, ({ signal }) => orAborted(Promise.resolve(check(signal)), signal));
    return { ok: true, detail };
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}
