import { contentLength, findBlocks, looksLikeRecord, recordHeadBytes } from "./blockRecord.ts";

/** Reads a part of a file. */
export type ReadPart = (position: number, length: number) => Buffer;

const windowBytes = 1 << 20;
/** Enough of a record to recognise it. */
const beginningBytes = 256;

/**
 * The position of the first whole record at or after a position. Records have no separators, so every position is
 * tried; the first bytes exclude most of them.
 */
export function findRecord(read: ReadPart, from: number, size: number): number | undefined {
  for (let start = from; start + recordHeadBytes < size; start += windowBytes) {
    const window = read(start, Math.min(windowBytes + beginningBytes, size - start));
    const end = Math.min(windowBytes, window.length - recordHeadBytes);
    for (let i = 0; i < end; i++)
      if (looksLikeRecord(window.subarray(i), size - start - i) && isRecord(read, start + i)) return start + i;
  }
  return undefined;
}

function isRecord(read: ReadPart, position: number): boolean {
  const head = read(position, recordHeadBytes);
  return findBlocks(head, read(position + recordHeadBytes, contentLength(head))) !== undefined;
}
