import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "../../../src/lib/json.ts";
import { deferJson, formatDeferred, type JsonSink, readDeferred } from "../../../src/lib/kit/deferredJson.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

/** What encoders return: JSON, large numbers, absent fields, and deferred parts anywhere. */
const encoded = fc.letrec((tie) => ({
  scalar: fc.oneof(
    fc.constant(null),
    fc.constant(undefined),
    fc.boolean(),
    fc.string(),
    fc.double(),
    fc.integer(),
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
    fc.constantFrom(2n ** 53n - 1n, 2n ** 53n, -(2n ** 53n), 0n, "1234567890123456", "\ud800"),
  ),
  fields: fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("__proto__", "10", "9")), tie("value")),
  deferred: tie("value").map((value) =>
    deferJson<unknown>(function* (sink: JsonSink) {
      sink.add(formatDeferred(value));
      yield;
    }),
  ),
  value: fc.oneof({ maxDepth: 4 }, tie("scalar"), fc.array(tie("value")), tie("fields"), tie("deferred")),
})).value;

describe("a value with deferred parts", () => {
  it("is read as its text is", () => {
    fc.assert(
      fc.property(encoded, (value) => {
        expect(readDeferred(value)).toStrictEqual(parseJson(formatDeferred(value)));
      }),
    );
  });

  it("is refused as its text is when it is too long, however often it holds the same string", () => {
    const long = "x".repeat(1 << 20);
    const many = Array.from({ length: 65 }, () => ({ long }));
    expect(refusalCode(() => formatDeferred(many))).toBe("lib/json-size");
    expect(refusalCode(() => readDeferred(many))).toBe("lib/json-size");
    expect(readDeferred(many.slice(2))).toEqual(many.slice(2));
  });
});
