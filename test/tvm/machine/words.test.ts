import { expect, it } from "vitest";
import { resultOf } from "../../../kit/tvm/runProgram.ts";
import type { StackValue } from "../../../src/tvm/machine/StackValue.ts";

const power = (exponent: number): bigint => 1n << BigInt(exponent);
const overflow = { exception: 4 };
/** The largest number of three words of 52 bits, of which every one has a sign. */
const largestOfThree = power(155) - power(103) - power(51) - 1n;

/** Results of the reference. */
it.each<[string, string, StackValue[], StackValue[] | typeof overflow]>([
  ["XOR", "B2", [-1, -power(103)], overflow],
  ["XOR, the longer operand first", "B2", [-power(103), -1], [power(103) - 1n]],
  ["QXOR", "B7B2", [-1, -power(103)], [Number.NaN]],
  ["XOR to the largest number of two words", "B2", [-1, power(51) - power(103)], [power(103) - power(51) - 1n]],
  ["XOR to one more", "B2", [-1, power(51) - power(103) - 1n], overflow],
  ["XOR of operands of one word", "B2", [-1, -(2 ** 51)], [2 ** 51 - 1]],
  ["XOR to five words", "B2", [-1, -power(256)], [power(256) - 1n]],
  ["AND", "B0", [-power(103) - 1n, -power(155) - power(103)], overflow],
  ["AND, the longer operand first", "B0", [-power(155) - power(103), -power(103) - 1n], [-power(155) - power(104)]],
  ["QAND", "B7B0", [-power(103) - 1n, -power(155) - power(103)], [Number.NaN]],
  ["OR", "B1", [2 ** 51, largestOfThree], overflow],
  ["OR, the longer operand first", "B1", [largestOfThree, 2 ** 51], [largestOfThree + power(51)]],
  ["QOR", "B7B1", [2 ** 51, largestOfThree], [Number.NaN]],
  ["OR that changes nothing", "B1", [2 ** 50, largestOfThree], [largestOfThree]],
])("%s overflows only if its result has more words than a second operand that is longer than the first", (...row) => {
  const [, code, stack, expected] = row;
  expect(resultOf(code, stack)).toEqual(expected);
});

const carried = power(103);

/** Results of the reference, by the sign of the highest word: the sum is -6, nothing, -1 and 1. */
it.each<[string, string, StackValue[], StackValue[]]>([
  ["-6, rounded up", "A932D7", [-carried - 3n, carried - 3n], [1, -6]],
  ["-6, rounded down", "A930D7", [-carried - 3n, carried - 3n], [0, power(216) - 6n]],
  ["-6, rounded to the nearest", "A931D7", [-carried - 3n, carried - 3n], [0, -6]],
  ["nothing, rounded up", "A922", [2 ** 51, -(2 ** 51), 117], [1, 0]],
  ["nothing, quiet", "B7A922", [2 ** 51, -(2 ** 51), 117], [1, 0]],
  ["nothing, by no more than two words and 12 bits", "A922", [2 ** 51, -(2 ** 51), 116], [0, 0]],
  ["-1, rounded down", "A920", [2 ** 52, -(2 ** 52) - 1, 200], [0, power(200) - 1n]],
  ["1, rounded up", "A922", [2 ** 52, -(2 ** 52) + 1, 200], [0, 1n - power(200)]],
])("a sum of %s, shifted beyond the words of both numbers", (_name, code, stack, expected) => {
  expect(resultOf(code, stack)).toEqual(expected);
});
