import { LibError } from "./errors.ts";
import { bufferOver, textOf } from "./memory/bytesAsText.ts";

const hexText = /^(?:[0-9a-fA-F]{2})*$/;
const base64Text = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const base64UrlText = /^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2}(?:==)?|[A-Za-z0-9_-]{3}=?)?$/;

/** Shortens long text, so that an error message stays small. */
function excerpt(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}… (${text.length} characters)` : text;
}

/** Bytes with their own memory: small Buffers share a pool, which `.buffer` would expose. */
function ownBytes(text: string, encoding: "hex" | "base64" | "base64url", length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  bufferOver(bytes).write(text, encoding);
  return bytes;
}

/** Bytes as lower-case hex. */
export function toHex(bytes: Uint8Array): string {
  return textOf(bytes, "hex");
}

/** Hex of either case back to bytes; refuses an odd length and any other character. */
export function fromHex(text: string): Uint8Array {
  if (!hexText.test(text)) throw new LibError("lib/hex", `not hex: "${excerpt(text)}"`);
  return ownBytes(text, "hex", text.length / 2);
}

/** Bytes as base64 of the standard alphabet, padded. */
export function toBase64(bytes: Uint8Array): string {
  return textOf(bytes, "base64");
}

/** Padded base64 of the standard alphabet back to bytes; refuses everything else, stray final bits included. */
export function fromBase64(text: string): Uint8Array {
  if (!base64Text.test(text)) throw new LibError("lib/base64", `not base64: "${excerpt(text)}"`);
  return withoutStrayBits(text, ownBytes(text, "base64", base64Length(text)), toBase64);
}

/** Bytes as base64 of the URL-safe alphabet, without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return textOf(bytes, "base64url");
}

/** Base64 of the URL-safe alphabet, whole padding or none, back to bytes; refuses everything else. */
export function fromBase64Url(text: string): Uint8Array {
  if (!base64UrlText.test(text)) throw new LibError("lib/base64", `not base64url: "${excerpt(text)}"`);
  return withoutStrayBits(text, ownBytes(text, "base64url", base64Length(text)), toBase64Url);
}

function base64Length(text: string): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return Math.floor(((text.length - padding) * 3) / 4);
}

/** One value has one text: the unused low bits of the last character must be zero. */
function withoutStrayBits(text: string, bytes: Uint8Array, format: (bytes: Uint8Array) => string): Uint8Array {
  const tail = bytes.length % 3;
  if (tail !== 0) {
    const lastGroup = format(bytes.subarray(bytes.length - tail)).replaceAll("=", "");
    if (text.replace(/=+$/, "").endsWith(lastGroup) === false)
      throw new LibError("lib/base64", `base64 with stray bits at its end: "${excerpt(text)}"`);
  }
  return bytes;
}

/** A character for each byte. */
export function toLatin1(bytes: Uint8Array): string {
  return textOf(bytes, "binary");
}

/** All parts after one another, in new memory. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const joined = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Whether both hold the same bytes; not in constant time, so not for secrets. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && compareBytes(a, b) === 0;
}

/** Order by the first byte that differs, then by length: negative, zero or positive. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  return Buffer.compare(a, b);
}
