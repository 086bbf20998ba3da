import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeMerkleProof } from "../../kit/cell/merkleProofs.ts";
import {
  type Augmentation,
  AugmentedDictionary,
  augmentedDictionary,
  inlineAugmentedDictionary,
} from "../../src/cell/augmentedDictionary.ts";
import { changeEntriesInSteps, rebuild, setEntry } from "../../src/cell/augmentedEdits.ts";
import { readRoot, writeBoc } from "../../src/cell/boc.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { loadCell, storeCell, struct, uint8, uint32 } from "../../src/cell/codec.ts";
import { makePruned } from "../../src/cell/exotic.ts";
import { uintKey } from "../../src/cell/keys.ts";
import { openMerkleProof } from "../../src/cell/merkle/merkleProof.ts";
import { sliceOf } from "../../src/cell/Slice.ts";
import { watchVisits } from "../../src/cell/visits.ts";
import { runAtOnce } from "../../src/lib/sharing/steps.ts";
import { deleteEntry } from "../kit/cell/deleteEntry.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

/** The sum and the maximum of the values below. */
interface Totals {
  readonly sum: number;
  readonly greatest: number;
}

const totals: Augmentation<Totals> = {
  codec: struct({ sum: uint32, greatest: uint8 }),
  empty: { sum: 0, greatest: 0 },
  combine: (a, b) => ({ sum: a.sum + b.sum, greatest: Math.max(a.greatest, b.greatest) }),
};

const key = uintKey(12);
const extraOf = (value: number): Totals => ({ sum: value, greatest: value });
const empty = new AugmentedDictionary(undefined, key, uint8, totals);
type Tested = typeof empty;

const anyEdits = fc.array(fc.tuple(fc.nat(4095), fc.option(fc.nat(255), { nil: undefined })), { maxLength: 60 });
type Edits = readonly (readonly [number, number | undefined])[];

function apply(dict: Tested, edits: Edits): Tested {
  return edits.reduce(
    (d, [name, value]) => (value === undefined ? deleteEntry(d, name) : setEntry(d, name, value, extraOf(value))),
    dict,
  );
}

function applyToMap(edits: Edits): [number, number][] {
  const map = new Map<number, number>();
  for (const [name, value] of edits) {
    if (value === undefined) map.delete(name);
    else map.set(name, value);
  }
  return [...map].sort(([a], [b]) => a - b);
}

function totalOf(entries: readonly (readonly [number, number])[]): Totals {
  return entries.reduce((sum, [, value]) => totals.combine(sum, extraOf(value)), totals.empty);
}

/** Checks that the extra of each fork combines those of its halves. Returns the extra of the node. */
function checkNode(node: Cell, keyBits: number): Totals {
  const slice = sliceOf(node);
  const length = loadLabelLength(slice, keyBits);
  if (length === keyBits) {
    const extra = totals.codec.load(slice);
    expect(extra).toEqual(extraOf(uint8.load(slice)));
    return extra;
  }
  const [left, right] = [slice.loadRef(), slice.loadRef()].map((half) => checkNode(half, keyBits - length - 1));
  const extra = totals.codec.load(slice);
  slice.end();
  expect(extra).toEqual(totals.combine(left as Totals, right as Totals));
  return extra;
}

function loadLabelLength(slice: ReturnType<typeof sliceOf>, limit: number): number {
  const size = 32 - Math.clz32(limit);
  if (!slice.loadBit()) {
    let length = 0;
    while (slice.loadBit()) length++;
    slice.skip(length);
    return length;
  }
  const isSame = slice.loadBit();
  if (isSame) slice.skip(1);
  const length = slice.loadUint(size);
  if (!isSame) slice.skip(length);
  return length;
}

