/** Whether the newest request got an answer of any kind: a stream may stay open while nothing else is answered. */

let isReached = true;
const listeners = new Set<(isReached: boolean) => void>();

export function reportReach(next: boolean): void {
  if (next === isReached) return;
  isReached = next;
  for (const listener of listeners) listener(next);
}

/** Calls with every change; returns the way to stop. */
export function listenReach(listener: (isReached: boolean) => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
