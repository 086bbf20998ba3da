import { type AnswerPiece, joinPieces, textOfPiece } from "./byteText.ts";

/** Bytes that are decoded one piece after the other. */
interface FoundBytes {
  readonly length: number;
  readonly pieces: Iterable<Uint8Array>;
}

/** The bytes whose base64 is a written JSON text between a known beginning and end. */
export function findBytes(
  pieces: readonly AnswerPiece[],
  [before, after]: readonly [before: string, after: string],
): FoundBytes {
  const all = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const characters = all - before.length - after.length;
  // The end and the padding have few characters, each of which may be a piece.
  const tail = joinPieces(pieces.slice(-after.length - 2)).slice(0, -after.length);
  const padding = tail.endsWith("==") ? 2 : tail.endsWith("=") ? 1 : 0;
  return { length: (characters / 4) * 3 - padding, pieces: decodePieces(pieces, before.length, characters) };
}

function* decodePieces(pieces: readonly AnswerPiece[], skipped: number, characters: number): Iterable<Uint8Array> {
  let [toSkip, left, rest] = [skipped, characters, ""];
  for (const piece of pieces) {
    const text = textOfPiece(piece).slice(toSkip, toSkip + left);
    toSkip = Math.max(0, toSkip - piece.length);
    left -= text.length;
    const joined = rest + text;
    // Four characters are three bytes.
    const whole = joined.length - (joined.length % 4);
    rest = joined.slice(whole);
    if (whole > 0) yield Buffer.from(joined.slice(0, whole), "base64");
  }
}
