import { beginCell as beginCore, Dictionary as CoreDictionary } from "@ton/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellOf } from "../../kit/cell/anyCell.ts";
import { makeMerkleProof } from "../../kit/cell/merkleProofs.ts";
import { beginCell, emptyCell } from "../../src/cell/Builder.ts";
import { readRoot, writeBoc } from "../../src/cell/boc.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { loadCell, storeCell, struct, uint8, uint32 } from "../../src/cell/codec.ts";
import {
  Dictionary,
  dictionary,
  inlineDictionary,
  makeDictionary,
  maxChainEntries,
} from "../../src/cell/dictionary.ts";
import { makePruned } from "../../src/cell/exotic.ts";
import { bigUintKey, uintKey } from "../../src/cell/keys.ts";
import { openMerkleProof } from "../../src/cell/merkle/merkleProof.ts";
import { sliceOf } from "../../src/cell/Slice.ts";
import { watchVisits } from "../../src/cell/visits.ts";
import { repeats } from "../kit/suite/everything.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

const widths = [1, 8, 15, 32, 64, 256, 267, 352];

/** Keys with long, short and no common prefixes. */
function anyKey(bits: number): fc.Arbitrary<bigint> {
  const max = (1n << BigInt(bits)) - 1n;
  const small = fc.bigInt({ min: 0n, max: max < 40n ? max : 40n });
  return fc.oneof(
    small,
    small.map((value) => max - value),
    fc.nat(bits - 1).map((shift) => 1n << BigInt(shift)),
    fc.bigInt({ min: 0n, max }),
  );
}

type Edit = readonly ["set", bigint, number] | readonly ["delete", bigint];

function anyEdits(bits: number): fc.Arbitrary<readonly Edit[]> {
  const key = anyKey(bits);
  const set = fc.tuple(fc.constant("set" as const), key, fc.nat(2 ** 32 - 1));
  const remove = fc.tuple(fc.constant("delete" as const), key);
  return fc.array(fc.oneof({ weight: 3, arbitrary: set }, { weight: 1, arbitrary: remove }), { maxLength: 60 });
}

function apply(dict: Dictionary<bigint, number>, edits: readonly Edit[]): Dictionary<bigint, number> {
  return edits.reduce((d, edit) => (edit[0] === "set" ? d.set(edit[1], edit[2]) : d.delete(edit[1])), dict);
}

function applyToMap(edits: readonly Edit[]): Map<bigint, number> {
  const map = new Map<bigint, number>();
  for (const edit of edits) {
    if (edit[0] === "set") map.set(edit[1], edit[2]);
    else map.delete(edit[1]);
  }
  return map;
}

