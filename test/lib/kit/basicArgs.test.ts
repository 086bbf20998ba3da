import { describe, expect, expectTypeOf, it } from "vitest";
import type { Arg } from "../../../src/lib/kit/arg.ts";
import { bigintArg, boolArg, intArg, listArg, oneOfArg, textArg } from "../../../src/lib/kit/basicArgs.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const cases: readonly {
  name: string;
  arg: Arg<unknown>;
  good: readonly [unknown, unknown][];
  bad: readonly unknown[];
}[] = [
  {
    name: "text",
    arg: textArg({ minLength: 1, maxLength: 3 }),
    good: [
      ["a", "a"],
      ["abc", "abc"],
    ],
    bad: ["", "abcd", 5, null, undefined, {}, ["a"]],
  },
  {
    name: "a whole number",
    arg: intArg({ min: -2, max: 7 }),
    good: [
      [5, 5],
      ["-2", -2],
      [0n, 0],
      ["+3", 3],
      ["007", 7],
    ],
    bad: [8, -3, 1.5, "1.0", "", " 1", "1e0", "0x1", true, null, undefined, Number.NaN, 2n ** 70n, "9".repeat(101)],
  },
  {
    name: "a whole number of any size",
    arg: bigintArg({ min: 0n, max: 2n ** 64n - 1n }),
    good: [
      ["18446744073709551615", 2n ** 64n - 1n],
      [7, 7n],
      [2n ** 60n, 2n ** 60n],
    ],
    bad: [-1, "18446744073709551616", 2 ** 60, 0.5, "ff", null, undefined],
  },
  {
    name: "true or false",
    arg: boolArg(),
    good: [
      [true, true],
      ["false", false],
      ["1", true],
      ["0", false],
    ],
    bad: ["yes", "", null, undefined, "TRUE"],
  },
  { name: "one of some words", arg: oneOfArg(["asc", "desc"]), good: [["asc", "asc"]], bad: ["ASC", "", 0, undefined] },
  {
    name: "a list",
    arg: listArg(intArg({ min: 0, max: 9 }), { maxItems: 2 }),
    good: [
      [
        ["1", 2],
        [1, 2],
      ],
      ["3", [3]],
      [[], []],
    ],
    bad: [[1, 2, 3], [10], ["x"], undefined, null],
  },
];

describe.each(cases)("$name", ({ arg, good, bad }) => {
  it("accepts allowed values", () => {
    for (const [given, expected] of good) expect(arg.decode(given, "it")).toEqual(expected);
  });

  it("rejects everything else", () => {
    for (const given of bad)
      expect([given, refusalCode(() => arg.decode(given, "it"))]).toEqual([given, "lib/argument"]);
  });
});

it("reports an invalid list item by its index", () => {
  const arg = listArg(intArg({ min: 0, max: 9 }), { maxItems: 5 });
  expect(() => arg.decode([1, "x"], "seqnos")).toThrow('argument "seqnos[1]" cannot be "x"');
  expect(() => arg.decode("x", "seqnos")).toThrow('argument "seqnos" cannot be "x"');
});

it("has the allowed values as its type", () => {
  expectTypeOf(oneOfArg(["asc", "desc"])).toEqualTypeOf<Arg<"asc" | "desc">>();
});
