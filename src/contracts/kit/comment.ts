import { isUtf8 } from "node:buffer";
import type { Cell } from "../../cell/Cell.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import { concatBytes, toBase64 } from "../../lib/bytes.ts";

/** Opcode of a comment only its receiver can read. */
export const encryptedComment = 0x2167da4b;

/** A comment as it is shown: encrypted ones as base64 of their bytes. */
export interface Comment {
  readonly text: string;
  readonly encrypted: boolean;
}

/** More than fits any message that was ever delivered. */
const maxSnakeCells = 4096;

/** The comment of a plain transfer: whole bytes after the opcode, continued in at most one reference a cell. */
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
  const bytes = findSnake(slice);
  if (bytes === undefined) return undefined;
  return opcode === 0 ? { text: plainText(bytes), encrypted: false } : { text: toBase64(bytes), encrypted: true };
}

/** Bytes that go on in the first reference of each cell. */
export function findSnake(start: Slice): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  let slice = start;
  while (parts.length < maxSnakeCells) {
    if (slice.remainingBits % 8 !== 0) return undefined;
    parts.push(slice.loadBytes(slice.remainingBits / 8));
    if (slice.remainingRefs === 0) return concatBytes(parts);
    const next = slice.loadRef();
    if (next.isExotic) return undefined;
    slice = sliceOf(next);
  }
  return undefined;
}

/** UTF-8, bytes that are none written as `\xNN`, zero characters left out (no database takes them). */
export function plainText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = isUtf8(buffer) ? buffer.toString("utf8") : escapeInvalid(buffer);
  return text.replaceAll("\u0000", "");
}

function escapeInvalid(bytes: Buffer): string {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find(
      (size) => at + size <= bytes.length && isOneCharacter(bytes.subarray(at, at + size)),
    );
    text +=
      length === undefined
        ? `\\x${(bytes[at] as number).toString(16).padStart(2, "0")}`
        : bytes.toString("utf8", at, at + length);
    at += length ?? 1;
  }
  return text;
}

function isOneCharacter(bytes: Buffer): boolean {
  return isUtf8(bytes);
}
