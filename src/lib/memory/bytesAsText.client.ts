import type { ByteEncoding } from "./bytesAsText.ts";

/** In the place of that of `bytesAsText.ts`, for clients, whose code should be short. */
export function textOf(bytes: Uint8Array, encoding: ByteEncoding): string {
  return bufferOver(bytes).toString(encoding);
}

/** A Buffer over the same memory: nothing is copied. */
export function bufferOver(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
