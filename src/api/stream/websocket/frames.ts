/** The kinds of frames (RFC 6455, 5.2). */
export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** A received frame, unmasked. */
export interface Frame {
  readonly isFinal: boolean;
  readonly opcode: number;
  readonly payload: Buffer;
}

/** A protocol error of a client, with its close code. */
export class FrameError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = "FrameError";
    this.code = code;
  }
}

const protocolError = 1002;
const tooLarge = 1009;

/** Writes a server frame: complete, without a mask. */
export function writeFrame(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload;
  const extra = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const frame = Buffer.allocUnsafe(2 + extra + length);
  frame[0] = 0x80 | opcode;
  frame[1] = extra === 0 ? length : extra === 2 ? 126 : 127;
  if (extra === 2) frame.writeUInt16BE(length, 2);
  if (extra === 8) frame.writeBigUInt64BE(BigInt(length), 2);
  frame.set(payload, 2 + extra);
  return frame;
}

/** Splits a stream of bytes into client frames, each of which is masked. */
export class WebSocketFrameReader {
  readonly #maxBytes: number;
  #rest: Buffer = Buffer.alloc(0);

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The complete frames so far; throws a FrameError for invalid ones. */
  take(chunk: Buffer): readonly Frame[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const frames: Frame[] = [];
    for (let frame = this.#next(); frame !== undefined; frame = this.#next()) frames.push(frame);
    return frames;
  }

  #next(): Frame | undefined {
    const rest = this.#rest;
    const [first = 0, second = 0] = rest;
    if (rest.length < 2) return undefined;
    if ((first & 0x70) !== 0) throw new FrameError(protocolError, "reserved bits are set");
    if ((second & 0x80) === 0) throw new FrameError(protocolError, "a frame of a client is not masked");
    const short = second & 0x7f;
    const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
    const start = 2 + extra + 4;
    if (rest.length < start) return undefined;
    const length = extra === 0 ? short : extra === 2 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2));
    const opcode = first & 0x0f;
    if (opcode >= 8 && (short > 125 || (first & 0x80) === 0))
      throw new FrameError(protocolError, "a control frame is long or cut");
    if (length > this.#maxBytes) throw new FrameError(tooLarge, `a frame may have ${this.#maxBytes} bytes`);
    if (rest.length < start + length) return undefined;
    const payload = unmask(rest.subarray(start, start + length), rest.subarray(start - 4, start));
    this.#rest = rest.subarray(start + length);
    return { isFinal: (first & 0x80) !== 0, opcode, payload };
  }
}

function unmask(masked: Buffer, mask: Buffer): Buffer {
  const plain = Buffer.allocUnsafe(masked.length);
  for (let i = 0; i < masked.length; i++) plain[i] = (masked[i] ?? 0) ^ (mask[i & 3] ?? 0);
  return plain;
}
