import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { makeDictionaryInSteps } from "../../src/cell/buildInSteps.ts";
import { uint32 } from "../../src/cell/codec.ts";
import { makeDictionary } from "../../src/cell/dictionary.ts";
import { bigUintKey, hexKey } from "../../src/cell/keys.ts";
import { listSteps } from "../kit/cell/listSteps.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

const bits = 256;
const key = bigUintKey(bits);

const digestOf = (i: number) => BigInt(`0x${createHash("sha256").update(String(i)).digest("hex")}`);
const kinds: readonly (readonly [string, (i: number) => bigint])[] = [
  ["hashes", digestOf],
  ["numbers", (i) => BigInt(i)],
  ["numbers from the other end, behind the same bits", (i) => (1n << 255n) - BigInt(i)],
  ["single bits and hashes behind them", (i) => (1n << BigInt(i % bits)) | (digestOf(i) >> 128n)],
];

describe("a dictionary made in steps", () => {
  it.each(kinds)("is the same as one made in one piece: %s", (_, keyOf) => {
    for (const count of [0, 1, 200, 201, 3_000]) {
      const entries = new Map(Array.from({ length: count }, (__, i) => [keyOf(i), i]));
      const { value } = listSteps(makeDictionaryInSteps(key, uint32, entries));
      expect(value.root?.hash()).toBe(makeDictionary(key, uint32, entries).root?.hash());
    }
  });

  it.each(kinds)("pauses after 128 entries or fewer, and its hashes are computed: %s", (_, keyOf) => {
    const entries = new Map(Array.from({ length: 3_000 }, (__, i) => [keyOf(i), i]));
    const { value, pauses } = listSteps(makeDictionaryInSteps(key, uint32, entries));
    expect(pauses).toBeGreaterThanOrEqual(entries.size / 128);
    expect(value.root?.waitsForHash).toBe(false);
  });

  it("refuses a key that is there twice", () => {
    const hex = (i: number) => i.toString(16).padStart(4, "0");
    const entries = new Map(Array.from({ length: 300 }, (_, i) => [hex(i), i]));
    const many = new Map(Array.from({ length: 300 }, (_, i) => [BigInt(i) << 64n, i]));
    expect(refusalCode(() => listSteps(makeDictionaryInSteps(hexKey(16), uint32, entries.set("00AB", 1))))).toBe(
      "cell/dictionary-key",
    );
    const cut = { ...key, encode: () => key.encode(7n) };
    expect(refusalCode(() => listSteps(makeDictionaryInSteps(cut, uint32, many)))).toBe("cell/dictionary-key");
  });
});
