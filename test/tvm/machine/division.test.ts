import { describe, expect, it } from "vitest";
import { resultOf } from "../../../kit/tvm/runProgram.ts";
import { fromBig } from "../../../src/tvm/machine/integers.ts";
import type { Integer, StackValue } from "../../../src/tvm/machine/StackValue.ts";

/** The definition: floor, nearest with halves up, ceiling. */
function quotientOf(x: bigint, y: bigint, rounding: number): bigint {
  const floor = (a: bigint, b: bigint): bigint => {
    const q = a / b;
    return q * b !== a && a < 0n !== b < 0n ? q - 1n : q;
  };
  if (rounding === 0) return floor(x, y);
  return rounding === 2 ? -floor(-x, y) : floor(2n * x + y, 2n * y);
}

const limit = 1n << 256n;
const fits = (value: bigint): boolean => value >= -limit && value < limit;

/** The results of a form: quotient (4), remainder (8) or both (12, and 0, which adds a number). */
function expected(x: bigint, y: bigint, digit: number, quiet: boolean): readonly StackValue[] | { exception: number } {
  const results = y === 0n ? [] : [quotientOf(x, y, digit & 3)].flatMap((q) => [q, x - q * y]);
  const kinds = digit & 12;
  const wanted = kinds === 4 ? results.slice(0, 1) : kinds === 8 ? results.slice(1) : results;
  if (y === 0n) return quiet ? Array<number>(kinds === 4 || kinds === 8 ? 1 : 2).fill(Number.NaN) : { exception: 4 };
  if (!quiet && !wanted.every(fits)) return { exception: 4 };
  return wanted.map((value): Integer => (fits(value) ? fromBig(value) : Number.NaN));
}

/**
 * None is nearly the opposite of another one of some words: `words.test.ts` has sums that the definition does not tell.
 */
const numbers = [
  0n,
  1n,
  -1n,
  2n,
  -3n,
  7n,
  1000n,
  -(1n << 53n),
  (1n << 54n) + 1n,
  (1n << 200n) - 5n,
  -(1n << 256n),
  limit - 1n,
];
const digits = [0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14];
const triples = numbers.flatMap((x, i) =>
  numbers.map((y, j): [bigint, bigint, bigint] => [x, y, numbers[(i * 5 + j * 7) % numbers.length] as bigint]),
);

/** Checks every form, quiet or not, on all pairs of numbers. */
function check(
  opcode: string,
  stackOf: (x: bigint, y: bigint, w: bigint, adds: boolean) => bigint[],
  dividend: (x: bigint, y: bigint, w: bigint) => bigint,
  divisor: (y: bigint, w: bigint) => bigint,
): void {
  for (const quiet of [false, true]) {
    for (const digit of digits) {
      for (const [x, y, w] of triples) {
        const adds = (digit & 12) === 0;
        const code = `${quiet ? "B7" : ""}${opcode}${digit.toString(16)}`;
        const stack = stackOf(x, y, w, adds);
        const result = resultOf(code, stack.map(fromBig));
        const wanted = expected(dividend(x, y, adds ? w : 0n), divisor(y, w), digit, quiet);
        if (JSON.stringify(result, show) !== JSON.stringify(wanted, show))
          expect({ code, stack, result }).toEqual(wanted);
      }
    }
  }
}

const show = (_key: string, value: unknown): unknown =>
  typeof value === "bigint" || Number.isNaN(value) ? String(value) : value;

const shift = (y: bigint): bigint => ((y % 257n) + 257n) % 257n;

describe("division in all its forms", () => {
  it("of a number, or the sum of two", () => {
    check(
      "A90",
      (x, y, w, adds) => (adds ? [x, w, y] : [x, y]),
      (x, _y, w) => x + w,
      (y) => y,
    );
  });
  it("by a power of two", () => {
    check(
      "A92",
      (x, y, w, adds) => (adds ? [x, w, shift(y)] : [x, shift(y)]),
      (x, _y, w) => x + w,
      (y) => 1n << shift(y),
    );
  });
  it("of a product", () => {
    check(
      "A98",
      (x, y, w, adds) => (adds ? [x, y, w, 7n] : [x, y, 7n]),
      (x, y, w) => x * y + w,
      () => 7n,
    );
  });
  it("of a product by a power of two", () => {
    check(
      "A9A",
      (x, y, w, adds) => (adds ? [x, y, w, 9n] : [x, y, 9n]),
      (x, y, w) => x * y + w,
      () => 512n,
    );
  });
  it("of a shifted number", () => {
    check(
      "A9C",
      (x, y, w, adds) => (adds ? [x, w, y, 11n] : [x, y, 11n]),
      (x, _y, w) => (x << 11n) + w,
      (y) => y,
    );
  });
});
