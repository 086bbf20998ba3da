import type { Clock } from "../lib/clock.ts";
import { runWithin } from "../lib/deadline.ts";
import { isCoded } from "../lib/errors.ts";
import type { AdnlHandler } from "./adnl/AdnlInbound.ts";
import type { LiteServer } from "./LiteServer.ts";
import { serverError } from "./tl/liteRecords.ts";
import { unwrapQuery } from "./tl/queryEnvelope.ts";
import { encode } from "./tl/types.ts";

export interface ServeLiteOptions {
  /** How long one query may take; 4.5 s, the reference's time, by default. */
  readonly timeoutMs?: number;
}

// The reference's numbers: bad input, not available here and now, out of time.
const badInput = 0;
const notReady = 651;
const timedOut = 652;

/**
 * Any `LiteServer` as the handler of an `AdnlServer`. What it cannot answer becomes `liteServer.error`, as the reference
 * does it; a query without the `liteServer.query` envelope gets no answer at all.
 */
export function serveLite(server: LiteServer, clock: Clock, { timeoutMs = 4_500 }: ServeLiteOptions = {}): AdnlHandler {
  return async (query, _peer, signal) => {
    const question = findQuestion(query);
    if (question === undefined) return undefined;
    try {
      return await runWithin(clock, timeoutMs, (deadline) => server.ask(question, { signal: deadline.signal }), signal);
    } catch (error) {
      return encode(serverError.boxed, toServerError(error));
    }
  };
}

function findQuestion(query: Uint8Array): Uint8Array | undefined {
  try {
    return unwrapQuery(query);
  } catch {
    // Not a lite-server query: the reference keeps silent, and so do we.
    return undefined;
  }
}

function toServerError(error: unknown): { readonly code: number; readonly message: string } {
  if (!isCoded(error)) {
    // The asker is a stranger: what broke inside is not for it.
    return { code: notReady, message: "internal error" };
  }
  switch (error.code) {
    case "lite/tl":
      return { code: badInput, message: error.message };
    case "lib/deadline":
    case "lite/timeout":
      return { code: timedOut, message: "timeout" };
    default:
      return { code: notReady, message: error.message };
  }
}
