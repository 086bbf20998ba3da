import { toHex } from "../../lib/bytes.ts";
import type { Integer } from "./StackValue.ts";

/**
 * Integers of the machine. They are always in one form: a `number` when it is a safe integer, otherwise a `bigint`;
 * `NaN` is the NaN of the machine. Results may exceed 257 bits; `Stack.pushInt` checks that.
 */

const largestSafe = BigInt(Number.MAX_SAFE_INTEGER);
const smallestSafe = -largestSafe;
const max = Number.MAX_SAFE_INTEGER;

/** The one form of a whole number. */
export function fromBig(value: bigint): Integer {
  return value > largestSafe || value < smallestSafe ? value : Number(value);
}

export function isNaNInteger(value: Integer): boolean {
  return Number.isNaN(value);
}

export function add(x: Integer, y: Integer): Integer {
  if (typeof x === "number" && typeof y === "number") {
    const sum = x + y;
    if (sum <= max && sum >= -max) return sum;
  }
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  return fromBig(BigInt(x) + BigInt(y));
}

export function subtract(x: Integer, y: Integer): Integer {
  if (typeof x === "number" && typeof y === "number") {
    const difference = x - y;
    if (difference <= max && difference >= -max) return difference;
  }
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  return fromBig(BigInt(x) - BigInt(y));
}

export function multiply(x: Integer, y: Integer): Integer {
  if (typeof x === "number" && typeof y === "number") {
    const product = x * y;
    if (product <= max && product >= -max) return product;
  }
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  return fromBig(BigInt(x) * BigInt(y));
}

/** Down, to the nearest with halves up, or up: as instructions encode it. */
export const Rounding = { floor: 0, nearest: 1, ceiling: 2 } as const;

export function divideBig(x: bigint, y: bigint, rounding: number): { quotient: bigint; remainder: bigint } {
  let quotient = x / y;
  let remainder = x - quotient * y;
  if (remainder !== 0n && remainder < 0n !== y < 0n) {
    quotient -= 1n;
    remainder += y;
  }
  const up =
    rounding === Rounding.ceiling
      ? remainder !== 0n
      : rounding === Rounding.nearest && (y > 0n ? remainder * 2n >= y : remainder * 2n <= y);
  return up ? { quotient: quotient + 1n, remainder: remainder - y } : { quotient, remainder };
}

/** Whether a number fits this many bits; NaN never does. */
export function fitsSigned(x: Integer, bits: number): boolean {
  if (typeof x === "bigint") return bits > 53 && BigInt.asIntN(bits, x) === x;
  const half = 2 ** (bits - 1);
  return x >= -half && x < half;
}

export function fitsUnsigned(x: Integer, bits: number): boolean {
  if (typeof x === "bigint") return bits > 53 && BigInt.asUintN(bits, x) === x;
  return x >= 0 && x < 2 ** bits;
}

/** How many bits a number needs; `undefined` for NaN, and for a negative one without sign. */
export function bitSize(x: Integer, signed: boolean): number | undefined {
  if (Number.isNaN(x) || (!signed && x < 0)) return undefined;
  if (x === 0) return 0;
  const magnitude = x < 0 ? -BigInt(x) - 1n : BigInt(x);
  const bits = magnitude === 0n ? 0 : magnitude.toString(2).length;
  return signed ? bits + 1 : bits;
}

/** The number as bytes, highest first; `undefined` when it is negative, NaN or too large. */
export function toBytes(x: Integer, length: number): Uint8Array | undefined {
  if (!fitsUnsigned(x, length * 8)) return undefined;
  return Uint8Array.from(Buffer.from(x.toString(16).padStart(length * 2, "0"), "hex"));
}

export function fromBytes(bytes: Uint8Array): Integer {
  if (bytes.length === 0) return 0;
  if (bytes.length === 32) return fromBig(fromHash(bytes));
  return fromBig(BigInt(`0x${toHex(bytes)}`));
}

/** The number of 32 bytes, in half the time that reading it from text takes. */
function fromHash(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 32);
  const high = (view.getBigUint64(0) << 64n) | view.getBigUint64(8);
  return (high << 128n) | (view.getBigUint64(16) << 64n) | view.getBigUint64(24);
}
