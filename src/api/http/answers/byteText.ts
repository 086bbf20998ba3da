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

/**
 * A piece of an answer. Those of a large one are bytes, which are outside of the heap: texts would be old before its
 * reader has taken them, and old ones stay until the whole heap is collected.
 */
export type AnswerPiece = ByteText | Buffer;

/** A piece as text. */
export function textOfPiece(piece: AnswerPiece): ByteText {
  return typeof piece === "string" ? piece : (piece.toString("latin1") as ByteText);
}

/** A piece as bytes. */
export function bytesOfPiece(piece: AnswerPiece): Buffer {
  return typeof piece === "string" ? Buffer.from(piece, "latin1") : piece;
}

/** Pieces as one text; most answers have only one piece. */
export function joinPieces(pieces: readonly AnswerPiece[]): ByteText {
  const [first] = pieces;
  if (pieces.length === 1 && first !== undefined) return textOfPiece(first);
  return pieces.map(textOfPiece).join("") as ByteText;
}

/** A flat copy: concatenated strings otherwise keep all their parts in memory. */
export function ownByteText(text: ByteText): ByteText {
  return Buffer.from(text, "latin1").toString("latin1") as ByteText;
}
