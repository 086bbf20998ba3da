import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RecyclingMap } from "../../../src/lib/memory/RecyclingMap.ts";

const key = fc.nat(9);
const step = fc.oneof(
  fc.record({ kind: fc.constant("set" as const), key, value: fc.nat(99) }),
  fc.record({ kind: fc.constant("delete" as const), key }),
  fc.record({ kind: fc.constant("clear" as const) }),
);

describe("a map for short-lived entries", () => {
  it("behaves like the platform's map, however many entries were deleted", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400, size: "max" }), (steps) => {
        const [passing, model] = [new RecyclingMap<number, number>(), new Map<number, number>()];
        for (const each of steps) {
          if (each.kind === "clear") {
            passing.clear();
            model.clear();
          } else if (each.kind === "set") {
            passing.set(each.key, each.value);
            model.set(each.key, each.value);
          } else {
            expect(passing.delete(each.key)).toBe(model.delete(each.key));
          }
          expect([passing.size, passing.get(3), passing.first()]).toEqual([
            model.size,
            model.get(3),
            [...model.values()][0],
          ]);
        }
        expect(passing.list()).toEqual([...model.values()]);
      }),
    );
  });

  it("keeps remaining entries in order while thousands come and go", () => {
    const passing = new RecyclingMap<number, string>();
    passing.set(-1, "first");
    passing.set(-2, "second");
    for (let at = 0; at < 5_000; at++) {
      passing.set(at, "passes");
      passing.delete(at);
    }
    expect(passing.list()).toEqual(["first", "second"]);
  });
});
