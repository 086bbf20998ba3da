import type { Clock } from "../../lib/clock.ts";
import { runWithin } from "../../lib/deadline.ts";
import { isCoded } from "../../lib/errors.ts";
import type { AdnlHandler } from "../adnl/AdnlInbound.ts";
import { serverError } from "../tl/liteRecords.ts";
import { unwrapQuery } from "../tl/queryEnvelope.ts";
import { encode } from "../tl/types.ts";
import type { LiteServer } from "./LiteServer.ts";

export interface ServeLiteOptions {
  /** The timeout of one query; 4.5 s, that of the reference, by default. */
  readonly timeoutMs?: number;
}

// The reference's numbers: bad input, not available, timeout.
const badInput = 0;
const notReady = 651;
const timedOut = 652;

/**
 * Any `LiteServer` as the handler of an `AdnlServer`. A failure becomes `liteServer.error`, as in the reference; a
 * query without the `liteServer.query` envelope gets no answer.
 */
export function serveLite(server: LiteServer, clock: Clock, { timeoutMs = 4_500 }: ServeLiteOptions = {}): AdnlHandler {
  return async (envelope, _peer, signal) => {
    const query = findInnerQuery(envelope);
    if (query === undefined) return undefined;
    try {
      return await runWithin(clock, timeoutMs, (deadline) => server.ask(query, { signal: deadline.signal }), signal);
    } catch (error) {
      return encode(serverError.boxed, toServerError(error));
    }
  };
}

function findInnerQuery(envelope: Uint8Array): Uint8Array | undefined {
  try {
    return unwrapQuery(envelope);
  } catch {
    // Not a lite-server query: like the reference, no answer.
    return undefined;
  }
}

function toServerError(error: unknown): { readonly code: number; readonly message: string } {
  if (!isCoded(error)) {
    // Clients must not see internal errors.
    return { code: notReady, message: "internal error" };
  }
  switch (error.code) {
    case "lite/tl":
      return { code: badInput, message: error.message };
    case "lib/deadline":
    case "lite/timeout":
      return { code: timedOut, message: "timeout" };
    case "lib/storage":
      return { code: notReady, message: "a file of the server cannot be used" };
    default:
      return { code: notReady, message: error.message };
  }
}
