import { nextTurn } from "../TurnBudget.ts";
import type { OpenFile } from "./FileSystem.ts";
import { readPart } from "./writeWhole.ts";

const pieceBytes = 1 << 20;

/** The part of a file to read. */
export interface FilePart {
  readonly file: OpenFile;
  readonly at: number;
  readonly length: number;
}

/** The bytes of a part in pieces, each in a turn of its own; ends early where the file ends. */
export async function* readPieces({ file, at, length }: FilePart): AsyncGenerator<Buffer> {
  for (let done = 0; done < length; ) {
    const piece = readPart(file, at + done, Math.min(pieceBytes, length - done));
    if (piece.length === 0) return;
    done += piece.length;
    yield piece;
    await nextTurn();
  }
}

/** Copies a part to a position of another file; returns the number of bytes, fewer where the first file ends. */
export async function copyPart(
  from: FilePart,
  to: OpenFile,
  position: number,
  onPiece: (piece: Uint8Array) => void = () => {},
): Promise<number> {
  let done = 0;
  for await (const piece of readPieces(from)) {
    onPiece(piece);
    for (let at = 0; at < piece.length; ) at += await to.writeLater(piece, at, piece.length - at, position + done + at);
    done += piece.length;
  }
  return done;
}
