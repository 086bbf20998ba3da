import { onAbort } from "../../../lib/abort.ts";
import { throwIfAborted } from "../../../lib/deadline.ts";

export interface AheadOptions<T> {
  readonly first: number;
  /** The last one; without it, reading continues until the signal aborts. */
  readonly last: number | undefined;
  /** How many may be in progress or wait to be taken. */
  readonly max: number;
  /** Total weight of finished items and, by the mean so far, of those in progress. */
  readonly maxBytes: number;
  readonly sizeOf: (value: T) => number;
  readonly signal: AbortSignal;
}

interface Piece<T> {
  readonly outcome: Promise<T>;
  bytes: number | undefined;
}

/**
 * The share of the places that is refilled together: queries that are sent together take fewer writes to the socket.
 */
const refilledShare = 1 / 3;

/**
 * Numbered pieces of work in order, several in progress at a time. One is always allowed, whatever its weight. When the
 * consumer leaves, work in progress is aborted.
 */
export async function* readAhead<T>(
  work: (number: number, signal: AbortSignal) => Promise<T>,
  { first, last = Number.POSITIVE_INFINITY, max, maxBytes, sizeOf, signal }: AheadOptions<T>,
): AsyncGenerator<T, void, void> {
  const own = new AbortController();
  const stopListening = onAbort(signal, (reason) => own.abort(reason));
  const pieces: Piece<T>[] = [];
  let next = first;
  let meanBytes = 0;
  const start = (): Piece<T> => {
    const piece: Piece<T> = { outcome: work(next++, own.signal), bytes: undefined };
    const weigh = (value: T): void => {
      piece.bytes = sizeOf(value);
      meanBytes = meanBytes === 0 ? piece.bytes : meanBytes * 0.9 + piece.bytes * 0.1;
    };
    // The consumer gets a failure in its turn; until then it must not count as an unhandled rejection.
    piece.outcome.then(weigh, () => {});
    return piece;
  };
  const fewest = max - Math.max(1, Math.floor(max * refilledShare));
  const refill = (): void => {
    if (pieces.length > fewest) return;
    while (next <= last && hasRoom()) pieces.push(start());
  };
  const hasRoom = (): boolean =>
    pieces.length === 0 ||
    (pieces.length < max && pieces.reduce((sum, { bytes }) => sum + (bytes ?? meanBytes), meanBytes) <= maxBytes);
  try {
    while (next <= last || pieces.length > 0) {
      throwIfAborted(signal);
      refill();
      const value = await (pieces[0] as Piece<T>).outcome;
      pieces.shift();
      refill();
      yield value;
    }
  } finally {
    stopListening();
    own.abort();
  }
}