describe("an augmented dictionary", () => {
  it("equals a map after any edits, with the right extra at every node", () => {
    fc.assert(
      fc.property(anyEdits, (edits) => {
        const expected = applyToMap(edits);
        const dict = apply(empty, edits);
        expect(dict.entries()).toEqual(expected);
        expect(dict.rootExtra()).toEqual(totalOf(expected));
        expect([dict.count(), dict.isEmpty]).toEqual([expected.length, expected.length === 0]);
        if (dict.root !== undefined) expect(checkNode(dict.root, 12)).toEqual(dict.rootExtra());
      }),
      { numRuns: 300 },
    );
  });

  it("is right after every edit, and not changed by the next one", () => {
    fc.assert(
      fc.property(anyEdits, (edits) => {
        let dict = empty;
        edits.forEach((edit, i) => {
          const before = [dict.rootExtra(), dict.entries()];
          const next = apply(dict, [edit]);
          expect([dict.rootExtra(), dict.entries()]).toEqual(before);
          expect(next.rootExtra()).toEqual(totalOf(applyToMap(edits.slice(0, i + 1))));
          dict = next;
        });
      }),
      { numRuns: 60 },
    );
  });

  it("is the same by edits or from its entries in any order", () => {
    fc.assert(
      fc.property(anyEdits, (edits) => {
        const entries = applyToMap(edits).map(([name, value]) => [name, value, extraOf(value)] as const);
        const hash = apply(empty, edits).root?.hash();
        expect(rebuild(empty, entries).root?.hash()).toBe(hash);
        expect(rebuild(empty, entries.toReversed()).root?.hash()).toBe(hash);
      }),
      { numRuns: 100 },
    );
  });

  it("is the same by one edit after another or by all at once", () => {
    fc.assert(
      fc.property(anyEdits, anyEdits, (first, second) => {
        const before = apply(empty, first);
        const changes = new Map(
          second.map(([name, value]) => [name, value === undefined ? value : { value, extra: extraOf(value) }]),
        );
        const after = runAtOnce(changeEntriesInSteps(before, changes));
        expect(after.root?.hash()).toBe(apply(before, second).root?.hash());
        expect(after.rootExtra()).toEqual(totalOf(applyToMap([...first, ...second])));
      }),
      { numRuns: 300 },
    );
  });

  it("refuses a key that is changed twice at once", () => {
    const entry = { value: 1, extra: extraOf(1) };
    const twice = [
      [5, entry],
      [5, undefined],
    ] as const;
    expect(refusalCode(() => runAtOnce(changeEntriesInSteps(empty, twice)))).toBe("cell/dictionary-key");
  });

  it("finds entries with their extras, and lists them like a plain one", () => {
    const dict = apply(empty, [
      [1, 10],
      [2, 20],
      [4000, 5],
    ]);
    expect([dict.find(2), dict.find(3), dict.get(1)]).toEqual([20, undefined, 10]);
    expect(dict.findEntry(4000)).toEqual({ value: 5, extra: { sum: 5, greatest: 5 } });
    expect(refusalCode(() => dict.get(3))).toBe("cell/dictionary-key");
    expect(dict.entries({ from: 2, limit: 1 })).toEqual([[2, 20]]);
    expect(dict.entries({ from: 3999, reverse: true })).toEqual([
      [2, 20],
      [1, 10],
    ]);
    const extras: number[] = [];
    dict.forEach((_value, _key, extra) => void extras.push(extra.sum));
    expect(extras).toEqual([10, 20, 5]);
    const seen: number[] = [];
    dict.walk((value) => seen.push(value) < 2);
    expect(seen).toEqual([10, 20]);
    expect(deleteEntry(dict, 3).root?.hash()).toBe(dict.root?.hash());
    expect(
      refusalCode(() =>
        rebuild(empty, [
          [1, 1, extraOf(1)],
          [1, 2, extraOf(2)],
        ]),
      ),
    ).toBe("cell/dictionary-key");
  });

  it("round-trips through cells, with its tree referenced or inline", () => {
    const outside = struct({ before: uint8, dict: augmentedDictionary(key, uint8, totals), behind: uint8 });
    const inside = struct({ before: uint8, dict: inlineAugmentedDictionary(key, uint8, totals), behind: uint8 });
    fc.assert(
      fc.property(anyEdits, (edits) => {
        const dict = apply(empty, edits);
        for (const codec of dict.isEmpty ? [outside] : [outside, inside]) {
          const cell = storeCell(codec, { before: 1, dict, behind: 2 });
          const back = loadCell(codec, readRoot(writeBoc(cell)));
          expect([back.before, back.dict.entries(), back.behind]).toEqual([1, dict.entries(), 2]);
          expect(back.dict.rootExtra()).toEqual(dict.rootExtra());
          expect(storeCell(codec, back).hash()).toBe(cell.hash());
          expect(setEntry(back.dict, 9, 9, extraOf(9)).rootExtra()).toEqual(
            setEntry(dict, 9, 9, extraOf(9)).rootExtra(),
          );
        }
      }),
      { numRuns: 100 },
    );
  });

  it("cannot be inline while it is empty", () => {
    expect(refusalCode(() => storeCell(inlineAugmentedDictionary(key, uint8, totals), empty))).toBe("cell/dictionary");
  });
});

describe("an augmented dictionary in a proof", () => {
  const whole = rebuild(
    empty,
    Array.from({ length: 60 }, (_, i) => [i * 61, i, extraOf(i)] as const),
  );
  const root = whole.root as Cell;

  it("has its entry and the sum, and rejects an edit that needs a pruned branch", () => {
    const { root: watched, opened } = watchVisits(root);
    new AugmentedDictionary(watched, key, uint8, totals).get(61 * 30);
    const body = openMerkleProof(makeMerkleProof(root, opened), root.hash());
    const proved = new AugmentedDictionary(body, key, uint8, totals);
    expect([proved.get(61 * 30), proved.rootExtra()]).toEqual([30, whole.rootExtra()]);
    expect(refusalCode(() => setEntry(proved, 61 * 30, 1, extraOf(1)))).toBe("cell/pruned");
    expect(refusalCode(() => proved.entries())).toBe("cell/pruned");
    expect(proved.entries({ skipPruned: true })).toContainEqual([61 * 30, 30]);
  });

  it("has the sum although its root is pruned", () => {
    const codec = augmentedDictionary(key, uint8, totals);
    const cell = storeCell(codec, new AugmentedDictionary(makePruned(root, 1), key, uint8, totals, whole.rootExtra()));
    expect(loadCell(codec, cell).rootExtra()).toEqual(whole.rootExtra());
    const alone = new AugmentedDictionary(makePruned(root, 1), key, uint8, totals);
    expect(refusalCode(() => alone.rootExtra())).toBe("cell/pruned");
  });
});
