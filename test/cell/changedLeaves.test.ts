import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeMerkleProof } from "../../kit/cell/merkleProofs.ts";
import { uint32 } from "../../src/cell/codec.ts";
import { Dictionary, makeDictionary } from "../../src/cell/dictionary.ts";
import { makePruned } from "../../src/cell/exotic.ts";
import { uintKey } from "../../src/cell/keys.ts";
import { openMerkleProof } from "../../src/cell/merkle/merkleProof.ts";
import { watchVisits } from "../../src/cell/visits.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

const key = uintKey(16);
const entries = fc.uniqueArray(fc.tuple(fc.oneof(fc.nat(40), fc.nat(0xffff)), fc.nat(3)), {
  maxLength: 40,
  selector: ([k]) => k,
});

function changedBetween(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): [number, number][] {
  return [...after].filter(([k, value]) => before.get(k) !== value).sort(([a], [b]) => a - b);
}

describe("entries that changed", () => {
  it("contain every new and changed entry, and only entries of the later dictionary", () => {
    fc.assert(
      fc.property(entries, entries, (earlier, edits) => {
        const before = new Map(earlier);
        const after = new Map([...earlier, ...edits].filter(([k], index) => index % 7 !== 3 || edits.length < k));
        const from = makeDictionary(key, uint32, before);
        const to = makeDictionary(key, uint32, after);
        const found = to.changedSince(from);
        expect(found).toEqual(expect.arrayContaining(changedBetween(before, after)));
        expect([...after].sort(([a], [b]) => a - b)).toEqual(expect.arrayContaining(found));
        expect(to.changedSince(undefined)).toEqual(to.entries());
        expect(to.changedSince(to)).toEqual([]);
      }),
    );
  });

  it("are found along the changed paths alone", () => {
    const before = makeDictionary(
      key,
      uint32,
      Array.from({ length: 4000 }, (_, index): [number, number] => [index * 16, 1]),
    );
    const after = before.set(160, 2);
    const root = after.root;
    if (root === undefined) throw new Error("the dictionary has entries");
    const visits = watchVisits(root);
    const watched = new Dictionary(visits.root, key, uint32);
    expect(watched.changedSince(before)).toEqual([[160, 2]]);
    // One cell for each of the 16 bits of the key at most.
    expect(visits.opened.size).toBeLessThanOrEqual(17);
  });

  it("are all entries where the earlier dictionary hides its part", () => {
    const before = makeDictionary(key, uint32, [
      [1, 1],
      [0x9000, 5],
    ]);
    const after = before.set(1, 2);
    const { root } = before;
    if (root === undefined) throw new Error("the dictionary has entries");
    const hidden = new Dictionary(makePruned(root, 1), key, uint32);
    expect(after.changedSince(hidden)).toEqual(after.entries());
    const proof = openMerkleProof(makeMerkleProof(root, new Set([root])));
    expect(after.changedSince(new Dictionary(proof, key, uint32))).toEqual([[1, 2]]);
  });

  it("are refused beyond the number of entries that a dictionary may have", () => {
    const many = makeDictionary(
      key,
      uint32,
      Array.from({ length: 5000 }, (_, index): [number, number] => [index, 1]),
    );
    expect(refusalCode(() => many.changedSince(undefined))).toBe("cell/dictionary-size");
  });
});
