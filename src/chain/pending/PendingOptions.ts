import type { TraceLimits } from "../../tvm/run/trace.ts";
import type { PendingStoreLimits } from "./PendingStore.ts";

/** Limits of the work for pending messages. */
export interface PendingOptions extends PendingStoreLimits, TraceLimits {
  /** Concurrent runs. */
  readonly maxRunning: number;
  /** Messages that may wait for a run; further ones are dropped. */
  readonly maxWaiting: number;
  /** The timeout of one run. */
  readonly timeoutMs: number;
}

/** Messages of a predicted trace: each is described again whenever the chain has more of the trace. */
export const maxPredictedMessages = 1_024;

/** Enough for a busy server, with bounded cost. */
export const usualPending: PendingOptions = {
  expiryMs: 600_000,
  maxTraces: 10_000,
  maxBytes: 64 << 20,
  maxTransactions: 256,
  maxMessages: maxPredictedMessages,
  maxDepth: 64,
  maxRunning: 2,
  maxWaiting: 200,
  timeoutMs: 20_000,
};
