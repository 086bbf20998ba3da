import fc from "fast-check";
import type { Codec } from "../../../src/cell/codec.ts";
import { type Dictionary, makeDictionary } from "../../../src/cell/dictionary.ts";
import { type KeyCodec, uintKey } from "../../../src/cell/keys.ts";
import { ValidatorDescr, type ValidatorSet } from "../../../src/model/config/ValidatorSet.ts";
import { anyBytes, anyHash, anyUint16, anyUint32, anyUint64 } from "./modelValues.ts";

/** `count` random numbers in ascending order. */
export const ascending = (count: number, value: fc.Arbitrary<number>): fc.Arbitrary<number[]> =>
  fc.array(value, { minLength: count, maxLength: count }).map((list) => list.sort((a, b) => a - b));

/** A dictionary with `minLength` to six entries. */
export function anyDictionary<K, V>(
  key: KeyCodec<K>,
  codec: Codec<V>,
  keys: fc.Arbitrary<K>,
  values: fc.Arbitrary<V>,
  minLength = 0,
): fc.Arbitrary<Dictionary<K, V>> {
  return fc
    .uniqueArray(fc.tuple(keys, values), { minLength, maxLength: 6, selector: ([k]) => String(k) })
    .map((entries) => makeDictionary(key, codec, entries));
}

export const anySignature = fc.record({ kind: fc.constant<"simple">("simple"), signature: anyBytes(64) });

export const anyValidator: fc.Arbitrary<ValidatorDescr> = fc.oneof(
  fc.record({ kind: fc.constant<"plain">("plain"), publicKey: anyHash, weight: anyUint64 }),
  fc.record({
    kind: fc.constant<"withAddress">("withAddress"),
    publicKey: anyHash,
    weight: anyUint64,
    adnlAddress: anyHash,
  }),
);

const validatorList = (minLength: number) =>
  anyDictionary(uintKey(16), ValidatorDescr, anyUint16, anyValidator, minLength);
const setHead = fc
  .record({ sinceAt: anyUint32, untilAt: anyUint32, counts: ascending(2, fc.integer({ min: 1, max: 0xffff })) })
  .map(({ counts: [main = 1, total = 1], ...head }) => ({ ...head, total, main }));
export const anyValidatorSet: fc.Arbitrary<ValidatorSet> = fc.oneof(
  fc.tuple(setHead, validatorList(1)).map(([head, list]) => ({ kind: "plain" as const, ...head, list })),
  fc
    .tuple(setHead, anyUint64, validatorList(0))
    .map(([head, totalWeight, list]) => ({ kind: "extended" as const, ...head, totalWeight, list })),
);
