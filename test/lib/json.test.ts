import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asText, formatJson, type JsonInput, type JsonValue, parseJson } from "../../src/lib/json.ts";
import { parseJsonText } from "../../src/lib/jsonReader.client.ts";
import { runAtOnce } from "../../src/lib/sharing/steps.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

/** As clients parse JSON. */
function parseInClient(text: string, maxDepth = 128): unknown {
  return runAtOnce(parseJsonText(text, { maxDepth }));
}

/** Adds a large number, so that our own parser is used for the text. */
const byHand = (text: string) => `[9007199254740993,${text}]`;

describe("parsing JSON", () => {
  it("gives the same result as the platform, in both implementations", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(2), (text, indent) => {
        const expected: unknown = JSON.parse(text);
        const spaced = JSON.stringify(expected, null, indent);
        expect(asNumbers(parseJson(text))).toEqual(expected);
        expect(asNumbers(parseJson(byHand(spaced)))).toEqual(JSON.parse(byHand(text)));
      }),
    );
  });

  it("keeps every digit of an integer above 2^53 - 1, and gives a plain number up to it", () => {
    expect(parseJson("[9007199254740991,-9007199254740991,9007199254740992,-9007199254740992]")).toEqual([
      9007199254740991,
      -9007199254740991,
      9007199254740992n,
      -9007199254740992n,
    ]);
    fc.assert(
      fc.property(fc.bigInt(), (value) => {
        const isSafe = Number.isSafeInteger(Number(value));
        expect(parseJson(`${value}`)).toBe(isSafe ? Number(value) : value);
      }),
    );
  });

  it("leaves numbers with fraction or exponent to the platform", () => {
    expect(parseJson("[1.5,1e30,1152921504606846976.0,-0,1E-7]")).toEqual([1.5, 1e30, 2 ** 60, -0, 1e-7]);
  });

  it("treats __proto__ as any other name, and lets the last of equal names win", () => {
    for (const text of [
      '{"__proto__":{"a":1},"__proto__":{"b":2}}',
      '{"__proto__":12345678901234567890,"__proto__":{"b":2}}',
    ]) {
      const parsed = parseJson(text);
      expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
      expect(Object.getOwnPropertyDescriptor(parsed, "__proto__")?.value).toEqual({ b: 2 });
    }
  });

  it.each([
    "",
    " ",
    "[",
    "]",
    "{",
    "[1,]",
    "[1 2]",
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    "{a:1}",
    "{'a':1}",
    "01",
    "-",
    "1.",
    ".5",
    "1e",
    "+1",
    "0x10",
    "NaN",
    "Infinity",
    "tru",
    "nul",
    "undefined",
    '"',
    '"\\',
    '"\\"',
    '"\\x"',
    '"\\u12"',
    '"\n"',
    '"\t"',
    "1 2",
    "[1]]",
    "\u00a01",
    "\ufeff1",
    "// 1",
    "12345678901234567890n",
    "{,}",
    "[,]",
  ])("rejects %j", (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(refusalCode(() => parseJson(text))).toBe("lib/json");
    expect(refusalCode(() => parseJson(byHand(text)))).toBe("lib/json");
    expect(refusalCode(() => parseInClient(byHand(text)))).toBe("lib/json");
  });

  it("accepts and rejects exactly the same mutated texts as the platform", () => {
    const mutated = fc.tuple(fc.json(), fc.nat(), fc.constantFrom(...'{}[]",:\\ue01-.\n ')).map(([text, at, mark]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + mark + text.slice(place + 1);
    });
    fc.assert(
      fc.property(mutated, (text) => {
        const ours = outcome(() => asNumbers(parseJson(byHand(text))));
        expect(ours).toEqual(outcome(() => JSON.parse(byHand(text))));
      }),
      { numRuns: 2000 },
    );
  });

  it("reports the position of an error", () => {
    expect(() => parseJson('{\n  "a": 1,\n  "b": oops\n}')).toThrow(
      'bad JSON at line 3, column 8: "o" stands where a value should be',
    );
    expect(() => parseJson("[1")).toThrow("bad JSON at line 1, column 3: the text ends where `,` or `]` should be");
  });

  it("rejects too deep values, by the depth alone", () => {
    const nest = (depth: number, inner: string) => "[".repeat(depth) + inner + "]".repeat(depth);
    expect(parseJson(nest(3, "1"), { maxDepth: 3 })).toEqual([[[1]]]);
    expect(refusalCode(() => parseJson(nest(4, "1"), { maxDepth: 3 }))).toBe("lib/json-depth");
    expect(parseJson('[[1],[2],["[[[[{{{{"],{}]', { maxDepth: 2 })).toEqual([[1], [2], ["[[[[{{{{"], {}]);
    expect(refusalCode(() => parseJson("[".repeat(1_000_000)))).toBe("lib/json-depth");
    expect(refusalCode(() => parseJson('{"a":'.repeat(1_000_000)))).toBe("lib/json-depth");
  });

  it("rejects too long texts and too long numbers", () => {
    expect(refusalCode(() => parseJson("[1,2,3]", { maxLength: 6 }))).toBe("lib/json-size");
    expect(refusalCode(() => parseJson("9".repeat(1001)))).toBe("lib/json-size");
    expect(parseJson("9".repeat(1000))).toBe(10n ** 1000n - 1n);
  });
});

