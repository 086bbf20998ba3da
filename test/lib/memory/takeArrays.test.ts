import { describe, expect, it } from "vitest";
import { takeArrays } from "../../../src/lib/memory/takeArrays.ts";

describe("arrays of one piece of memory", () => {
  it.each([0, 1, 8, 1_000])("are zeros, and apart from each other, with %i elements", (count) => {
    const take = takeArrays(count * 7);
    const arrays = [take(Uint32Array, count), take(Uint16Array, count), take(Uint8Array, count)];
    expect(arrays.map((each) => [...each])).toEqual(arrays.map(() => Array(count).fill(0)));
    arrays.forEach((each, index) => void each.fill(index + 1));
    expect(arrays.map((each) => [...each])).toEqual([1, 2, 3].map((value) => Array(count).fill(value)));
    expect(new Set(arrays.map(({ buffer }) => buffer)).size).toBe(1);
  });

  it("are refused behind its end, and where an element would begin at an odd place", () => {
    const take = takeArrays(8);
    take(Uint8Array, 1);
    expect(() => take(Uint32Array, 1)).toThrowError(RangeError);
    expect(() => take(Uint8Array, 8)).toThrowError(RangeError);
  });
});
