import type { BocForm } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { fromBase64 } from "../../../src/lib/bytes.ts";
import { isCoded } from "../../../src/lib/errors.ts";

/** Reads the form from a bag's header. Only nodes write an index with cache bits, together with inner hashes. */
export function formOf(bytes: Uint8Array): BocForm {
  const flags = bytes[4] ?? 0;
  const cacheBits = (flags & 0x20) !== 0;
  return { index: (flags & 0x80) !== 0, crc: (flags & 0x40) !== 0, cacheBits, innerHashes: cacheBits };
}

/** All distinct cells below these roots. */
export function listCells(roots: readonly Cell[]): Cell[] {
  const cells = new Set<Cell>(roots);
  for (const cell of cells) for (const child of cell.refs()) cells.add(child);
  return [...cells];
}

/** A bag in a JSON value, with its path. */
export interface FoundBag {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** All base64 texts in a JSON value that start like a bag of cells; skips truncated texts. */
export function listBags(value: unknown, path = ""): FoundBag[] {
  const found: FoundBag[] = [];
  collectBags(value, path, found);
  return found;
}

/** Most values are neither bags nor have any: no lists and no paths are made for them. */
function collectBags(value: unknown, path: string, found: FoundBag[]): void {
  if (typeof value === "string") {
    const bytes = value.startsWith("te6cc") ? findBytes(value) : undefined;
    if (bytes !== undefined) found.push({ path, bytes });
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === "object" || typeof inner === "string") collectBags(inner, `${path}/${name}`, found);
  }
}

function findBytes(text: string): Uint8Array | undefined {
  try {
    return fromBase64(text);
  } catch (error) {
    if (isCoded(error, "lib/base64")) return undefined;
    throw error;
  }
}
