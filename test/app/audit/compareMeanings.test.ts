import { describe, expect, it } from "vitest";
import { compareMeanings } from "../../../src/app/audit/compareMeanings.ts";
import type { JsonValue } from "../../../src/lib/json.ts";

const raw = "-1:3333333333333333333333333333333333333333333333333333333333333333";
const friendly = "Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF";
const hex = "aa".repeat(32);
const base64 = Buffer.from(hex, "hex").toString("base64");
/** The same empty cell, with and without an index. */
const bags = ["te6ccgEBAQEAAgAAAA==", "te6ccoEBAQEAAgACAAA="] as const;

const same: readonly (readonly [JsonValue, JsonValue])[] = [
  [12, "12"],
  ["0xff", "255"],
  ["-0x1", -1],
  [10n ** 20n, "100000000000000000000"],
  [raw, friendly],
  [hex, base64],
  [hex.toUpperCase(), base64],
  bags,
  ["", null],
  [[], ""],
];

const other: readonly (readonly [JsonValue, JsonValue])[] = [
  [12, "13"],
  [0, ""],
  [true, "true"],
  [true, 1],
  ["a", "A"],
  [raw, "0:3333333333333333333333333333333333333333333333333333333333333333"],
  [hex, "ab".repeat(32)],
  [[1], [1, 2]],
  [
    [1, 2],
    [2, 1],
  ],
  [{ a: 1 }, [1]],
  [bags[0], "te6ccgEBAQEAAwAAAgA="],
];

describe("two answers", () => {
  it.each(same)("agree: %s and %s", (a, b) => {
    expect(compareMeanings(a, b).disagreements).toEqual([]);
    expect(compareMeanings({ x: [a] }, { x: [b] })).toEqual({ disagreements: [], agreed: 1, unmatched: [] });
  });

  it.each(other)("disagree: %s and %s", (a, b) => {
    const { disagreements } = compareMeanings({ x: a }, { x: b });
    expect(disagreements.length).toBeGreaterThan(0);
    expect(compareMeanings({ x: b }, { x: a }).disagreements).toHaveLength(disagreements.length);
  });

  it("name where they disagree, and which fields only one of them has", () => {
    const ours = { "@type": "a", "@extra": "1", list: [{ a: 1, b: 2 }], only: 3 };
    const theirs = { "@type": "b", "@extra": "2", list: [{ a: 1, b: 4 }], more: 3 };
    expect(compareMeanings(ours, theirs)).toEqual({
      disagreements: [{ path: "list.0.b", proved: 2, answered: 4 }],
      agreed: 1,
      unmatched: ["only", "more"],
    });
  });
});
