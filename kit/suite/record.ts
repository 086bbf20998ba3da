/** Casts a JSON value to an object; throws for anything else. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`not an object: ${String(value)}`);
  return value as Readonly<Record<string, unknown>>;
}

export function asList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(`not a list: ${String(value)}`);
  return value;
}

export function asText(value: unknown): string {
  if (typeof value !== "string") throw new Error(`not text: ${String(value)}`);
  return value;
}

/** The found fields with the recorded values, and with the found ones where the recording lacks a field. */
export function withRecorded(
  properties: Readonly<Record<string, unknown>>,
  recorded: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [key, recorded[key] === undefined ? value : recorded[key]]),
  );
}
