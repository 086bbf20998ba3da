import { curve1, curve2 } from "./blsGroups.ts";
import { bls, decodePoint, encodePoint, type Fp2, type Point } from "./blsPoints.ts";

/** How messages become points: the suite of signatures with a proof of possession, keys in G1. */
const suite = "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_";

/** The reference multiplies up to this many pairings together. */
const batchSize = 8;
type Pair = readonly [Point<bigint>, Point<Fp2>];

/**
 * Whether the signature (96 bytes) of the message is by this key (48 bytes); both must lie in their subgroup, the key
 * may not be zero.
 */
export function verifyBls(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  return verifyFastAggregate([publicKey], message, signature);
}

/** The sum of signatures; `undefined` for none, for a broken one, and for one but the first outside the subgroup. */
export function aggregateBls(signatures: readonly Uint8Array[]): Uint8Array | undefined {
  const sum = sumOf(signatures.map((bytes) => decodePoint(curve2(), bytes)));
  return sum === undefined ? undefined : encodePoint(curve2(), sum);
}

/** Whether the sum of signatures of one message is by all of these keys. */
export function verifyFastAggregate(keys: readonly Uint8Array[], message: Uint8Array, signature: Uint8Array): boolean {
  const points = keys.map((bytes) => decodePoint(curve1(), bytes));
  const key = sumOf(points);
  if (key === undefined || points.some((point) => point?.is0())) return false;
  return verifyPairs([[key, hashToG2(message)]], signature);
}

/** Whether the sum of signatures of several messages is by their keys. */
export function verifyAggregate(
  signed: readonly { readonly publicKey: Uint8Array; readonly message: Uint8Array }[],
  signature: Uint8Array,
): boolean {
  const pairs: Pair[] = [];
  for (const { publicKey, message } of signed) {
    const key = decodePoint(curve1(), publicKey);
    if (key === undefined || key.is0()) return false;
    pairs.push([key, hashToG2(message)]);
  }
  return verifyPairs(pairs, signature);
}

/**
 * Whether the product of the pairings is one; `undefined` when a point is broken. Points need not lie in the subgroups.
 * Pairs of two zeros do not count, and a product of none is not one. Among several pairs that the reference multiplies
 * together, a G2 zero with another G1 point makes the product zero.
 */
export function isPairingOne(points: readonly (readonly [Uint8Array, Uint8Array])[]): boolean | undefined {
  const pairs: Pair[] = [];
  for (const [first, second] of points) {
    const [p, q] = [decodePoint(curve1(), first), decodePoint(curve2(), second)];
    if (p === undefined || q === undefined) return undefined;
    if (!p.is0() || !q.is0()) pairs.push([p, q]);
  }
  if (pairs.length === 0) return false;
  for (let from = 0; from < pairs.length; from += batchSize) {
    const batch = pairs.slice(from, from + batchSize);
    if (batch.length > 1 && batch.some(([, q]) => q.is0())) return false;
  }
  return isProductOne(pairs);
}

function verifyPairs(pairs: readonly Pair[], signature: Uint8Array): boolean {
  const point = decodePoint(curve2(), signature);
  if (point === undefined || pairs.length === 0 || !point.isTorsionFree()) return false;
  if (!pairs.every(([key]) => key.isTorsionFree())) return false;
  const generator = bls().G1.Point.BASE.negate();
  return isProductOne([...pairs, [generator, point]]);
}

function isProductOne(pairs: readonly Pair[]): boolean {
  const { millerLoopBatch, utils, fields } = bls();
  const loops: Parameters<typeof millerLoopBatch>[0] = [];
  for (const [p, q] of pairs) {
    if (p.is0() || q.is0()) continue;
    const { x, y } = p.toAffine();
    loops.push([utils.calcPairingPrecomputes(q), x, y]);
  }
  return fields.Fp12.eql(fields.Fp12.finalExponentiate(millerLoopBatch(loops)), fields.Fp12.ONE);
}

function hashToG2(message: Uint8Array): Point<Fp2> {
  return bls().G2.hashToCurve(message, { DST: suite });
}

/** The sum of points of which all but the first lie in the subgroup; `undefined` otherwise. */
function sumOf<T>(points: readonly (Point<T> | undefined)[]): Point<T> | undefined {
  const [first, ...others] = points;
  let sum = first;
  for (const point of others) {
    if (sum === undefined || point === undefined || !point.isTorsionFree()) return undefined;
    sum = sum.add(point);
  }
  return sum;
}
