import fc from "fast-check";
import { expect, it } from "vitest";
import { AugmentedDictionary } from "../../../src/cell/augmentedDictionary.ts";
import { Cell } from "../../../src/cell/Cell.ts";
import { type Codec, loadCell, storeCell } from "../../../src/cell/codec.ts";
import { Dictionary } from "../../../src/cell/dictionary.ts";
import { isCoded } from "../../../src/lib/errors.ts";
import { repeats } from "../suite/everything.ts";
import { anyMutation, mutateCell } from "./mutatedCell.ts";
import { openValue } from "./openValue.ts";

/** Converts cells to hashes and dictionaries to entries, so that values can be compared. */
export function plainValue(value: unknown): unknown {
  if (value instanceof Cell) return value.hash();
  if (value instanceof Dictionary || value instanceof AugmentedDictionary)
    return value.entries().map(([key, inner]) => [key, plainValue(inner)]);
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex");
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plainValue(inner)]));
}

/** Tests for every codec: random values round-trip, and mutated cells are decoded or rejected with an error code. */
export function itHoldsForRandom<T>(name: string, codec: Codec<T>, values: fc.Arbitrary<T>, all = 200): void {
  const numRuns = repeats({ usual: Math.ceil(all / 4), all });
  it(`round-trips random values of ${name}`, () => {
    fc.assert(
      fc.property(values, (value) => {
        const cell = storeCell(codec, value);
        const loaded = loadCell(codec, cell);
        expect(plainValue(loaded)).toEqual(plainValue(value));
        expect(storeCell(codec, loaded).hash()).toBe(cell.hash());
      }),
      { numRuns },
    );
  });

  it(`decodes mutated cells of ${name} or rejects them with a code`, () => {
    fc.assert(
      fc.property(values, fc.array(anyMutation, { minLength: 1, maxLength: 3 }), (value, mutations) => {
        const cell = mutations.reduce(mutateCell, storeCell(codec, value));
        expect(() => readOrRefuse(codec, cell)).not.toThrow();
      }),
      { numRuns: numRuns * 2 },
    );
  });
}

/** Decodes the whole value; accepts an error with a code. */
export function readOrRefuse<T>(codec: Codec<T>, cell: Cell): void {
  try {
    openValue(loadCell(codec, cell));
  } catch (error) {
    if (!isCoded(error)) throw error;
  }
}
