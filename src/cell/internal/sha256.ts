import { hash as cryptoHash } from "node:crypto";
import { writeSha256 } from "../../lib/browser/sha256.ts";

/**
 * SHA-256 of cells, for engines without WebAssembly; `lanes.ts` is faster. A call into
 * `node:crypto` costs more than hashing one block, so that is done here; all else goes to `node:crypto`, which is asked
 * for text: making a buffer for each result costs more than the hash itself.
 */

/** `node:crypto` is faster for input that fills more than one block with its padding. */
const longInput = 56;

/** Views of the beginning of the last scratch buffer, by length; making one costs a quarter of a hash. */
let viewed: Uint8Array | undefined;
let views: (Uint8Array | undefined)[] = [];

function viewOf(input: Uint8Array, length: number): Uint8Array {
  if (input !== viewed) {
    viewed = input;
    views = [];
  }
  const view = views[length] ?? input.subarray(0, length);
  views[length] = view;
  return view;
}

/** Hashes the first `length` bytes of `input`, which must have 72 spare bytes after them for the padding. */
export function sha256Into(input: Uint8Array, length: number, output: Uint8Array, outputAt: number): void {
  if (length >= longInput) {
    const digest = cryptoHash("sha256", viewOf(input, length), "binary");
    for (let i = 0; i < 32; i++) output[outputAt + i] = digest.charCodeAt(i);
    return;
  }
  writeSha256(input, length, output, outputAt);
}
