import type { NamedType } from "../api/contract.ts";
import type { V3Args } from "../api/types.ts";
import { parseAddress } from "../format/address.ts";

type MethodArgs = NonNullable<V3Args<"runGetMethod">["args"]>;
type Value = MethodArgs[string];

/** The type of an argument in few words, for people. */
export function nameType(type: unknown): string {
  if (typeof type === "string") return type;
  const { maybe, ref, either } = Object(type) as Wrapped;
  if (maybe !== undefined) return `${nameType(maybe)}?`;
  return ref === undefined && either === undefined ? JSON.stringify(type).slice(0, 80) : nameType(ref ?? either);
}

/** Types whose value is that of the type in them. */
type Wrapped = Readonly<Partial<Record<"maybe" | "ref" | "either", unknown>>>;

/** A bag with a cell of nothing. */
const emptyBag = "te6cckEBAQEAAgAAAEysuc0=";

/** Arguments by name, from what was entered; a text says which one is wrong. */
export function readTyped(fields: readonly NamedType[], entered: ReadonlyMap<string, string>): MethodArgs | string {
  const values: [name: string, value: Value][] = [];
  for (const { name, type } of fields) {
    const value = readValue(type, (entered.get(name) ?? "").trim());
    if (value === undefined) return `${name} is no ${nameType(type)}.`;
    values.push([name, value]);
  }
  return Object.fromEntries(values);
}

/** A value in the form of JSON that the type has; `undefined` if it is none. */
function readValue(type: unknown, text: string): Value | undefined {
  if (typeof type !== "string") return readWrapped(type, text);
  if (/^(?:u?int\d*|varu?int\d+|coins)$/.test(type)) return readInteger(text);
  if (type === "bool") return ["true", "false"].includes(text) ? text === "true" : undefined;
  if (text === "") return type.endsWith("?") ? null : undefined;
  return type.startsWith("address") ? parseAddress(text) : text;
}

/** What may be left out is nothing; a payload that is left out is empty. */
function readWrapped(type: unknown, text: string): Value | undefined {
  const { maybe, ref, either } = Object(type) as Wrapped;
  if (maybe !== undefined) return text === "" ? null : readValue(maybe, text);
  if (text === "" && either === "slice") return emptyBag;
  return ref === undefined && either === undefined ? readJson(text) : readValue(ref ?? either, text);
}

function readInteger(text: string): string | undefined {
  return /^(?:-?\d+|0x[0-9a-f]+)$/i.test(text) ? String(BigInt(text)) : undefined;
}

function readJson(text: string): Value | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
