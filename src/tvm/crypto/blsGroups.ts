import {
  type BlsCurve,
  bls,
  decodePoint,
  encodePoint,
  type Fp2,
  makeCurve1,
  makeCurve2,
  multiplyPoint,
  type Point,
} from "./blsPoints.ts";
import { blsOrder, bytesToNumber, modulo } from "./numbers.ts";

/**
 * Arithmetic on points in compressed form, as the instructions BLS_G1_… and BLS_G2_… do it; `undefined` is their
 * failure. Which argument must lie in the subgroup, besides lying on the curve, is uneven in the reference and is kept.
 */
export interface BlsGroup {
  /** The first may lie outside the subgroup. */
  add(a: Uint8Array, b: Uint8Array): Uint8Array | undefined;
  /** The second may lie outside the subgroup. */
  subtract(a: Uint8Array, b: Uint8Array): Uint8Array | undefined;
  negate(a: Uint8Array): Uint8Array | undefined;
  /** A number of any size and sign; times zero is zero for whatever bytes. */
  multiply(a: Uint8Array, n: bigint): Uint8Array | undefined;
  /** The sum of multiples; zero for none. */
  sumOfMultiples(terms: readonly (readonly [Uint8Array, bigint])[]): Uint8Array | undefined;
  zero(): Uint8Array;
  /** The element that 48 bytes (G1) or 96 bytes (G2) stand for; each half is taken modulo the field's modulus. */
  map(bytes: Uint8Array): Uint8Array;
  isInGroup(a: Uint8Array): boolean;
  isZero(a: Uint8Array): boolean;
}

let first: BlsCurve<bigint> | undefined;
let second: BlsCurve<Fp2> | undefined;

/** The curves are constants that take time to make. */
export function curve1(): BlsCurve<bigint> {
  first ??= makeCurve1();
  return first;
}

export function curve2(): BlsCurve<Fp2> {
  second ??= makeCurve2();
  return second;
}

export const blsG1: BlsGroup = makeGroup(curve1, (bytes) => mapHalves(bls().G1.mapToCurve)(modulus(bytes)));

export const blsG2: BlsGroup = makeGroup(curve2, (bytes) =>
  mapHalves(bls().G2.mapToCurve)([modulus(bytes.subarray(0, 48)), modulus(bytes.subarray(48, 96))]),
);

/**
 * The package declares the function by what its inner step takes and gives; it takes one number for G1, and gives a
 * point.
 */
function mapHalves<T>(map: (scalars: bigint[]) => { x: T; y: T }): (scalars: bigint | bigint[]) => Point<T> {
  return map as unknown as (scalars: bigint | bigint[]) => Point<T>;
}

function modulus(bytes: Uint8Array): bigint {
  return bls().fields.Fp.create(bytesToNumber(bytes));
}

function makeGroup<T>(curve: () => BlsCurve<T>, map: (bytes: Uint8Array) => Point<T>): BlsGroup {
  const decode = (bytes: Uint8Array) => decodePoint(curve(), bytes);
  const encode = (point: Point<T> | undefined) => (point === undefined ? undefined : encodePoint(curve(), point));
  const zero = () => encodePoint(curve(), curve().zero);
  const sum = (free: Point<T> | undefined, inGroup: Point<T> | undefined) =>
    free !== undefined && inGroup?.isTorsionFree() ? encode(free.add(inGroup)) : undefined;
  const multiply = (a: Uint8Array, n: bigint) => {
    const point = n === 0n ? curve().zero : decode(a);
    return encode(point === undefined ? undefined : multiplyPoint(curve(), point, modulo(n, blsOrder)));
  };
  return {
    add: (a, b) => sum(decode(a), decode(b)),
    subtract: (a, b) => sum(decode(b)?.negate(), decode(a)),
    negate: (a) => encode(decode(a)?.negate()),
    multiply,
    sumOfMultiples: (terms) => {
      const [only] = terms;
      if (terms.length === 1 && only !== undefined) return multiply(...only);
      let total = curve().zero;
      for (const [bytes, n] of terms) {
        const point = decode(bytes);
        if (point === undefined) return undefined;
        total = total.add(point.multiplyUnsafe(modulo(n, blsOrder)));
      }
      return encode(total);
    },
    zero,
    map: (bytes) => encode(map(bytes)) ?? zero(),
    isInGroup: (a) => decode(a)?.isTorsionFree() ?? false,
    isZero: (a) => Buffer.compare(a, zero()) === 0,
  };
}
