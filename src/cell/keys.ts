import { readBigUint, readHash, readHex, readInt, readUint } from "./BitReader.ts";
import { BitWriter, decodeHex } from "./BitWriter.ts";
import { CellError } from "./base/errors.ts";
import type { Hash } from "./Hash.ts";
import type { KeyBits } from "./label.ts";

/** The keys of a dictionary: a fixed number of bits and how to convert them. */
export interface KeyCodec<K> {
  readonly bits: number;
  encode(key: K): KeyBits;
  decode(bits: KeyBits): K;
}

/** Unsigned numbers up to 53 bits. */
export function uintKey(bits: number): KeyCodec<number> {
  return { bits, encode: (key) => written(bits, (w) => w.uint(key, bits)), decode: (k) => readUint(k, 0, bits) };
}

/** Signed numbers up to 53 bits; they are ordered by their bits, negative ones last. */
export function intKey(bits: number): KeyCodec<number> {
  return { bits, encode: (key) => written(bits, (w) => w.int(key, bits)), decode: (k) => readInt(k, 0, bits) };
}

export function bigUintKey(bits: number): KeyCodec<bigint> {
  return {
    bits,
    encode: (key) => written(bits, (w) => w.bigUint(key, bits)),
    decode: (k) => readBigUint(k, 0, bits),
  };
}

/** Whole bytes as lower-case hex. */
export function hexKey(bits: number): KeyCodec<string> {
  return { bits, encode: (key) => hexBytes(key, bits), decode: hexOf };
}

export const hashKey: KeyCodec<Hash> = {
  bits: 256,
  encode: (key) => hexBytes(key, 256),
  decode: (k) => readHash(k, 0),
};

function written(bits: number, write: (writer: BitWriter) => void): KeyBits {
  const writer = new BitWriter(bits, bits);
  write(writer);
  return writer.finish();
}

function hexOf(bytes: Uint8Array): string {
  return readHex(bytes, 0, bytes.length * 8);
}

function hexBytes(hex: string, bits: number): KeyBits {
  const bytes = new Uint8Array(bits >>> 3);
  if (hex.length * 4 !== bits || !decodeHex(hex, bytes))
    throw new CellError("cell/dictionary-key", `${hex} is not a key of ${bits} bits`);
  return bytes;
}
