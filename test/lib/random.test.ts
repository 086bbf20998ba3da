import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toHex } from "../../src/lib/bytes.ts";
import { type Random, seededRandom, systemRandom } from "../../src/lib/random.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

const sample = (random: Random) => [toHex(random.bytes(5)), random.next(), random.int(1000), toHex(random.bytes(40))];

describe("seeded randomness", () => {
  it("is the same for the same seed and different for another", () => {
    expect(sample(seededRandom("a"))).toEqual(sample(seededRandom("a")));
    expect(sample(seededRandom("a"))).not.toEqual(sample(seededRandom("b")));
    expect(sample(seededRandom(7))).toEqual(sample(seededRandom("7")));
  });

  it("stays the same between releases", () => {
    expect(sample(seededRandom("tongate"))).toMatchInlineSnapshot(`
      [
        "d8a856e577",
        0.601451021015094,
        290,
        "b51e53957b75f530264c7540815f11d9cd94660a7d445885b3d916169242178d9d6af1c9552563a0",
      ]
    `);
  });
});

describe.each([
  ["system", () => systemRandom],
  ["seeded", () => seededRandom("range")],
] as const)("%s randomness", (_name, make) => {
  it("returns the requested number of bytes, in their own memory", () => {
    const random = make();
    fc.assert(
      fc.property(fc.nat(200), (length) => {
        const bytes = random.bytes(length);
        expect([bytes.length, bytes.buffer.byteLength]).toEqual([length, length]);
      }),
    );
  });

  it("stays inside its range and reaches all of it", () => {
    const random = make();
    const seen = new Set(Array.from({ length: 500 }, () => random.int(5)));
    expect([...seen].sort()).toEqual([0, 1, 2, 3, 4]);
    const fractions = Array.from({ length: 500 }, () => random.next());
    expect(Math.min(...fractions)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...fractions)).toBeLessThan(1);
    expect(random.int(2 ** 48 - 1)).toBeLessThan(2 ** 48 - 1);
    expect(random.int(1)).toBe(0);
  });

  it.each([0, -1, 1.5, 2 ** 48, Number.NaN])("rejects %d as the limit of an integer", (max) => {
    expect(refusalCode(() => make().int(max))).toBe("lib/range");
  });
});
