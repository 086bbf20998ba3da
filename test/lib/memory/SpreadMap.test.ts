import { describe, expect, it } from "vitest";
import { SpreadMap } from "../../../src/lib/memory/SpreadMap.ts";
import { seededRandom } from "../../../src/lib/random.ts";

describe("a map that is spread over tables", () => {
  it("has what a map has, after any changes", () => {
    const random = seededRandom("spread");
    const [spread, plain] = [new SpreadMap<string, number>(), new Map<string, number>()];
    for (let step = 0; step < 20_000; step++) {
      const key = random.int(3_000).toString(16).padStart(4, "0");
      if (random.int(3) === 0) {
        spread.delete(key);
        plain.delete(key);
      } else {
        spread.set(key, step);
        plain.set(key, step);
      }
      expect(spread.get(key)).toBe(plain.get(key));
    }
    expect(plain.size).toBeGreaterThan(1_000);
    expect(spread.size).toBe(plain.size);
    expect([...spread].sort()).toEqual([...plain].sort());
    expect([...new SpreadMap(plain)].sort()).toEqual([...plain].sort());
  });
});
