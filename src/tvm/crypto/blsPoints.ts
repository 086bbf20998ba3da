import type { WeierstrassPoint } from "@noble/curves/abstract/weierstrass.js";
import { loadPackage } from "./loadPackage.ts";
import { bytesToNumber } from "./numbers.ts";

type Bls = typeof import("@noble/curves/bls12-381.js")["bls12_381"];
export type Fp2 = ReturnType<Bls["fields"]["Fp2"]["fromBigTuple"]>;
export type Point<T> = WeierstrassPoint<T>;

/** A curve as encoding and multiplying its points needs it. */
export interface BlsCurve<T> {
  readonly length: 48 | 96;
  readonly zero: Point<T>;
  point(x: T, y: T): Point<T>;
  /** A coordinate of the bytes, flags removed; `undefined` when a part is not below the modulus. */
  findCoordinate(bytes: Uint8Array): T | undefined;
  writeCoordinate(x: T): Uint8Array;
  /** A root of x³ + b, or `undefined`. */
  findY(x: T): T | undefined;
  /** Whether y is the larger of itself and its negative. */
  isLarger(y: T): boolean;
  negate(y: T): T;
  /** Whether x belongs to a point that no one may hand in. */
  isRefused(x: T): boolean;
  /**
   * The number's digits in the base of an endomorphism, lowest first, each with the image of the point that it
   * multiplies.
   */
  split(point: Point<T>, n: bigint): readonly (readonly [bigint, Point<T>])[];
}

/** Absolute value of the curve's parameter; the parameter is negative. */
const parameter = 0xd201000000010000n;

export function bls(): Bls {
  return loadPackage("bls12381").bls12_381;
}

/**
 * A point from its compressed form: on the curve, but not necessarily in the subgroup of prime order. Refused are a
 * missing compression flag, an infinity with any other bit, and a coordinate that is not below the modulus.
 */
export function decodePoint<T>(curve: BlsCurve<T>, bytes: Uint8Array): Point<T> | undefined {
  const flags = bytes[0] ?? 0;
  if (bytes.length !== curve.length || (flags & 0x80) === 0) return undefined;
  const rest = Uint8Array.from(bytes);
  rest[0] = flags & 0x1f;
  if ((flags & 0x40) !== 0) return (flags & 0x20) === 0 && rest.every((byte) => byte === 0) ? curve.zero : undefined;
  const x = curve.findCoordinate(rest);
  const y = x === undefined ? undefined : curve.findY(x);
  if (x === undefined || y === undefined || curve.isRefused(x)) return undefined;
  return curve.point(x, curve.isLarger(y) === ((flags & 0x20) !== 0) ? y : curve.negate(y));
}

/** The compressed form. The package's own writer refuses points outside the subgroup, which code can very well make. */
export function encodePoint<T>(curve: BlsCurve<T>, point: Point<T>): Uint8Array {
  const bytes = new Uint8Array(curve.length);
  if (point.is0()) {
    bytes[0] = 0xc0;
    return bytes;
  }
  const { x, y } = point.toAffine();
  bytes.set(curve.writeCoordinate(x));
  bytes[0] = (bytes[0] ?? 0) | (curve.isLarger(y) ? 0xa0 : 0x80);
  return bytes;
}

/**
 * The point times a number from 0 to the order. The reference multiplies with an endomorphism, which equals a number
 * only in the subgroup; for other points its result is another one, and is part of the rules.
 */
export function multiplyPoint<T>(curve: BlsCurve<T>, point: Point<T>, n: bigint): Point<T> {
  if (point.isTorsionFree()) return point.multiplyUnsafe(n);
  let sum = curve.zero;
  for (const [digit, image] of curve.split(point, n)) sum = sum.add(image.multiplyUnsafe(digit));
  return sum;
}

