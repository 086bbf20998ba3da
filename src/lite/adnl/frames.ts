import { hash } from "node:crypto";
import { LiteError } from "../errors.ts";
import { ByteQueue } from "./ByteQueue.ts";
import type { StreamCipher } from "./cipher.ts";

// A frame: length:uint32 nonce:bits256 payload:bytes sha256:bits256. The length counts everything after itself; the
// checksum covers nonce and payload; the whole frame is encrypted.
const lengthSize = 4;
const nonceSize = 32;
const checksumSize = 32;
const overhead = nonceSize + checksumSize;

/** The longest payload that the reference implementation accepts. */
export const maxPayloadBytes = (1 << 24) - overhead;

/** The plain bytes of a frame. */
export function encodeFrame(payload: Uint8Array, nonce: Uint8Array): Uint8Array {
  const frame = Buffer.allocUnsafe(lengthSize + overhead + payload.length);
  frame.writeUInt32LE(overhead + payload.length, 0);
  frame.set(nonce, lengthSize);
  frame.set(payload, lengthSize + nonceSize);
  const checked = frame.subarray(lengthSize, lengthSize + nonceSize + payload.length);
  frame.set(hash("sha256", checked, "buffer"), lengthSize + nonceSize + payload.length);
  return frame;
}

/** The payload after a frame's length; `lite/frame` when the checksum is wrong. */
export function decodeFrame(body: Uint8Array): Uint8Array {
  const end = body.length - checksumSize;
  const checksum = hash("sha256", body.subarray(0, end), "buffer");
  if (!checksum.equals(body.subarray(end)))
    throw new LiteError("lite/frame", `a frame of ${body.length} bytes has a wrong checksum`);
  return body.subarray(nonceSize, end);
}

/** Splits an encrypted stream into payloads, independent of how the bytes are split. */
export class AdnlFrameReader {
  readonly #decrypt: StreamCipher;
  readonly #maxPayload: number;
  readonly #queue = new ByteQueue();

  constructor(decrypt: StreamCipher, maxPayload: number) {
    this.#decrypt = decrypt;
    this.#maxPayload = maxPayload;
  }

  push(chunk: Uint8Array): void {
    this.#queue.push(this.#decrypt(chunk));
  }

  /**
   * The next whole payload; undefined until more bytes are pushed. An invalid length is refused before its bytes
   * arrive.
   */
  next(): Uint8Array | undefined {
    const head = this.#queue.peek(lengthSize);
    if (head === undefined) return undefined;
    const length = new DataView(head.buffer, head.byteOffset).getUint32(0, true);
    if (length < overhead || length > this.#maxPayload + overhead) {
      throw new LiteError(
        "lite/frame",
        `a frame of ${length} bytes, not ${overhead} to ${this.#maxPayload + overhead}`,
      );
    }
    if (this.#queue.length < lengthSize + length) return undefined;
    const frame = this.#queue.take(lengthSize + length);
    return frame === undefined ? undefined : decodeFrame(frame.subarray(lengthSize));
  }
}

/** Encodes payloads into an encrypted stream. */
export class FrameWriter {
  readonly #encrypt: StreamCipher;
  readonly #maxPayload: number;

  constructor(encrypt: StreamCipher, maxPayload: number) {
    this.#encrypt = encrypt;
    this.#maxPayload = maxPayload;
  }

  /**
   * The encrypted frame, to be sent before the next one is made. A too long payload is refused without a side effect.
   */
  frame(payload: Uint8Array, nonce: Uint8Array): Uint8Array {
    if (payload.length > this.#maxPayload)
      throw new LiteError("lite/frame", `${payload.length} bytes to send; the limit is ${this.#maxPayload}`);
    return this.#encrypt(encodeFrame(payload, nonce));
  }
}
