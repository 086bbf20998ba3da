import type { JsonValue } from "../../lib/json.ts";

/** One request of v2 with its arguments; of v3 if its name begins with `v3/`. */
export interface Question {
  readonly operation: string;
  readonly args: Readonly<Record<string, JsonValue>>;
}

const v3Prefix = "v3/";

/** The name of an operation of v3; undefined for one of v2. */
export function findV3Name({ operation }: Question): string | undefined {
  return operation.startsWith(v3Prefix) ? operation.slice(v3Prefix.length) : undefined;
}

/** A question to the index. */
export function askIndex(name: string, args: Question["args"]): Question {
  return { operation: `${v3Prefix}${name}`, args };
}

/** Arguments as a query has them. */
export function textsOf(args: Question["args"]): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, String(value)]));
}

/** A question as one line, for messages. */
export function formatQuestion({ operation, args }: Question): string {
  const named = Object.entries(args).map(([name, value]) => `${name}=${formatValue(value)}`);
  return `${operation}(${named.join(", ")})`;
}

function formatValue(value: JsonValue): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
