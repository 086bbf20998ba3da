import { nextTurn } from "../TurnBudget.ts";

/** How many items are mapped before timers and sockets get their turn. */
const pieceItems = 250;

/** Maps a list of any length without holding the event loop for all of it; a short one is mapped at once. */
export async function mapInPieces<T, U>(items: readonly T[], map: (item: T) => U): Promise<readonly U[]> {
  if (items.length <= pieceItems) return items.map((item) => map(item));
  const mapped: U[] = [];
  for (const item of items) {
    if (mapped.length > 0 && mapped.length % pieceItems === 0) await nextTurn();
    mapped.push(map(item));
  }
  return mapped;
}
