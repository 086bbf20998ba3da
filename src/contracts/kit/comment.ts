import { isUtf8 } from "node:buffer";
import type { Cell } from "../../cell/Cell.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import { concatBytes, toBase64 } from "../../lib/bytes.ts";

/** The opcode of an encrypted comment. */
export const encryptedComment = 0x2167da4b;

/** A displayed comment: encrypted ones as base64 of their bytes. */
export interface Comment {
  readonly text: string;
  readonly encrypted: boolean;
}

/** More than any delivered message can contain. */
const maxSnakeCells = 4096;

/** The comment of a plain transfer: whole bytes after the opcode, continued in at most one reference per cell. */
export function findTransferComment(body: Cell): Comment | undefined {
  if (body.isExotic || body.bitLength < 40 || body.bitLength % 8 !== 0 || body.refCount > 1) return undefined;
  return findComment(sliceOf(body));
}

/** A comment in a payload: text after opcode 0, or the encrypted kind. */
export function findComment(payload: Slice): Comment | undefined {
  const slice = payload.clone();
  if (slice.remainingBits < 32 || slice.remainingBits % 8 !== 0) return undefined;
  const opcode = slice.loadUint(32);
  if (opcode !== 0 && opcode !== encryptedComment) return undefined;
  const bytes = findSnake(slice, loadWholeBytes);
  if (bytes === undefined) return undefined;
  return opcode === 0 ? { text: plainText(bytes), encrypted: false } : { text: toBase64(bytes), encrypted: true };
}

/**
 * A comment as the service reads it from the payload of an NFT transfer: zeros are kept, invalid UTF-8 is replaced, the
 * last byte may be incomplete.
 */
export function findShownComment(payload: Slice): Comment | undefined {
  const slice = payload.clone();
  if (slice.remainingBits < 32) return undefined;
  const opcode = slice.loadUint(32);
  if (opcode !== 0 && opcode !== encryptedComment) return undefined;
  const bytes = findSnake(slice, loadPaddedBytes);
  if (bytes === undefined) return undefined;
  if (opcode !== 0) return { text: toBase64(bytes), encrypted: true };
  return { text: decodeText(bytes, () => "\ufffd"), encrypted: false };
}

/** Bytes that continue in the only reference of each cell. */
function findSnake(start: Slice, loadPart: (slice: Slice) => Uint8Array | undefined): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  let slice = start;
  while (parts.length < maxSnakeCells) {
    if (slice.remainingRefs > 1) return undefined;
    const part = loadPart(slice);
    if (part === undefined) return undefined;
    parts.push(part);
    if (slice.remainingRefs === 0) return concatBytes(parts);
    const next = slice.loadRef();
    if (next.isExotic) return undefined;
    slice = sliceOf(next);
  }
  return undefined;
}

function loadWholeBytes(slice: Slice): Uint8Array | undefined {
  return slice.remainingBits % 8 === 0 ? slice.loadBytes(slice.remainingBits / 8) : undefined;
}

/** The last byte is filled with zeros. */
function loadPaddedBytes(slice: Slice): Uint8Array {
  const extra = slice.remainingBits % 8;
  const bytes = slice.loadBytes((slice.remainingBits - extra) / 8);
  return extra === 0 ? bytes : concatBytes([bytes, Uint8Array.of(slice.loadUint(extra) << (8 - extra))]);
}

/** UTF-8; invalid bytes are written as `\xNN`, zero characters are removed (databases refuse them). */
export function plainText(bytes: Uint8Array): string {
  return decodeText(bytes, (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).replaceAll("\u0000", "");
}

/** UTF-8; each invalid byte is written as given. */
function decodeText(bytes: Uint8Array, writeInvalid: (byte: number) => string): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isUtf8(buffer)) return buffer.toString("utf8");
  let text = "";
  for (let at = 0; at < buffer.length; ) {
    const length = [1, 2, 3, 4].find((size) => at + size <= buffer.length && isUtf8(buffer.subarray(at, at + size)));
    text += length === undefined ? writeInvalid(buffer[at] as number) : buffer.toString("utf8", at, at + length);
    at += length ?? 1;
  }
  return text;
}
