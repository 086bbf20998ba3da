import type { JsonValue } from "../../lib/json.ts";

/** One request of v2 with its arguments. */
export interface Question {
  readonly operation: string;
  readonly args: Readonly<Record<string, JsonValue>>;
}

/** A question as one line, for messages. */
export function formatQuestion({ operation, args }: Question): string {
  const named = Object.entries(args).map(([name, value]) => `${name}=${formatValue(value)}`);
  return `${operation}(${named.join(", ")})`;
}

function formatValue(value: JsonValue): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
