import { type AnswerPiece, type ByteText, textOfPiece } from "./byteText.ts";

/** Where the answers of a proof begin; in texts a quote is escaped, so that only a field is found. */
const beginning = ',"answers":[';
const exchange = /\["([A-Za-z0-9+/=]+)","[A-Za-z0-9+/=]*"\]/g;

/**
 * The parts of a batch, where a proof leaves out an answer of a lite server that a part before it has: the query stands
 * there alone. It means the same answer as in the nearest part before.
 */
export function shareProofs(parts: readonly (readonly AnswerPiece[])[]): readonly (readonly AnswerPiece[])[] {
  const known = new Map<string, string>();
  const shorten = (text: string) =>
    text.replace(exchange, (pair, query: string) => {
      if (known.get(query) === pair) return `["${query}"]`;
      known.set(query, pair);
      return pair;
    });
  return parts.map((pieces) => {
    const first = pieces.findLastIndex((piece) => piece.includes(beginning));
    return pieces.map((piece, index) => {
      if (first === -1 || index < first) return piece;
      const text = textOfPiece(piece);
      const from = index === first ? text.lastIndexOf(beginning) : 0;
      // What is put in is as plain as what it replaces.
      return (text.slice(0, from) + shorten(text.slice(from))) as ByteText;
    });
  });
}
