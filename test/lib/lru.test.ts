import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Lru } from "../../src/lib/lru.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

const maxBytes = 20;

/** The rule in its simplest form: a list in the order of use whose front is dropped. */
class Model {
  entries: [key: number, bytes: number][] = [];

  find(key: number): number | undefined {
    const entry = this.entries.find(([each]) => each === key);
    if (entry !== undefined) this.entries = [...this.entries.filter((each) => each !== entry), entry];
    return entry?.[1];
  }

  set(key: number, bytes: number): void {
    this.delete(key);
    if (bytes <= maxBytes) this.entries.push([key, bytes]);
    while (this.bytes() > maxBytes) this.entries.shift();
  }

  delete(key: number): boolean {
    const before = this.entries.length;
    this.entries = this.entries.filter(([each]) => each !== key);
    return this.entries.length < before;
  }

  bytes(): number {
    return this.entries.reduce((sum, [, bytes]) => sum + bytes, 0);
  }
}

const key = fc.nat(7);
const step = fc.oneof(
  fc.record({ kind: fc.constant("set" as const), key, bytes: fc.nat(maxBytes + 3) }),
  fc.record({ kind: fc.constant("find" as const), key }),
  fc.record({ kind: fc.constant("delete" as const), key }),
);

const open = () => new Lru<number, number>({ maxBytes, sizeOf: (bytes) => bytes });

describe("a bounded cache", () => {
  it("behaves like its model in any sequence of steps", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const cache = open();
        const model = new Model();
        for (const each of steps) {
          if (each.kind === "set") {
            cache.set(each.key, each.bytes);
            model.set(each.key, each.bytes);
          } else {
            expect(cache[each.kind](each.key)).toBe(model[each.kind](each.key));
          }
          expect(cache.counters()).toMatchObject({ bytes: model.bytes(), entries: model.entries.length });
        }
      }),
    );
  });

  it("counts hits, misses and evictions, and keeps counting after it is cleared", () => {
    const cache = open();
    cache.set(1, 15);
    cache.set(2, 10);
    cache.find(1);
    cache.find(2);
    expect(cache.counters()).toEqual({ hits: 1, misses: 1, evictions: 1, entries: 1, bytes: 10 });
    cache.clear();
    expect(cache.find(2)).toBeUndefined();
    expect(cache.counters()).toEqual({ hits: 1, misses: 2, evictions: 1, entries: 0, bytes: 0 });
  });

  it("drops the old value if the new one is too large", () => {
    const cache = open();
    cache.set(1, 5);
    cache.set(2, 5);
    cache.set(1, maxBytes + 1);
    expect([cache.find(1), cache.find(2)]).toEqual([undefined, 5]);
  });

  it.each([-1, Number.NaN])("rejects an entry of size %d", (bytes) => {
    expect(refusalCode(() => open().set(1, bytes))).toBe("lib/range");
  });
});
