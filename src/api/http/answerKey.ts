import { Cell } from "../../cell/Cell.ts";
import { toHex } from "../../lib/bytes.ts";
import { LibError } from "../../lib/libErrors.ts";

/** One text for one question: its name and its decoded arguments, so that different spellings are the same question. */
export function answerKey(name: string, values: Readonly<Record<string, unknown>>): string {
  let key = name;
  for (const value of Object.values(values)) {
    key += `|${canonical(value)}`;
  }
  return key;
}

/** Text bears its length, so that no text can pass for two values. */
function canonical(value: unknown): string {
  switch (typeof value) {
    case "string":
      return `${value.length}'${value}`;
    case "undefined":
      return "-";
    case "object":
      return value === null ? "null" : canonicalObject(value);
    case "number":
    case "bigint":
    case "boolean":
      return `#${value}`;
    default:
      throw new LibError("lib/shape", `a ${typeof value} among arguments cannot be told from another`);
  }
}

function canonicalObject(value: object): string {
  if (Array.isArray(value)) {
    return `[${value.map(canonical).join(",")}]`;
  }
  if (value instanceof Cell) {
    return `cell${value.hash()}`;
  }
  if (value instanceof Uint8Array) {
    return `x${toHex(value)}`;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new LibError("lib/shape", `a ${value.constructor.name} among arguments cannot be told from another`);
  }
  return `{${Object.entries(value).map(([name, each]) => `${name}:${canonical(each)}`)}}`;
}
