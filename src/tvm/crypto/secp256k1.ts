import { loadPackage } from "./loadPackage.ts";
import { bytesToNumber } from "./numbers.ts";

export interface RecoverableSignature {
  readonly r: Uint8Array;
  readonly s: Uint8Array;
  /** Which of the four points: 0 to 3. That 27 and 28 mean 0 and 1 is a rule of the machine since version 14. */
  readonly v: number;
}

/**
 * The public key (65 bytes, uncompressed) by which the hash (32 bytes) was signed; `undefined` when v is above 3, when
 * r or s is zero or not below the order, when no point has this r, and when the key would be the point at infinity.
 */
export function recoverPublicKey(hash: Uint8Array, signature: RecoverableSignature): Uint8Array | undefined {
  const { secp256k1 } = loadPackage("secp256k1");
  const { Point } = secp256k1;
  const { n, p } = Point.CURVE();
  const [r, s] = [bytesToNumber(signature.r), bytesToNumber(signature.s)];
  if (signature.v > 3 || r === 0n || r >= n || s === 0n || s >= n) return undefined;
  const x = signature.v < 2 ? r : r + n;
  if (x >= p) return undefined;
  const point = findPoint(x, (signature.v & 1) === 1);
  if (point === undefined) return undefined;
  const { Fn } = Point;
  const inverse = Fn.inv(r);
  const ofBase = Fn.neg(Fn.mul(Fn.create(bytesToNumber(hash)), inverse));
  const key = Point.BASE.mulAddUnsafe(ofBase, point, Fn.mul(s, inverse));
  return key.is0() ? undefined : key.toBytes(false);
}

/**
 * Adds tweak × generator to the point with this x and an even y, and gives the sum as 65 bytes; `undefined` when x (32
 * bytes) is no such point, when the tweak (32 bytes) is not below the order, and when the sum is the point at infinity.
 */
export function addTweakToXOnlyKey(x: Uint8Array, tweak: Uint8Array): Uint8Array | undefined {
  const { Point } = loadPackage("secp256k1").secp256k1;
  const { n, p } = Point.CURVE();
  const [px, t] = [bytesToNumber(x), bytesToNumber(tweak)];
  if (px >= p || t >= n) return undefined;
  const point = findPoint(px, false);
  if (point === undefined) return undefined;
  const sum = t === 0n ? point : point.add(Point.BASE.multiplyUnsafe(t));
  return sum.is0() ? undefined : sum.toBytes(false);
}

function findPoint(x: bigint, odd: boolean) {
  const { Point } = loadPackage("secp256k1").secp256k1;
  const { Fp } = Point;
  const square = Fp.add(Fp.mul(Fp.sqr(x), x), Point.CURVE().b);
  if (Fp.pow(square, (Fp.ORDER - 1n) / 2n) !== 1n) return undefined;
  const y = Fp.sqrt(square);
  return Point.fromAffine({ x, y: ((y & 1n) === 1n) === odd ? y : Fp.neg(y) });
}
