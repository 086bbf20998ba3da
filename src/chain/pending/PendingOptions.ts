import type { TraceLimits } from "../../tvm/run/trace.ts";
import type { PendingStoreLimits } from "./PendingStore.ts";

/** How much may be done for messages that are on their way. */
export interface PendingOptions extends PendingStoreLimits, TraceLimits {
  /** Messages that are run at the same time. */
  readonly maxRunning: number;
  /** Messages that wait to be run; more are let go. */
  readonly maxWaiting: number;
  /** How long one message may be run. */
  readonly timeoutMs: number;
}

/** Enough for a busy server, at a bounded price. */
export const usualPending: PendingOptions = {
  expiryMs: 600_000,
  maxTraces: 10_000,
  maxBytes: 64 << 20,
  maxTransactions: 256,
  maxDepth: 64,
  maxRunning: 2,
  maxWaiting: 200,
  timeoutMs: 20_000,
};
