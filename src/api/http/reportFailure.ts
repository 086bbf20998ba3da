import { type AnyCodedError, isCoded } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { Metrics } from "../metrics.ts";

/** Lite-server error codes that mean a problem of the server; all others are about the request. */
const serverTrouble: ReadonlySet<number> = new Set([601, 602, 603, 621, 652, 653]);

/**
 * Logs a failed request: our own faults as errors, those of other systems as warnings, lite-server errors about the
 * request as information. Errors of callers are not logged; refused access is counted.
 */
export function reportFailure(
  facts: { readonly request: string; readonly endpoint: string },
  error: unknown,
  { log, metrics }: { readonly log: Log; readonly metrics: Metrics },
): void {
  if (!isCoded(error) || error.kind === "ours") {
    log.error("a request failed because of an internal error", { ...facts, error });
  } else if (error.kind === "remote") {
    const level = isExpected(error) ? "info" : "warn";
    // The stack of another system's fault is useless.
    log[level]("a request failed", { ...facts, code: error.code, reason: error.message });
  } else if (error.code === "api/key" || error.code === "api/network" || error.code === "api/limit") {
    metrics.refused(error.code.slice("api/".length));
  }
}

function isExpected(error: AnyCodedError): boolean {
  return error.code === "lite/server" && !serverTrouble.has(error.data.serverCode);
}
