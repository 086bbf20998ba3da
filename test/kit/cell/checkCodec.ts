import fc from "fast-check";
import { expect, it } from "vitest";
import { AugmentedDictionary } from "../../../src/cell/augmentedDictionary.ts";
import { Cell } from "../../../src/cell/Cell.ts";
import { type Codec, loadCell, storeCell } from "../../../src/cell/codec.ts";
import { Dictionary } from "../../../src/cell/dictionary.ts";
import { isCoded } from "../../../src/lib/errors.ts";
import { anyBend, bendCell } from "./bentCell.ts";
import { openValue } from "./openValue.ts";

/** A value with every cell as its hash and every dictionary as its entries, so that equal means equal. */
export function plainValue(value: unknown): unknown {
  if (value instanceof Cell) return value.hash();
  if (value instanceof Dictionary || value instanceof AugmentedDictionary)
    return value.entries().map(([key, inner]) => [key, plainValue(inner)]);
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex");
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plainValue(inner)]));
}

/** Declares what holds for every codec: values come back as they were, and spoilt cells are refused with a code. */
export function itHoldsForRandom<T>(name: string, codec: Codec<T>, values: fc.Arbitrary<T>, numRuns = 200): void {
  it(`gives random values of ${name} back`, () => {
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

  it(`reads or refuses spoilt cells of ${name}, each with a code`, () => {
    fc.assert(
      fc.property(values, fc.array(anyBend, { minLength: 1, maxLength: 3 }), (value, bends) => {
        const cell = bends.reduce(bendCell, storeCell(codec, value));
        expect(() => readOrRefuse(codec, cell)).not.toThrow();
      }),
      { numRuns: numRuns * 2 },
    );
  });
}

/** Reads all there is; a refusal with a code is as good. */
export function readOrRefuse<T>(codec: Codec<T>, cell: Cell): void {
  try {
    openValue(loadCell(codec, cell));
  } catch (error) {
    if (!isCoded(error)) throw error;
  }
}
