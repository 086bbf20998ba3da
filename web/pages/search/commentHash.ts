import type { Cell } from "../../cells/Cell.ts";
import { makeCell } from "../../cells/makeCell.ts";

const maxBytes = 127;

/**
 * The hash of the message body that has this comment: 32 zero bits and the text, which goes on in the next cell when it
 * is long.
 */
export function commentHash(text: string): string {
  const bytes = new Uint8Array([0, 0, 0, 0, ...new TextEncoder().encode(text)]);
  let next: Cell | undefined;
  for (let start = Math.floor((bytes.length - 1) / maxBytes) * maxBytes; start >= 0; start -= maxBytes) {
    const part = bytes.slice(start, start + maxBytes);
    next = makeCell({ isExotic: false, bytes: part, bitLength: part.length * 8 }, next === undefined ? [] : [next]);
  }
  return next?.hash ?? "";
}
