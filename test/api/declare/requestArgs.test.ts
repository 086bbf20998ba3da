import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ArgReader, findProperties, firstOf, parseBody, parseQuery } from "../../../src/api/declare/requestArgs.ts";
import { boolArg, intArg, listArg } from "../../../src/api/v2/args.ts";
import { optional } from "../../../src/lib/kit/arg.ts";
import { runAtOnce } from "../../../src/lib/sharing/steps.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

describe("a query", () => {
  it("decodes form encoding, with lists for repeated names", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }))), (pairs) => {
        const query = parseQuery(new URLSearchParams(pairs).toString());
        for (const [name] of pairs) {
          const values = pairs.filter(([other]) => other === name).map(([, value]) => value);
          expect(query[name]).toEqual(values.length === 1 ? values[0] : values);
          expect(firstOf(query, name)).toBe(values[0]);
        }
      }),
    );
  });

  it("decodes a plus as a space and a name without value as empty, and skips empty parts", () => {
    expect({ ...parseQuery("a=1+2&&b&c=%2B=&__proto__=x") }).toEqual(
      Object.fromEntries([
        ["a", "1 2"],
        ["b", ""],
        ["c", "+="],
        ["__proto__", "x"],
      ]),
    );
    expect({ ...parseQuery("") }).toEqual({});
  });

  it("may repeat one name up to the longest URL", () => {
    const values = Array.from({ length: 65_536 }, () => "");
    expect(parseQuery("a&".repeat(65_536))).toEqual(Object.assign(Object.create(null), { a: values }));
    // Enough time for linear work, not for quadratic.
  });

  it.each(["a=%", "a=%zz", "%e0%80=1", "a=%C3"])("refuses bad percent-encoding: %s", (text) => {
    expect(refusalCode(() => parseQuery(text))).toBe("api/url");
  });

  it("never reveals the value of a parameter, which may be a key", () => {
    expect(() => parseQuery("a=1&api_key=0123456789%zz")).toThrow(/^bad percent-encoding: api_key$/);
  });
});

/** Reads a body without pauses. */
const parse = (text: string) => runAtOnce(parseBody(text));

describe("a body", () => {
  it("of nothing or null is an object without properties", () => {
    expect(parse("")).toEqual({});
    expect(parse("null")).toEqual({});
  });

  it("keeps every digit of large numbers", () => {
    expect(parse('{"shard":-9223372036854775808}')).toEqual({ shard: -9223372036854775808n });
  });

  it.each(["{", "{bad json", '{"a":1,"a":2}', '{"a":{"b":1,"b":1}}', '{"a":1,"\\u0061":2}'])(
    "is refused: %s",
    (text) => {
      expect(refusalCode(() => parse(text))).toBe("api/body");
    },
  );

  it("may repeat a key in another object, and be 2048 deep", () => {
    expect(parse('{"a":{"b":1},"c":{"b":"a\\":"}}')).toEqual({ a: { b: 1 }, c: { b: 'a":' } });
    expect(refusalCode(() => parse(`${"[".repeat(2049)}${"]".repeat(2049)}`))).toBe("api/body");
    expect(Array.isArray(parse(`${"[".repeat(2048)}${"]".repeat(2048)}`))).toBe(true);
    const deepAndRepeated = `${'{"a":'.repeat(2048)}9007199254740993${"}".repeat(2048)}`;
    expect(Object.keys(Object(parse(deepAndRepeated)))).toEqual(["a"]);
  });

  it("has properties only when it is an object", () => {
    expect([{ a: 1 }, [1], "x", 1, true].map(findProperties)).toEqual([{ a: 1 }, ...Array(4).fill(undefined)]);
  });

  it("of a megabyte of escaped quotes is scanned once", () => {
    expect(parse(`"${'\\"'.repeat(500_000)}"`)).toHaveLength(500_000);
    expect(refusalCode(() => parse(`"${'\\"'.repeat(500_000)}`))).toBe("api/body");
  });
});

describe("a body of a megabyte", () => {
  const rows = Array.from({ length: 15_000 }, (_, at) => ({ id: at, name: `row ${at}`, parts: [at, null, true] }));
  const names = Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`name${at}`, at]));
  const escaped = Array.from({ length: 50_000 }, (_, at) => `\\ "${at}"`);
  it.each<readonly [string, unknown]>([
    ["many objects", rows],
    ["many names", names],
    ["many numbers", Array.from({ length: 120_000 }, (_, at) => at)],
    ["many strings with escapes", escaped],
    ["many lists in a deep one", Array.from({ length: 2_000 }).reduce((inner) => [[1], inner], rows)],
  ])("with %s is read in many steps", (_, value) => {
    const text = JSON.stringify(value);
    const steps = parseBody(text);
    let [count, step] = [1, steps.next()];
    for (; step.done !== true; step = steps.next()) count += 1;
    expect(step.value).toEqual(value);
    expect(count).toBeGreaterThan(text.length / 10_000);
  });

  it("with one long string is read at once, by the platform", () => {
    const text = JSON.stringify({ boc: "a".repeat(1_000_000) });
    expect(parseBody(text).next()).toEqual({ done: true, value: { boc: "a".repeat(1_000_000) } });
  });
});

describe("arguments", () => {
  const reader = new ArgReader({
    count: optional(intArg()),
    flag: optional(boolArg),
    ids: optional(listArg(intArg())),
  });

  it("from a query: uses the first of repeated scalars, ignores unknown names and empty flags", () => {
    expect(reader.fromQuery(parseQuery("count=1&count=2&flag=&ids=3&ids=4&api_key=x"))).toEqual({
      count: 1,
      flag: undefined,
      ids: [3, 4],
    });
    expect(reader.fromQuery(parseQuery("ids=3"))).toEqual({ count: undefined, flag: undefined, ids: [3] });
  });

  it("from an object: null is absent, unknown names are rejected, inherited names are ignored", () => {
    expect(reader.fromObject({ count: null, flag: 1, ids: [1, "2"] })).toEqual({
      count: undefined,
      flag: true,
      ids: [1, 2],
    });
    expect(() => reader.fromObject({ foo: 1 })).toThrow("Unknown property 'foo'");
    expect(() => reader.fromObject({ toString: 1 })).toThrow("Unknown property 'toString'");
    expect(() => reader.fromObject({ flag: "" })).toThrow("failed to parse flag");
  });
});
