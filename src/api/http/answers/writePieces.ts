import type { ServerResponse } from "node:http";
import type { AnswerPiece } from "./byteText.ts";

/** Shorter answers are sent in one write together with their header. */
export const piecesFromBytes = 1 << 18;
const pieceBytes = 1 << 16;

/**
 * Sends a large answer in pieces, each when the connection has taken those before: what is buffered for a client that
 * does not read is a piece, not the answer. A client that leaves ends it.
 */
export async function writePieces(response: ServerResponse, pieces: Iterable<AnswerPiece | Uint8Array>): Promise<void> {
  for (const piece of pieces) {
    if (response.destroyed) return;
    const isTaken = typeof piece === "string" ? response.write(piece, "latin1") : response.write(piece);
    if (!isTaken) await untilTaken(response);
  }
  response.end();
}

function untilTaken(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
  });
}

/** Long parts in pieces, without copying. */
export function* cutBytes(parts: readonly Buffer[]): Iterable<Buffer> {
  for (const part of parts) {
    if (part.length < 2 * pieceBytes) yield part;
    else for (let at = 0; at < part.length; at += pieceBytes) yield part.subarray(at, at + pieceBytes);
  }
}
