import { Cell } from "../../cell/Cell.ts";
import { toHex } from "../../lib/bytes.ts";
import { LibError } from "../../lib/errors.ts";

/** One text for one request: its name and its decoded arguments, so that different spellings give the same key. */
export function answerKey(name: string, values: Readonly<Record<string, unknown>>): string {
  let key = name;
  for (const value of Object.values(values)) key += `|${canonical(value)}`;
  return key;
}

/** Finished text, or a value still to be formatted. */
type Pending = { readonly text: string } | { readonly value: unknown };

/**
 * Every text has its length, so that no text can represent two values. A list of the machine is nested as deep as it is
 * long, so values are kept in an explicit stack instead of the call stack.
 */
function canonical(value: unknown): string {
  const simple = findSimple(value);
  if (simple !== undefined) return simple;
  let key = "";
  const pending: Pending[] = [{ value }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ("text" in next) {
      key += next.text;
    } else {
      const text = findSimple(next.value);
      if (text !== undefined) key += text;
      else for (const part of partsOf(Object(next.value)).reverse()) pending.push(part);
    }
  }
  return key;
}

/** The text of a value without nested values. */
function findSimple(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
      return `${value.length}'${value}`;
    case "undefined":
      return "-";
    case "number":
    case "bigint":
    case "boolean":
      return `#${value}`;
    case "object":
      if (value === null) return "null";
      if (value instanceof Cell) return `cell${value.hash()}`;
      return value instanceof Uint8Array ? `x${toHex(value)}` : undefined;
    default:
      throw new LibError("lib/shape", `a ${typeof value} among arguments has no key`);
  }
}

/** The items of a list, or the properties of an object, each after its separator. */
function partsOf(value: object): Pending[] {
  if (Array.isArray(value)) {
    const items = value.flatMap((item: unknown): Pending[] => [{ value: item }, { text: "," }]);
    return [{ text: "[" }, ...items, { text: "]" }];
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw new LibError("lib/shape", `a ${value.constructor.name} among arguments has no key`);
  const properties = Object.entries(value).flatMap(([name, each]): Pending[] => [
    { text: `${name.length}'${name}:` },
    { value: each },
    { text: "," },
  ]);
  return [{ text: "{" }, ...properties, { text: "}" }];
}
