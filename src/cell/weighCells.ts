import type { Cell } from "./Cell.ts";

/** Memory of a bag in use per byte of it: its arrays, hashes and handles. The factor was measured with blocks. */
const keptPerByte = 6;
/** An estimate for the smallest bag: its arrays and their objects. */
const leastBytes = 2_000;

/**
 * The memory that a kept cell keeps alive. That is not the cell with those below it but the whole bag it was read from,
 * or of a built cell the storage that it shares with others: a cell of a hundred bytes may keep a block of a megabyte.
 */
export function weighCells(...cells: readonly (Cell | undefined)[]): number {
  const storages = new Set<Uint8Array>();
  for (const cell of cells) if (cell !== undefined) storages.add(cell.bytes);
  let bytes = 0;
  for (const { length } of storages) bytes += length * keptPerByte + leastBytes;
  return bytes;
}
