import { statfsSync } from "node:fs";
import { HistoryError } from "../../../errors.ts";

/**
 * Writing stops when less than this is free. A statement without room for its rows only fails; but an engine without
 * room for its log must end, and may need room to start again.
 */
const leastFreeMegabytes = 64;

/** Throws `history/full` when the disk of a folder is nearly full. */
export function refuseFull(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  const free = Math.floor((bavail * bsize) / (1 << 20));
  if (free >= leastFreeMegabytes) return;
  throw new HistoryError(
    "history/full",
    `the disk is almost full: ${free} MB are free in ${folder}, and the built-in database needs ${leastFreeMegabytes}`,
  );
}