describe("parsing JSON in a client", () => {
  it("gives the same values and refusals", () => {
    const strings = fc.stringMatching(/^(?:\\u[eE]000|\ue000|[ns]?[0-9]{17}|[":{[\\]|e)*$/);
    const number = fc.tuple(fc.bigInt(), fc.constantFrom("", "", ".0", "e1")).map(([value, end]) => `${value}${end}`);
    const text = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        number,
        strings.map((each) => JSON.stringify(each)),
        strings.map((each) => `"${each}"`),
        fc.array(tie("value"), { maxLength: 3 }).map((items) => `[${items.join(" , ")}]`),
        fc
          .array(
            fc.tuple(
              fc.oneof(
                strings.map((each) => `"${each}"`),
                number,
              ),
              tie("value"),
            ),
            { maxLength: 3 },
          )
          .map((items) => `{${items.map(([name, value]) => `${name} :${value}`).join(",")}}`),
      ),
    })).value;
    const outcomeOf = (parse: () => unknown) => {
      try {
        return { value: parse() };
      } catch (error) {
        return { code: Object(error).code };
      }
    };
    fc.assert(
      fc.property(text, (each) => {
        expect(outcomeOf(() => parseInClient(each))).toEqual(outcomeOf(() => parseJson(each)));
      }),
      { numRuns: 2000 },
    );
  });

  it("keeps a string that looks like one of its own, and refuses a large number as a name", () => {
    const looksAlike = ["\ue000n1", { "\ue000n2": "\ue000s3" }, 12345678901234567890n];
    expect(parseInClient(formatJson(looksAlike))).toEqual(looksAlike);
    expect(parseInClient('["\\uE000n1","\\ue000",9007199254740993]')).toEqual([
      "\ue000n1",
      "\ue000",
      9007199254740993n,
    ]);
    expect(refusalCode(() => parseInClient("{12345678901234567890:1}"))).toBe("lib/json");
  });

  it("rejects too deep values, by the depth alone, and too long numbers", () => {
    expect(parseInClient('[[1],[2],["[[[[{{{{"],{}]', 2)).toEqual([[1], [2], ["[[[[{{{{"], {}]);
    expect(refusalCode(() => parseInClient("[[[1]]]", 2))).toBe("lib/json-depth");
    for (const open of ["[", '{"a":'])
      expect(refusalCode(() => parseInClient(open.repeat(1e6)))).toBe("lib/json-depth");
    expect(refusalCode(() => parseInClient("9".repeat(1001)))).toBe("lib/json-size");
    expect(parseInClient("9".repeat(1000))).toBe(10n ** 1000n - 1n);
  });
});

describe("formatting JSON", () => {
  it("writes an object with a method toJSON as what it gives, like the platform", () => {
    const value = { list: Object.assign(Object.create({ toJSON: () => [1n, "a"] }), { hidden: 1 }) };
    expect(formatJson(value)).toBe('{"list":[1,"a"]}');
  });

  it("writes the same as the platform", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(formatJson(value as JsonInput)).toBe(JSON.stringify(value));
      }),
    );
  });

  it("writes a bigint as a bare number that is read back exactly", () => {
    const value = { a: 12345678901234567890n, b: [-(2n ** 256n)], c: 1 };
    expect(formatJson({ ...value, left: undefined })).toBe(`{"a":12345678901234567890,"b":[${-(2n ** 256n)}],"c":1}`);
    expect(parseJson(formatJson(value))).toEqual(value);
  });

  it("rejects values that JSON cannot represent, and cycles", () => {
    const circle: JsonInput[] = [];
    circle.push(circle);
    expect(refusalCode(() => formatJson(circle))).toBe("lib/json-depth");
    expect(refusalCode(() => formatJson([Number.NaN]))).toBe("lib/json");
    expect(refusalCode(() => formatJson(Number.POSITIVE_INFINITY))).toBe("lib/json");
  });
});

/** The same value with the precision that the platform's parser has. */
function asNumbers(value: JsonValue): unknown {
  if (typeof value !== "object" || value === null) return typeof value === "bigint" ? Number(value) : value;
  return Array.isArray(value)
    ? value.map(asNumbers)
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asNumbers(item)]));
}

function outcome(work: () => unknown): unknown {
  try {
    return work();
  } catch {
    return "refused";
  }
}

describe("a duplicate key in one object", () => {
  const refused = { repeatedKeys: "refused" } as const;
  const texts = [
    '{"a":1,"a":2}',
    '[{"b":{"a":1,"a":1}}]',
    '{"a":1,"\\u0061":2}',
    '{"":1,"":2}',
    '{"a":1 , "b":2,"a" : 3}',
  ];

  it.each(texts)("is rejected on request: %s", (text) => {
    expect(refusalCode(() => parseJson(text, refused))).toBe("lib/json");
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it("is not reported without one", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const once = JSON.stringify(JSON.parse(text));
        expect(asNumbers(parseJson(once, refused))).toEqual(JSON.parse(once));
      }),
    );
    expect(parseJson('{"a":"\\"a\\":1","b":{"a":1}}', refused)).toEqual({ a: '"a":1', b: { a: 1 } });
  });
});

it("our own parser reaches its depth limit at any call depth", () => {
  const deep = `${"[".repeat(20_000)}9007199254740993${"]".repeat(20_000)}`;
  expect(Array.isArray(parseJson(deep, { maxDepth: 20_000 }))).toBe(true);
  expect(refusalCode(() => parseJson(deep, { maxDepth: 19_999 }))).toBe("lib/json-depth");
});

describe("the text of a value", () => {
  it("is that of the platform, unless the value decides about it", () => {
    const scalars = fc.oneof(fc.string(), fc.double(), fc.bigInt(), fc.boolean(), fc.constantFrom(null, {}, []));
    fc.assert(
      fc.property(fc.oneof(scalars, fc.array(fc.oneof(scalars, fc.array(scalars)))), (value) => {
        expect(asText(value)).toBe(String(value));
      }),
    );
    for (const value of [{ toString: 1 }, { toString: null, valueOf: 0 }, [{ toString: 1 }], [[{ toString: [] }]]])
      expect(asText(value)).toBe("[object Object]");
  });
});
