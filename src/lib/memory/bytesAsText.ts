/** The engine keeps so many bytes beside the object of an array, and moves them when somebody takes a view of them. */
const inlineBytes = 64;
const scratch = Buffer.alloc(inlineBytes);

export type ByteEncoding = "hex" | "base64" | "base64url" | "binary";

/** Bytes as text; few of them are copied, which takes less than a view and needs no memory. */
export function textOf(bytes: Uint8Array, encoding: ByteEncoding): string {
  if (bytes.length > inlineBytes) return bufferOver(bytes).toString(encoding);
  scratch.set(bytes);
  return scratch.toString(encoding, 0, bytes.length);
}

/** A Buffer over the same memory: nothing is copied. */
export function bufferOver(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
