import type { Brand } from "../../lib/brand.ts";

/**
 * UTF-8 bytes as a string, one character a byte. Node sends such a string together with the header in one write, and
 * pieces are joined without copying; bytes would need a second buffer for each.
 */
export type ByteText = Brand<string, "ByteText">;

/** Text as its UTF-8 bytes; text in ASCII is its own. */
export function toByteText(text: string): ByteText {
  return (Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString("latin1")) as ByteText;
}

/** A copy in memory of its own, for keeping: joined pieces otherwise hold on to all they were made of. */
export function ownByteText(text: ByteText): ByteText {
  return Buffer.from(text, "latin1").toString("latin1") as ByteText;
}
