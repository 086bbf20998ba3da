import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerKey } from "../../../src/api/http/answerKey.ts";
import { beginCell } from "../../../src/cell/Builder.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.string(),
    fc.integer(),
    fc.bigInt(),
    fc.boolean(),
    fc.constant(undefined),
    fc.uint8Array({ maxLength: 4 }),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.record({ a: tie("value"), b: tie("value") }),
  ),
})).value;

describe("the key of a request", () => {
  it("is the same for the same arguments and different for different ones", () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        const [one, other] = [answerKey("x", { a }), answerKey("x", { a: b })];
        expect(answerKey("x", { a })).toBe(one);
        expect(one === other).toBe(sameValue(a, b));
      }),
    );
    expect(answerKey("x", { a: "1|2'3" })).not.toBe(answerKey("x", { a: "1", b: "3" }));
  });

  it("identifies cells by their hashes", () => {
    const cell = (bits: number) => beginCell().storeUint(bits, 8).cell();
    expect(answerKey("x", { a: cell(1) })).toBe(answerKey("x", { a: cell(1) }));
    expect(answerKey("x", { a: cell(1) })).not.toBe(answerKey("x", { a: cell(2) }));
  });

  it("exists for lists as long and deep as the machine allows", () => {
    let nested: unknown = null;
    for (let count = 0; count < 8000; count++) nested = { kind: "tuple", items: [{ kind: "int", value: 1n }, nested] };
    const flat = Array.from({ length: 8000 }, (_, at) => at);
    expect(answerKey("x", { a: nested })).not.toBe(answerKey("x", { a: flat }));
    expect(answerKey("x", { a: flat })).toBe(answerKey("x", { a: [...flat] }));
  });

  it("is refused, as an internal error, for values that cannot be distinguished", () => {
    expect(refusalCode(() => answerKey("x", { a: new Map() }))).toBe("lib/shape");
    expect(refusalCode(() => answerKey("x", { a: () => 1 }))).toBe("lib/shape");
  });
});

/** Integers are equal whatever type holds them; everything else is compared by the test library. */
function sameValue(a: unknown, b: unknown): boolean {
  const plain = (value: unknown): string =>
    JSON.stringify(value, (_key, each: unknown) => {
      if (typeof each === "bigint" || typeof each === "number") return { number: String(each) };
      if (each instanceof Uint8Array) return { bytes: [...each].map(String) };
      return each === undefined ? { nothing: true } : each;
    }) ?? "";
  return plain(a) === plain(b);
}