/** The curve over the base field, whose subgroup is G1. */
export function makeCurve1(): BlsCurve<bigint> {
  const { G1, fields } = bls();
  const { Fp } = fields;
  const { b } = G1.Point.CURVE();
  const square = parameter * parameter;
  const root = cubeRoot();
  return {
    length: 48,
    zero: G1.Point.ZERO,
    point: (x, y) => G1.Point.fromAffine({ x, y }),
    findCoordinate: (bytes) => below(bytesToNumber(bytes), Fp.ORDER),
    writeCoordinate: (x) => Fp.toBytes(x),
    findY: (x) => findRoot(Fp, Fp.add(Fp.mul(Fp.sqr(x), x), b)),
    isLarger: (y) => y > Fp.ORDER >> 1n,
    negate: (y) => Fp.neg(y),
    // (0, ±2) has order 3.
    isRefused: (x) => x === 0n,
    split: (p, n) => [
      [n % square, p],
      [n / square, new G1.Point(Fp.mul(p.X, root), Fp.neg(p.Y), p.Z)],
    ],
  };
}

/** The cube root of one with which (x, y) → (root · x, −y) is multiplication by the parameter's square in G1. */
function cubeRoot(): bigint {
  const { G1, fields } = bls();
  const { Fp } = fields;
  const base = G1.Point.BASE;
  const goal = base.multiplyUnsafe(parameter * parameter).toAffine().x;
  return Fp.mul(goal, Fp.inv(base.x));
}

/** The curve over the quadratic extension, whose subgroup is G2. */
export function makeCurve2(): BlsCurve<Fp2> {
  const { G2, fields } = bls();
  const { Fp, Fp2 } = fields;
  const { b } = G2.Point.CURVE();
  const half = Fp.ORDER >> 1n;
  const [ofX, ofY] = [3n, 2n].map((k) => Fp2.inv(Fp2.pow(Fp2.fromBigTuple([1n, 1n]), (Fp.ORDER - 1n) / k)));
  const image = (p: Point<Fp2>): Point<Fp2> => {
    const conjugate = (v: Fp2): Fp2 => Fp2.fromBigTuple([v.c0, Fp.neg(v.c1)]);
    const [x, y] = [Fp2.mul(conjugate(p.X), ofX ?? Fp2.ONE), Fp2.mul(conjugate(p.Y), ofY ?? Fp2.ONE)];
    // The parameter is negative, so that its absolute value goes with the negative image.
    return new G2.Point(x, Fp2.neg(y), conjugate(p.Z));
  };
  return {
    length: 96,
    zero: G2.Point.ZERO,
    point: (x, y) => G2.Point.fromAffine({ x, y }),
    findCoordinate: (bytes) => {
      const [c1, c0] = [bytesToNumber(bytes.subarray(0, 48)), bytesToNumber(bytes.subarray(48))];
      return c0 < Fp.ORDER && c1 < Fp.ORDER ? Fp2.fromBigTuple([c0, c1]) : undefined;
    },
    writeCoordinate: ({ c0, c1 }) => Buffer.concat([Fp.toBytes(c1), Fp.toBytes(c0)]),
    findY: (x) => findRoot(Fp2, Fp2.add(Fp2.mul(Fp2.sqr(x), x), b)),
    isLarger: ({ c0, c1 }) => (c1 === 0n ? c0 : c1) > half,
    negate: (y) => Fp2.neg(y),
    isRefused: () => false,
    split: (p, n) => {
      const parts: [bigint, Point<Fp2>][] = [];
      let [rest, at] = [n, p];
      for (let i = 0; i < 4; i++) {
        parts.push([rest % parameter, at]);
        [rest, at] = [rest / parameter, image(at)];
      }
      return parts;
    },
  };
}

function below(value: bigint, modulus: bigint): bigint | undefined {
  return value < modulus ? value : undefined;
}

function findRoot<T>(field: { sqrt(v: T): T }, value: T): T | undefined {
  try {
    return field.sqrt(value);
  } catch {
    return undefined;
  }
}
