import { Buffer } from "./Buffer.ts";
import { invert, mod, numberOf, power, sumOfMultiples } from "./modular.ts";
import { sha512 } from "./sha512.ts";

/*
 * Ed25519 (RFC 8032): only the check of signatures, which has no secrets, so that time may depend on values. A package
 * with whole curves weighs ten times as much.
 */

const prime = 2n ** 255n - 19n;
const order = 2n ** 252n + 27742317777372353535851937790883648493n;
const d = mod(-121665n * invert(121666n, prime), prime);
const rootOfMinusOne = power(2n, (prime - 1n) / 4n, prime);

/** Extended coordinates: x = X/Z, y = Y/Z, xy = T/Z. */
interface Point {
  readonly X: bigint;
  readonly Y: bigint;
  readonly Z: bigint;
  readonly T: bigint;
}

const product = (e: bigint, f: bigint, g: bigint, h: bigint): Point => ({
  X: mod(e * f, prime),
  Y: mod(g * h, prime),
  Z: mod(f * g, prime),
  T: mod(e * h, prime),
});

const group = {
  zero: { X: 0n, Y: 1n, Z: 1n, T: 0n },
  /** Right for all points, also equal ones. */
  add: (p: Point, q: Point): Point => {
    const a = mod((p.Y - p.X) * (q.Y - q.X), prime);
    const b = mod((p.Y + p.X) * (q.Y + q.X), prime);
    const c = mod(2n * d * p.T, prime) * q.T;
    const e = 2n * p.Z * q.Z;
    return product(b - a, mod(e - c, prime), mod(e + c, prime), b + a);
  },
  double: ({ X, Y, Z }: Point): Point => {
    const [a, b] = [mod(X * X, prime), mod(Y * Y, prime)];
    const [sum, difference] = [a + b, a - b];
    return product(mod(sum - (X + Y) ** 2n, prime), mod(2n * Z * Z + difference, prime), difference, sum);
  },
};

const base = pointOf(mod(4n * invert(5n, prime), prime), 0n);

/** The point with this y and the lowest bit of x; throws if there is none. */
function pointOf(y: bigint, parity: bigint): Point {
  const u = mod(y * y - 1n, prime);
  const v = mod(d * y * y + 1n, prime);
  const root = mod(u * v ** 3n * power(mod(u * v ** 7n, prime), (prime - 5n) / 8n, prime), prime);
  const square = mod(v * root * root, prime);
  if (square !== u && square !== mod(-u, prime)) throw new Error("the key is no point of the curve");
  const x = square === u ? root : mod(root * rootOfMinusOne, prime);
  const X = (x & 1n) === parity ? x : mod(-x, prime);
  return { X, Y: y, Z: 1n, T: mod(X * y, prime) };
}

/** The number of these bytes, the first one the lowest. */
const lowFirst = (bytes: Uint8Array) => numberOf(Uint8Array.from(bytes).reverse());

export interface Ed25519Key {
  verify(data: Uint8Array, signature: Uint8Array): boolean;
}

/**
 * A key of 32 bytes; throws for bytes that are no point. It checks as OpenSSL does: without the cofactor, by the bytes
 * of the point, and any encoding of the key.
 */
export function ed25519Key(publicKey: Uint8Array): Ed25519Key {
  const encoded = lowFirst(publicKey);
  const point = pointOf(BigInt.asUintN(255, encoded) % prime, encoded >> 255n);
  const negative = { ...point, X: mod(-point.X, prime), T: mod(-point.T, prime) };
  return {
    verify: (data, signature) => {
      const s = lowFirst(signature.subarray(32));
      if (signature.length !== 64 || s >= order) return false;
      const nonce = signature.subarray(0, 32);
      const challenge = lowFirst(sha512(Buffer.concat([nonce, publicKey, data]))) % order;
      const { X, Y, Z } = sumOfMultiples(group, [
        [base, s],
        [negative, challenge],
      ]);
      const inverse = invert(Z, prime);
      const parity = mod(X * inverse, prime) & 1n;
      return lowFirst(nonce) === (mod(Y * inverse, prime) | (parity << 255n));
    },
  };
}
