import { loadPackage } from "./loadPackage.ts";
import { modulo, ristrettoOrder } from "./numbers.ts";

/** The element that 64 uniformly random bytes stand for. */
export function ristrettoFromHash(bytes: Uint8Array): Uint8Array {
  const { ristretto255_hasher, ristretto255 } = loadPackage("ed25519");
  return (ristretto255_hasher.deriveToCurve?.(bytes) ?? ristretto255.Point.ZERO).toBytes();
}

/** Whether the 32 bytes are the one valid encoding of an element; 32 zero bytes are the identity. */
export function isRistrettoElement(bytes: Uint8Array): boolean {
  return findElement(bytes) !== undefined;
}

/** The sum; `undefined` when either is no valid encoding. */
export function ristrettoAdd(a: Uint8Array, b: Uint8Array): Uint8Array | undefined {
  const [x, y] = [findElement(a), findElement(b)];
  return x === undefined || y === undefined ? undefined : x.add(y).toBytes();
}

/** The difference; `undefined` when either is no valid encoding. */
export function ristrettoSubtract(a: Uint8Array, b: Uint8Array): Uint8Array | undefined {
  const [x, y] = [findElement(a), findElement(b)];
  return x === undefined || y === undefined ? undefined : x.subtract(y).toBytes();
}

/**
 * The element times a number of any size and sign; `undefined` when it is no valid encoding. The identity is an
 * ordinary result here: before version 14 the machine takes the identity times a number for a failure.
 */
export function ristrettoMultiply(element: Uint8Array, n: bigint): Uint8Array | undefined {
  return findElement(element)?.multiplyUnsafe(modulo(n, ristrettoOrder)).toBytes();
}

/** The generator times a number of any size and sign. */
export function ristrettoMultiplyBase(n: bigint): Uint8Array {
  return loadPackage("ed25519").ristretto255.Point.BASE.multiplyUnsafe(modulo(n, ristrettoOrder)).toBytes();
}

function findElement(bytes: Uint8Array) {
  try {
    return loadPackage("ed25519").ristretto255.Point.fromBytes(bytes);
  } catch {
    return undefined;
  }
}
