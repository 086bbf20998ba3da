import { families } from "../../../src/contracts/registry.ts";
import type { JsonValue } from "../../../src/lib/json.ts";

const bodies = families.flatMap((family) => family.bodies);

/** Names of bodies. The first version of the decoder writes a nested body in a different form. */
const bodyNames: ReadonlySet<string> = new Set([...bodies.map(({ name }) => name), "empty_cell"]);

type Json = { readonly [key: string]: JsonValue };

/**
 * A decoded body in the format of the public service in October 2025: `type` instead of `@type`, fields under `data`,
 * constructors without fields as a bare name, booleans as text, nested bodies under their name.
 */
export function olderDecoded(decoded: Json): JsonValue {
  const { "@type": type, ...fields } = decoded;
  if (type === "text_comment") return { type, comment: decoded.comment ?? null };
  const names = Object.keys(fields);
  return { type: type ?? null, data: names.length === 0 ? "" : mapFields(fields) };
}

function older(value: JsonValue): JsonValue {
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { "@type": type, ...fields } = value as Json;
  if (typeof type !== "string") return mapFields(fields);
  const isBare = Object.keys(fields).length === 0;
  if (bodyNames.has(type)) return { [type]: isBare ? "" : mapFields(fields) };
  return isBare ? type : { type, ...mapFields(fields) };
}

function mapFields(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, older(value)]));
}

/** Removes the address types that only the first version of the decoder writes. */
export function withoutAddressTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAddressTypes);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const [only] = entries;
  if (entries.length === 1 && only !== undefined && /^(internal|external)_address$/.test(only[0]))
    return withoutAddressTypes(only[1]);
  return Object.fromEntries(entries.map(([name, item]) => [name, withoutAddressTypes(item)]));
}