function sorted(map: ReadonlyMap<bigint, number>): [bigint, number][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

function coreHash(bits: number, map: ReadonlyMap<bigint, number>): string | undefined {
  if (map.size === 0) return undefined;
  const dict = CoreDictionary.empty(CoreDictionary.Keys.BigUint(bits), CoreDictionary.Values.Uint(32));
  for (const [key, value] of map) dict.set(key, value);
  return beginCore().storeDictDirect(dict).endCell().hash().toString("hex");
}

describe.each(widths)("a dictionary with keys of %i bits", (bits) => {
  const key = bigUintKey(bits);
  const empty = new Dictionary(undefined, key, uint32);
  const runs = { numRuns: repeats({ usual: 20, all: 60 }) };

  it("equals a map after any edits, in the same cells as @ton/core", () => {
    fc.assert(
      fc.property(anyEdits(bits), (edits) => {
        const dict = apply(empty, edits);
        const map = applyToMap(edits);
        expect(dict.entries()).toEqual(sorted(map));
        expect(dict.root?.hash()).toBe(coreHash(bits, map));
        expect([dict.count(), dict.isEmpty]).toEqual([map.size, map.size === 0]);
      }),
      runs,
    );
  });

  it("finds every key that it has and no other", () => {
    fc.assert(
      fc.property(anyEdits(bits), fc.array(anyKey(bits), { maxLength: 20 }), (edits, asked) => {
        const map = applyToMap(edits);
        const made = apply(empty, edits);
        const read = new Dictionary(made.root && readRoot(writeBoc(made.root)), key, uint32);
        for (const name of [...map.keys(), ...asked]) {
          for (const dict of [made, read]) {
            expect(dict.find(name)).toBe(map.get(name));
            expect(dict.has(name)).toBe(map.has(name));
            if (!map.has(name)) expect(refusalCode(() => dict.get(name))).toBe("cell/dictionary-key");
            else expect(dict.get(name)).toBe(map.get(name));
          }
        }
      }),
      runs,
    );
  });

  it("is the same by edits or from its entries in any order", () => {
    fc.assert(
      fc.property(anyEdits(bits), (edits) => {
        const map = applyToMap(edits);
        const hash = apply(empty, edits).root?.hash();
        expect(makeDictionary(key, uint32, map).root?.hash()).toBe(hash);
        expect(makeDictionary(key, uint32, sorted(map)).root?.hash()).toBe(hash);
        expect(makeDictionary(key, uint32, sorted(map).reverse()).root?.hash()).toBe(hash);
      }),
      runs,
    );
  });

  it("is not changed by an edit of a copy", () => {
    fc.assert(
      fc.property(anyEdits(bits), anyEdits(bits), (edits, later) => {
        const dict = apply(empty, edits);
        const before = dict.entries();
        apply(dict, later);
        expect(dict.entries()).toEqual(before);
      }),
      runs,
    );
  });

  it("is listed from any key, in both directions, up to any count", () => {
    const anyRange = fc.record({
      from: fc.option(anyKey(bits), { nil: undefined }),
      reverse: fc.boolean(),
      limit: fc.option(fc.nat(10), { nil: undefined }),
    });
    fc.assert(
      fc.property(anyEdits(bits), anyRange, (edits, { from, reverse, limit }) => {
        const map = applyToMap(edits);
        const all = sorted(map).filter(([name]) => from === undefined || (reverse ? name <= from : name >= from));
        const expected = (reverse ? all.reverse() : all).slice(0, limit);
        const options = {
          reverse,
          ...(from === undefined ? {} : { from }),
          ...(limit === undefined ? {} : { limit }),
        };
        const dict = apply(empty, edits);
        expect(dict.entries(options)).toEqual(expected);
        expect(dict.keys(options)).toEqual(expected.map(([name]) => name));
        expect(dict.values(options)).toEqual(expected.map(([, value]) => value));
      }),
      { numRuns: 200 },
    );
  });

  it("has a first and a last entry", () => {
    fc.assert(
      fc.property(anyEdits(bits), (edits) => {
        const all = sorted(applyToMap(edits));
        const dict = apply(empty, edits);
        expect([dict.findFirst(), dict.findLast()]).toEqual([all[0], all.at(-1)]);
      }),
      runs,
    );
  });

  it("round-trips through cells, with its tree referenced or inline", () => {
    const outside = struct({ before: uint8, dict: dictionary(key, uint32), behind: uint8 });
    const inside = struct({ before: uint8, dict: inlineDictionary(key, uint32), behind: uint8 });
    fc.assert(
      fc.property(anyEdits(bits), (edits) => {
        const dict = apply(empty, edits);
        const value = { before: 1, dict, behind: 2 };
        for (const codec of dict.isEmpty ? [outside] : [outside, inside]) {
          const cell = storeCell(codec, value);
          const back = loadCell(codec, cell);
          expect([back.before, back.dict.entries(), back.behind]).toEqual([1, dict.entries(), 2]);
          expect(storeCell(codec, back).hash()).toBe(cell.hash());
          expect(back.dict.set(0n, 7).entries()).toEqual(dict.set(0n, 7).entries());
          expect(back.dict.root?.hash()).toBe(dict.root?.hash());
        }
      }),
      runs,
    );
  });
});

describe("a dictionary", () => {
  const key = uintKey(16);
  const entries = Array.from({ length: 200 }, (_, i): [number, number] => [i * 321, i]);
  const dict = makeDictionary(key, uint32, entries);
  const root = dict.root as Cell;

  it("shares unchanged cells with its original", () => {
    const { root: watched, opened } = watchVisits(root);
    new Dictionary(watched, key, uint32).set(321 * 5, 0);
    expect(opened.size).toBeLessThan(12);
  });

  it("is unchanged after deleting an absent key", () => {
    expect(dict.delete(1)).toBe(dict);
  });

  it("is visited until the visitor stops", () => {
    const seen: number[] = [];
    dict.walk((value) => seen.push(value) < 3);
    expect(seen).toEqual([0, 1, 2]);
  });

  it("is rejected from entries with duplicate keys", () => {
    const twice: [number, number][] = [
      [5, 1],
      [7, 1],
      [5, 2],
    ];
    expect(refusalCode(() => makeDictionary(key, uint32, twice))).toBe("cell/dictionary-key");
  });

  it("cannot be inline while it is empty", () => {
    const empty = new Dictionary(undefined, key, uint32);
    expect(refusalCode(() => storeCell(inlineDictionary(key, uint32), empty))).toBe("cell/dictionary");
  });

  it("with empty keys has at most one entry", () => {
    const none = new Dictionary(undefined, uintKey(0), uint32).set(0, 5);
    expect([none.entries(), none.delete(0).isEmpty]).toEqual([[[0, 5]], true]);
  });

  it.each<[string, string, Cell]>([
    ["an edge longer than the key", "cell/dictionary", cellOf(`10${"10001"}${"0".repeat(17)}${"0".repeat(32)}`)],
    ["an edge of equal bits longer than the key", "cell/dictionary", cellOf(`110${"10001"}${"0".repeat(32)}`)],
    ["a short edge longer than the key", "cell/dictionary", cellOf(`0${"1".repeat(17)}0${"0".repeat(49)}`)],
    ["an edge that is cut", "cell/underflow", cellOf("10100000")],
    ["an edge that does not end", "cell/underflow", cellOf(`0${"1".repeat(900)}`)],
    ["a fork without halves", "cell/underflow", cellOf("00")],
    ["a fork with one half", "cell/underflow", cellOf("00", [root])],
    ["a value that is cut", "cell/underflow", cellOf("110100000")],
    ["a value with something behind it", "cell/leftover", cellOf(`11010000${"0".repeat(33)}`)],
    ["a value that is too long", "cell/leftover", cellOf(`11010000${"0".repeat(32)}`, [emptyCell])],
  ])("is rejected with %s", (_what, code, bad) => {
    expect(refusalCode(() => new Dictionary(bad, key, uint32).entries())).toBe(code);
  });

  it("with a shared half is rejected before its entries are counted", () => {
    let half = cellOf(`00${"0".repeat(8)}`);
    for (let i = 0; i < 200; i++) half = cellOf("00", [half, half]);
    const endless = new Dictionary(half, bigUintKey(200), uint8);
    expect(refusalCode(() => endless.count())).toBe("cell/dictionary-size");
    expect(refusalCode(() => endless.walk(() => true))).toBe("cell/dictionary-size");
    expect(endless.entries({ limit: 2 }).length).toBe(2);
    expect(endless.find(5n)).toBe(0);
    let pruned = makePruned(cellOf("1", [emptyCell]), 1);
    for (let i = 0; i < 200; i++) pruned = cellOf("00", [pruned, pruned]);
    const hidden = new Dictionary(pruned, bigUintKey(200), uint8);
    expect(refusalCode(() => hidden.entries({ skipPruned: true, limit: 1 }))).toBe("cell/dictionary-size");
  });

  it("is listed up to the number of entries that its declaration names", () => {
    const of = (count: number) =>
      makeDictionary(
        key,
        uint32,
        Array.from({ length: count }, (_none, at): [number, number] => [at, at]),
      );
    expect(of(4096).entries().length).toBe(4096);
    expect(refusalCode(() => of(4097).entries())).toBe("cell/dictionary-size");
    expect(refusalCode(() => of(4097).count())).toBe("cell/dictionary-size");
    expect(of(4097).entries({ limit: 5000 }).length).toBe(4097);
    expect(new Dictionary(of(10_000).root, key, uint32, maxChainEntries).keys().length).toBe(10_000);
  });

  it("of random cells is rejected with a code or has sorted entries", () => {
    const anyBad = fc.array(fc.tuple(fc.string({ unit: fc.constantFrom("0", "1"), maxLength: 80 }), fc.boolean()), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(anyBad, (list) => {
        const cell = list.reduce((child, [bits, two]) => cellOf(bits, two ? [child, child] : [child]), emptyCell);
        const bad = new Dictionary(cell, uintKey(8), uint8);
        try {
          const keys = bad.keys();
          expect(keys).toEqual(keys.toSorted((a, b) => a - b));
        } catch (error) {
          expect(error).toMatchObject({ code: expect.stringMatching(/^cell\//) });
        }
      }),
      { numRuns: repeats({ usual: 500, all: 2000 }) },
    );
  });
});

describe("a dictionary in a proof", () => {
  const key = uintKey(16);
  const entries = Array.from({ length: 100 }, (_, i): [number, number] => [i * 601, i]);
  const whole = makeDictionary(key, uint32, entries);
  const root = whole.root as Cell;
  const { root: watched, opened } = watchVisits(root);
  new Dictionary(watched, key, uint32).get(601 * 50);
  const body = openMerkleProof(makeMerkleProof(root, opened), root.hash());
  const proved = new Dictionary(body, key, uint32);

  it("has its entry, and rejects access beyond a pruned branch", () => {
    expect(proved.get(601 * 50)).toBe(50);
    expect(refusalCode(() => proved.find(0))).toBe("cell/pruned");
    expect(refusalCode(() => proved.entries())).toBe("cell/pruned");
    expect(refusalCode(() => proved.findFirst())).toBe("cell/pruned");
    expect(refusalCode(() => proved.set(0, 1))).toBe("cell/pruned");
    expect(refusalCode(() => proved.delete(0))).toBe("cell/pruned");
    expect(refusalCode(() => proved.count())).toBe("cell/pruned");
  });

  it("can be listed without pruned parts, and edited elsewhere", () => {
    const listed = proved.entries({ skipPruned: true });
    expect(listed).toContainEqual([601 * 50, 50]);
    expect(listed.length).toBeLessThan(10);
    expect(proved.entries({ skipPruned: true, reverse: true })).toEqual([...listed].reverse());
    expect(proved.set(601 * 50, 7).root?.hash(0)).toBe(whole.set(601 * 50, 7).root?.hash());
  });

  it("is rejected as a whole if its root is pruned", () => {
    const pruned = new Dictionary(makePruned(root, 1), key, uint32);
    expect(refusalCode(() => pruned.find(0))).toBe("cell/pruned");
    expect(pruned.entries({ skipPruned: true })).toEqual([]);
  });

  it("read from a slice does not move it", () => {
    const cell = beginCell().storeSlice(sliceOf(root)).cell();
    const inline = inlineDictionary(key, uint32).load(sliceOf(cell));
    expect([inline.get(601), inline.entries(), inline.get(601)]).toEqual([1, entries, 1]);
  });
});
