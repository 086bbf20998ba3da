import { Type } from "typebox";
import { type Arg, makeArg, refusal } from "./arg.ts";

/*
 * A value comes as text from a query string and as itself from a JSON body, so every argument takes both:
 * 5, "5" and, from the bigint-safe parser, 5n are the same number.
 */

const decimalText = /^[+-]?[0-9]{1,100}$/;

export interface TextLimits {
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** Text of a bounded length (by default at most 65,536 characters). */
export function textArg({ minLength = 0, maxLength = 65_536 }: TextLimits = {}): Arg<string> {
  return makeArg({
    schema: Type.String({ minLength, maxLength }),
    allowed: `text of ${minLength} to ${maxLength} characters`,
    read: (value) =>
      typeof value === "string" && value.length >= minLength && value.length <= maxLength ? value : undefined,
  });
}

/** A whole number from `min` to `max`, both within ±(2^53 - 1). */
export function intArg({ min, max }: { readonly min: number; readonly max: number }): Arg<number> {
  return makeArg({
    schema: Type.Integer({ minimum: min, maximum: max }),
    allowed: `a whole number from ${min} to ${max}`,
    read: (value) => {
      const whole = findWhole(value);
      return whole === undefined || whole < BigInt(min) || whole > BigInt(max) ? undefined : Number(whole);
    },
  });
}

/** A whole number of any size from `min` to `max`, documented as decimal text. */
export function bigintArg({ min, max }: { readonly min: bigint; readonly max: bigint }): Arg<bigint> {
  return makeArg({
    schema: Type.String({ pattern: "^[+-]?[0-9]{1,100}$" }),
    allowed: `a whole decimal number from ${min} to ${max}`,
    read: (value) => {
      const whole = findWhole(value);
      return whole === undefined || whole < min || whole > max ? undefined : whole;
    },
  });
}

function findWhole(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return typeof value === "string" && decimalText.test(value) ? BigInt(value.replace(/^\+/, "")) : undefined;
}

const boolWords = new Map<unknown, boolean>([
  [true, true],
  ["true", true],
  ["1", true],
  [false, false],
  ["false", false],
  ["0", false],
]);

/** True or false. */
export function boolArg(): Arg<boolean> {
  return makeArg({ schema: Type.Boolean(), allowed: "true or false", read: (value) => boolWords.get(value) });
}

/** One of the given words. */
export function oneOfArg<const W extends readonly string[]>(words: W): Arg<W[number]> {
  return makeArg<W[number]>({
    schema: Type.Union(words.map((word) => Type.Literal(word))),
    allowed: `one of ${words.join(", ")}`,
    read: (value) => words.find((word) => word === value),
  });
}

/** A list of at most `maxItems`; a single value, as a query string gives it, is a list of one. */
export function listArg<T>(item: Arg<T>, { maxItems }: { readonly maxItems: number }): Arg<readonly T[]> {
  const allowed = `at most ${maxItems} values, each ${item.allowed}`;
  const decode = (value: unknown, name: string): readonly T[] => {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (value === undefined || items.length > maxItems) throw refusal(name, value, allowed);
    return items.map((each, index) => item.decode(each, items === value ? `${name}[${index}]` : name));
  };
  return { schema: Type.Array(item.schema, { maxItems }), required: true, allowed, decode };
}
