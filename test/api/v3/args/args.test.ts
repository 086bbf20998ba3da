import { describe, expect, it } from "vitest";
import { parseQuery } from "../../../../src/api/declare/requestArgs.ts";
import * as args from "../../../../src/api/v3/args/args.ts";
import { answerError } from "../../../../src/api/v3/errors.ts";
import { V3Reader } from "../../../../src/api/v3/V3Reader.ts";
import type { Args } from "../../../../src/lib/kit/arg.ts";

const hash = "08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3";
const base64 = "CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=";
const raw = "0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8";
const friendly = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";

function read(declared: Args, query: string, headers: Readonly<Record<string, string>> = {}): unknown {
  try {
    return new V3Reader(declared).fromQuery(parseQuery(query), headers);
  } catch (error) {
    return answerError(error).text;
  }
}

const bad = (name: string) => `schema: error converting value for "${name}"`;

describe("a value", () => {
  it.each([
    [args.int32Arg, "-2147483648", -2147483648],
    [args.int32Arg, "%2B7", 7],
    [args.int32Arg, "2147483648", bad("a")],
    [args.int32Arg, "1.0", bad("a")],
    [args.int32Arg, "0x10", bad("a")],
    [args.int32Arg, "", undefined],
    [args.ltArg, "18446744073709551615", 2n ** 64n - 1n],
    [args.ltArg, "18446744073709551616", bad("a")],
    [args.ltArg, "-0", bad("a")],
    [args.utimeArg, "1700000000", 1700000000],
    [args.utimeArg, "1700000000.999", 1700000000],
    [args.utimeArg, "5.", 5],
    [args.utimeArg, "-5", bad("a")],
    [args.utimeArg, "now", bad("a")],
    [args.hashArg, hash.toUpperCase(), hash],
    [args.hashArg, `0x${hash}`, hash],
    [args.hashArg, encodeURIComponent(base64), hash],
    [args.hashArg, base64.replace("+", "-").replace("/", "_"), hash],
    [args.hashArg, base64, bad("a")],
    [args.hashArg, base64.replace("+", "-").replace("/", "_").replace("=", ""), bad("a")],
    [args.hashArg, hash.slice(1), bad("a")],
    [args.addressArg, raw.toUpperCase(), raw],
    [args.addressArg, friendly, raw],
    [args.addressArg, "null", bad("a")],
    [args.nullableAddressArg, "null", null],
    [args.nullableAddressArg, friendly, raw],
    [args.nullableAddressArg, "NULL", bad("a")],
    [args.shardArg, "8000000000000000", 1n << 63n],
    [args.shardArg, "0xA000000000000000", 0xa000000000000000n],
    [args.shardArg, "-9223372036854775808", 1n << 63n],
    [args.shardArg, "10", 16n],
    [args.shardArg, "10000000000000000", 10000000000000000n],
    [args.shardArg, "-9223372036854775809", bad("a")],
    [args.opcodeArg, "178", 0x178],
    [args.opcodeArg, "0Xffffffff", -1],
    [args.opcodeArg, "-1", -1],
    [args.opcodeArg, "4294967295", bad("a")],
    [args.seqnoOrZeroArg, "12", 12],
    [args.seqnoOrZeroArg, "a", 0],
    [args.seqnoOrZeroArg, "", 0],
    [args.sortArg, "D", "desc"],
    [args.sortArg, "Asc", "asc"],
    [args.sortArg, "", "desc"],
    [args.sortArg, "up", "wrong value for sort parameter"],
    [args.maybeSortArg, "", undefined],
    [args.directionArg, "in", "in"],
    [args.directionArg, "both", "direction should be one of: in, out"],
    [args.textArg, "a,b", "a,b"],
  ])("%# is read as in the contract: %o", (arg, text, expected) => {
    const found = read({ a: arg }, `a=${text}`);
    expect(typeof found === "string" ? found : Object(found).a).toEqual(expected);
  });

  it.each(["1", "t", "T", "true", "True", "TRUE", "on"])("%s is true", (word) => {
    expect(read({ a: args.boolArg }, `a=${word}`)).toEqual({ a: true });
  });

  it.each(["0", "f", "F", "false", "False", "FALSE"])("%s is false", (word) => {
    expect(read({ a: args.boolArg }, `a=${word}`)).toEqual({ a: false });
  });

  it.each(["yes", "no", "off", "tRUE", "2"])("%s is neither", (word) => {
    expect(read({ a: args.boolArg }, `a=${word}`)).toBe(bad("a"));
  });
});

describe("a list", () => {
  it.each([
    [args.addressesArg, `a=${raw}&a[]=${friendly}&A=`, [raw, raw]],
    [args.addressesArg, `a=${raw},,${friendly},`, [raw, raw]],
    [args.hashesArg, `a=${hash},${hash}&a=${hash}`, [hash, hash, hash]],
    [args.textsArg, "a=x,y&a=z&a=", ["x,y", "z"]],
    [args.textsArg, "", []],
  ])("%# has each value", (arg, query, expected) => {
    expect(read({ a: arg }, query)).toEqual({ a: expected });
  });

  it("names the index of the first invalid value", () => {
    const text = 'schema: error converting value for index 2 of "a"';
    expect(read({ a: args.hashesArg }, `a=${hash}&a=&a=x&a=y`)).toBe(text);
    expect(read({ a: args.hashesArg }, `a=${hash}&a=${hash}&a=${hash},x`)).toBe(text);
  });
});

describe("a request", () => {
  it("is read with names in any case; the last of repeated values counts", () => {
    const declared = { start_lt: args.ltArg, sort: args.sortArg };
    expect(read(declared, "START_LT=1&unknown=2&Start_Lt=3&Sort=a")).toEqual({ start_lt: 3n, sort: "asc" });
  });

  it("reports all unreadable values together, before any other error", () => {
    const declared = { a: args.ltArg, sort: args.sortArg, b: args.boolArg, c: args.hashesArg };
    expect(read(declared, "sort=up")).toBe("wrong value for sort parameter");
    expect(read(declared, "sort=up&b=2")).toBe(bad("b"));
    expect(read(declared, "sort=up&b=2&c=x&c=y")).toBe(`${bad("b")} (and 1 other error)`);
    expect(read(declared, "sort=up&b=2&c=x&a=-")).toBe(`${bad("a")} (and 2 other errors)`);
  });

  it("is also read from headers, which take precedence", () => {
    const none = { x_no_address_book: false, x_no_metadata: false, x_timeout: undefined, x_debug_request: false };
    expect(read(args.controlArgs, "")).toEqual(none);
    expect(read(args.controlArgs, "x_timeout=5&x_no_metadata=1", { "x-timeout": "7" })).toEqual({
      ...none,
      x_no_metadata: true,
      x_timeout: 7,
    });
    expect(read(args.controlArgs, "", { "x-no-metadata": "perhaps" })).toBe(bad("x_no_metadata"));
  });

  it("is read from a body like from a query, without unknown names and nulls", () => {
    const reader = new V3Reader({ a: args.int32Arg, b: args.textsArg, c: args.boolArg });
    expect(reader.fromObject({ a: 5, b: ["x", ""], c: null, d: 1 }, {})).toEqual({ a: 5, b: ["x"], c: undefined });
  });
});
