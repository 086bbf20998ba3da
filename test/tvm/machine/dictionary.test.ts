import { describe, expect, it } from "vitest";
import { resultOf } from "../../../kit/tvm/runProgram.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { uint } from "../../../src/cell/codec.ts";
import { makeDictionary } from "../../../src/cell/dictionary.ts";
import { intKey, uintKey } from "../../../src/cell/keys.ts";
import { emptyBuilder } from "../../../src/tvm/machine/CellBuilder.ts";
import { CellSlice, cellSlice } from "../../../src/tvm/machine/CellSlice.ts";
import type { StackValue } from "../../../src/tvm/machine/StackValue.ts";
import { sliceUint } from "../../../src/tvm/machine/slices.ts";

const bits = 8;
const makeValue = (n: number) => cellSlice(emptyBuilder().withUint(n, 16).cell());
const shown = (value: StackValue): StackValue | string =>
  value instanceof CellSlice && value.bits === 16 ? `value ${sliceUint(value, 16)}` : value;

/** Keys in an order that makes deep and shallow trees, with duplicates. */
const keys = Array.from({ length: 60 }, (_, i) => (i * 37 + ((i * i) % 11)) % 256);

function run(code: string, stack: readonly StackValue[]): (StackValue | string)[] {
  const result = resultOf(code, stack);
  if (!("length" in result)) throw new Error(`${code} ends with ${result.exception}`);
  return result.map(shown);
}

function rootOf(entries: ReadonlyMap<number, number>, signed: boolean): string | undefined {
  const key = signed ? intKey(bits) : uintKey(bits);
  return makeDictionary(key, uint(16), entries).root?.hash();
}

describe.each([
  {
    name: "unsigned",
    signed: false,
    code: { set: "F416", get: "F40E", del: "F45B", min: "F486", max: "F48E", near: 0x7c },
  },
  {
    name: "signed",
    signed: true,
    code: { set: "F414", get: "F40C", del: "F45A", min: "F484", max: "F48C", near: 0x78 },
  },
])("a dictionary with $name keys", ({ signed, code }) => {
  const keyOf = (k: number): number => (signed ? k - 128 : k);
  const entries = new Map<number, number>();
  let root: Cell | null = null;
  for (const [i, k] of keys.entries()) {
    const [changed] = run(code.set, [makeValue(i), keyOf(k), root, bits]);
    root = changed as Cell;
    entries.set(keyOf(k), i);
  }
  const sorted = [...entries.keys()].sort((a, b) => a - b);

  it("is the same tree as in the cell room", () => {
    expect(root?.hash()).toBe(rootOf(entries, signed));
  });

  it("finds exactly its entries", () => {
    for (let k = 0; k < 256; k++) {
      const value = entries.get(keyOf(k));
      expect(run(code.get, [keyOf(k), root, bits])).toEqual(value === undefined ? [0] : [`value ${value}`, -1]);
    }
    expect(run(code.get, [500, root, bits])).toEqual([0]);
  });

  it("has a first and a last entry", () => {
    const [first, last] = [sorted[0] ?? 0, sorted.at(-1) ?? 0];
    expect(run(code.min, [root, bits])).toEqual([`value ${entries.get(first)}`, first, -1]);
    expect(run(code.max, [root, bits])).toEqual([`value ${entries.get(last)}`, last, -1]);
  });

  it("has a next and a previous entry for every number", () => {
    for (const k of [-1000, ...Array.from({ length: 256 }, (_, i) => keyOf(i)), 1000]) {
      for (const form of [0, 1, 2, 3]) {
        const isIn = (x: number): boolean => (form & 2 ? x < k : x > k) || ((form & 1) === 1 && x === k);
        const found = (form & 2 ? sorted.toReversed() : sorted).find(isIn);
        const expected = found === undefined ? [0] : [`value ${entries.get(found)}`, found, -1];
        expect(run(`F4${(code.near + form).toString(16)}`, [k, root, bits])).toEqual(expected);
      }
    }
  });

  it("loses entries one by one until it is empty", () => {
    const left = new Map(entries);
    let rest: StackValue | string = root;
    for (const k of keys) {
      const isThere = left.delete(keyOf(k));
      const [changed, flag] = run(code.del, [keyOf(k), rest as StackValue, bits]);
      rest = changed ?? null;
      expect([flag, (rest as Cell | null)?.hash()]).toEqual([isThere ? -1 : 0, rootOf(left, signed)]);
    }
    expect(rest).toBeNull();
  });
});
