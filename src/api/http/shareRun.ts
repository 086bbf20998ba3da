import type { Inflight } from "../../lib/inflight.ts";
import { CancelToken } from "./answers/CancelToken.ts";

/**
 * Shares work with tokens instead of signals: an endpoint that never looks at its signal costs none. The token of the
 * work is cancelled when the last waiter has left.
 */
export function shareRun<T>(
  flights: Inflight<string, T>,
  key: string,
  work: (token: CancelToken) => Promise<T>,
  waiter: CancelToken,
): Promise<T> {
  if (waiter.reason !== undefined) return Promise.reject(waiter.reason);
  const start = () => {
    const token = new CancelToken();
    return { outcome: work(token), cancel: (reason: Error) => token.cancel(reason) };
  };
  return flights.shareStarted(key, start, (react) => waiter.onCancel(react));
}
