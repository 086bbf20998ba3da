import { systemClock } from "../clock.ts";
import { nextTurn } from "../TurnBudget.ts";

/** How many items are mapped, and for how long, before timers and sockets get their turn. */
const pieceItems = 250;
const pieceMs = 4;

/** Maps a list of any length without holding the event loop for all of it; what is short is mapped at once. */
export async function mapInPieces<T, U>(items: Iterable<T>, map: (item: T) => U): Promise<readonly U[]> {
  const mapped: U[] = [];
  let untilMs = systemClock.monotonic() + pieceMs;
  for (const item of items) {
    if ((mapped.length > 0 && mapped.length % pieceItems === 0) || systemClock.monotonic() > untilMs) {
      await nextTurn();
      untilMs = systemClock.monotonic() + pieceMs;
    }
    mapped.push(map(item));
  }
  return mapped;
}
