import { finished } from "node:stream/promises";
import { promisify } from "node:util";
import { constants, crc32, createDeflateRaw, deflateRaw } from "node:zlib";
import { type AnswerPiece, type ByteText, bytesOfPiece } from "./byteText.ts";
import type { CancelToken } from "./CancelToken.ts";

const deflate = promisify(deflateRaw);

/** The first bytes of every gzip file we write: deflate, no name, no time, unknown system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);

/** The capacity of a stored block (RFC 1951, 3.2.4). */
const maxStored = 0xffff;

/** The compressed start of an answer, left open so that each request can append its own end. */
export interface OpenGzip {
  readonly bytes: Buffer;
  readonly crc: number;
  readonly length: number;
}

/**
 * Compresses the start of an answer up to a byte boundary, off the main thread, piece by piece, until it is cancelled.
 */
export async function openGzip(
  pieces: readonly AnswerPiece[],
  cancelled: Pick<CancelToken, "reason">,
): Promise<OpenGzip> {
  if (pieces.length <= 2) return packAtOnce(Buffer.concat(pieces.map(bytesOfPiece)));
  const stream = createDeflateRaw({ level: 4, finishFlush: constants.Z_SYNC_FLUSH });
  const output: Buffer[] = [];
  stream.on("data", (bytes: Buffer) => output.push(bytes));
  let [crc, length] = [0, 0];
  for (const piece of pieces) {
    const { reason } = cancelled;
    if (reason !== undefined) {
      stream.destroy();
      throw reason;
    }
    const plain = bytesOfPiece(piece);
    crc = plain.length === 0 ? crc : crc32(plain, crc);
    length += plain.length;
    // The callback comes when the piece is compressed, so that no others wait in memory.
    await new Promise<void>((resolve, reject) =>
      stream.write(plain, (error) => (error instanceof Error ? reject(error) : resolve())),
    );
  }
  stream.end();
  await finished(stream);
  return { bytes: Buffer.concat(output), crc, length };
}

async function packAtOnce(plain: Buffer): Promise<OpenGzip> {
  const bytes = await deflate(plain, { level: 4, finishFlush: constants.Z_SYNC_FLUSH });
  return { bytes, crc: crc32(plain), length: plain.length };
}

/** The parts of one gzip file of the start and the tail; the tail is a last stored block. */
export function closeGzip({ bytes, crc, length }: OpenGzip, tail: ByteText): readonly Buffer[] {
  const end = Buffer.from(tail, "latin1");
  const blocks: Buffer[] = [];
  for (let at = 0; at === 0 || at < end.length; at += maxStored) {
    const part = end.subarray(at, at + maxStored);
    const mark = Buffer.alloc(5);
    mark[0] = at + part.length >= end.length ? 1 : 0;
    mark.writeUInt16LE(part.length, 1);
    mark.writeUInt16LE(part.length ^ 0xffff, 3);
    blocks.push(mark, part);
  }
  const trailer = Buffer.alloc(8);
  // For no bytes the platform returns zero, whatever the initial value.
  trailer.writeUInt32LE(end.length === 0 ? crc : crc32(end, crc), 0);
  trailer.writeUInt32LE((length + end.length) % 2 ** 32, 4);
  return [header, bytes, ...blocks, trailer];
}
