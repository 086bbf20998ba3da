import { describe, expect, expectTypeOf, it } from "vitest";
import { fromHex } from "../../../src/lib/bytes.ts";
import { type ArgValues, argsSchema, decodeArgs, makeArg, optional, withDefault } from "../../../src/lib/kit/arg.ts";
import { bigintArg, intArg, textArg } from "../../../src/lib/kit/basicArgs.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const seqno = intArg({ min: 0, max: 4294967295 });
const args = {
  seqno,
  limit: withDefault(intArg({ min: 1, max: 100 }), 10),
  lt: optional(bigintArg({ min: 0n, max: 2n ** 64n - 1n })),
  name: textArg({ maxLength: 5 }),
};

describe("the arguments of a request", () => {
  it("are decoded by name, with defaults and absent ones", () => {
    const values = decodeArgs(args, { seqno: "7", name: "x", lt: null, unknown: 1 });
    expect(values).toEqual({ seqno: 7, limit: 10, lt: undefined, name: "x" });
    expectTypeOf(values).toEqualTypeOf<{
      readonly seqno: number;
      readonly limit: number;
      readonly lt: bigint | undefined;
      readonly name: string;
    }>();
    expectTypeOf<ArgValues<typeof args>>().toEqualTypeOf<typeof values>();
  });

  it("have one schema with the optional ones", () => {
    expect(JSON.parse(JSON.stringify(argsSchema(args)))).toEqual({
      type: "object",
      required: ["seqno", "name"],
      properties: {
        seqno: { type: "integer", minimum: 0, maximum: 4294967295 },
        limit: { type: "integer", minimum: 1, maximum: 100, default: 10 },
        lt: { type: "string", pattern: "^[+-]?[0-9]{1,100}$" },
        name: { type: "string", minLength: 0, maxLength: 5 },
      },
    });
  });

  it("are not found on the prototype of the input", () => {
    expect(refusalCode(() => decodeArgs({ constructor: textArg() }, {}))).toBe("lib/argument");
  });
});

describe("a refused argument", () => {
  it("is reported with its value and the allowed ones", () => {
    expect(() => decodeArgs(args, { seqno: "abc", name: "x" })).toThrow(
      'argument "seqno" cannot be "abc"; give a whole number from 0 to 4294967295',
    );
    expect(() => decodeArgs(args, { seqno: 1 })).toThrow('argument "name" is missing; give text of 0 to 5 characters');
    expect(() => decodeArgs(args, { seqno: -1n, name: "x" })).toThrow('argument "seqno" cannot be -1;');
  });

  it("shows only the start of a long value", () => {
    expect(() => args.name.decode("y".repeat(100_000), "name")).toThrow(/cannot be "y{99}…; give/);
  });

  it("keeps the coded error of its own parser as the cause, and rethrows other errors", () => {
    const schema = textArg().schema;
    const bytes = makeArg({ schema, allowed: "hex", read: (value) => fromHex(String(value)) });
    expect(() => bytes.decode("0g", "code")).toThrow(
      expect.objectContaining({
        code: "lib/argument",
        message: 'argument "code" cannot be "0g" (not hex: "0g"); give hex',
        data: { argument: "code", value: '"0g"', allowed: "hex" },
        cause: expect.objectContaining({ code: "lib/hex" }),
      }),
    );
    const broken = makeArg({
      schema,
      allowed: "anything",
      read: () => {
        throw new TypeError("a mistake of ours");
      },
    });
    expect(() => broken.decode(1, "x")).toThrow(TypeError);
  });
});

it("a default that is a bigint is documented as text", () => {
  const arg = withDefault(bigintArg({ min: 0n, max: 10n }), 5n);
  expect([arg.schema, arg.decode(undefined, "x"), arg.decode("6", "x")]).toMatchObject([{ default: "5" }, 5n, 6n]);
});
