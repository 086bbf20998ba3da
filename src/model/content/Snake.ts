import { isUtf8 } from "node:buffer";
import { type Builder, beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { cell } from "../../cell/codec.ts";
import { dictionary } from "../../cell/dictionary.ts";
import { uintKey } from "../../cell/keys.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import { concatBytes } from "../../lib/bytes.ts";
import { ModelError } from "../errors.ts";

const chunkKey = uintKey(32);
const chunkBytes = 127;

/** Cells of all chunks of one value; 8 KiB in full cells are 65. */
const maxChunkCells = 1024;

// tail#_ {bn:#} b:(bits bn) = SnakeData ~0; cons#_ {bn:#} {n:#} b:(bits bn) next:^(SnakeData ~n) = SnakeData ~(n + 1);
/**
 * The remaining bytes, then those of the first reference, and so on. Refuses incomplete bytes and more than `maxBytes`;
 * ignores further references.
 */
export function loadSnake(slice: Slice, maxBytes: number): Uint8Array {
  return loadCounted(slice, maxBytes, { left: Number.POSITIVE_INFINITY });
}

/** Cells that may still be read: chunks can share one long chain of empty cells. */
interface CellsLeft {
  left: number;
}

function loadCounted(slice: Slice, maxBytes: number, cells: CellsLeft): Uint8Array {
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let at: Slice | undefined = slice; at !== undefined; ) {
    if (at.remainingBits % 8 !== 0)
      throw new ModelError("model/value", `${at.remainingBits} bits where whole bytes belong`);
    const part: Uint8Array = at.loadBytes(at.remainingBits / 8);
    length += part.length;
    if (--cells.left < 0) throw new ModelError("model/value", `text in more than ${maxChunkCells} cells`);
    if (length > maxBytes) throw new ModelError("model/value", `text longer than ${maxBytes} bytes`);
    parts.push(part);
    const next: Cell | undefined = at.remainingRefs > 0 ? at.preloadRef() : undefined;
    at.skipRefs(at.remainingRefs);
    at = next === undefined ? undefined : sliceOf(next);
  }
  return concatBytes(parts);
}

/** Fills the rest of the cell with whole bytes and stores the others in a chain of references. */
export function storeSnake(builder: Builder, bytes: Uint8Array): void {
  const here = Math.min(bytes.length, builder.remainingBits >> 3);
  const chunks: Uint8Array[] = [];
  for (let at = here; at < bytes.length; at += chunkBytes) chunks.push(bytes.subarray(at, at + chunkBytes));
  let next: Cell | undefined;
  for (const chunk of chunks.reverse()) {
    const link = beginCell().storeBytes(chunk);
    if (next !== undefined) link.storeRef(next);
    next = link.cell();
  }
  builder.storeBytes(bytes.subarray(0, here));
  if (next !== undefined) builder.storeRef(next);
}

const chunks = dictionary(chunkKey, cell);

// chunked_data#_ data:(HashmapE 32 ^(SnakeData ~0)) = ChunkedData;
/**
 * The chunks 0, 1, 2 … up to the first missing one. Chunks and their cells may be empty, so their number is bounded
 * too.
 */
export function loadChunked(slice: Slice, maxBytes: number): Uint8Array {
  const parts: Uint8Array[] = [];
  const dictionary = chunks.load(slice);
  const cells: CellsLeft = { left: maxChunkCells };
  let left = maxBytes;
  for (let i = 0; ; i++) {
    const chunk = dictionary.find(i);
    if (chunk === undefined) return concatBytes(parts);
    const part = loadCounted(sliceOf(chunk), left, cells);
    left -= part.length;
    parts.push(part);
  }
}

/** The bytes as UTF-8 text; `undefined` when they are not UTF-8. */
export function findText(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8") : undefined;
}
