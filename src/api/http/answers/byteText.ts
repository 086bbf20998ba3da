import type { Brand } from "../../../lib/brand.ts";

/**
 * UTF-8 bytes as a string, one character per byte. Node sends such a string together with the header in one write, and
 * pieces are joined without copying; bytes would need a second buffer each.
 */
export type ByteText = Brand<string, "ByteText">;

/** Text as its UTF-8 bytes; text in ASCII is its own. */
export function toByteText(text: string): ByteText {
  return (Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString("latin1")) as ByteText;
}

/** A flat copy: concatenated strings otherwise keep all their parts in memory. */
export function ownByteText(text: ByteText): ByteText {
  return Buffer.from(text, "latin1").toString("latin1") as ByteText;
}
