import { statfsSync } from "node:fs";
import { HistoryError } from "../../errors.ts";

/**
 * Nothing more is written when less than this is left on the disk. A statement that finds no room for its rows fails and
 * that is all; but an engine that finds none for its log must end, and may then need room to begin again.
 */
const leastFreeMegabytes = 64;

/** Refuses with `history/full` when the disk of a folder is as good as full. */
export function refuseFull(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  const free = Math.floor((bavail * bsize) / (1 << 20));
  if (free >= leastFreeMegabytes) return;
  throw new HistoryError(
    "history/full",
    `no room is left for the built-in database: ${free} MB of ${leastFreeMegabytes} that must be free in ${folder}`,
  );
}
