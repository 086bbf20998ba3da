import { toHex } from "./bytes.ts";
import { isCoded } from "./errors.ts";

const secretName =
  /^(?:x[-_])?(?:api[-_]?keys?|authorization|cookie|set-cookie|pass(?:word|phrase)|secret|(?:secret|private)[-_]?key|mnemonic|seed|token)$/i;

/** Secrets inside text: a key in a query string, a password in an address. */
const secretParameter = /\b(api[-_]?key|token|password)=[^&\s"]+/gi;
const secretInAddress = /(:\/\/[^:/@\s]+):[^@/\s]+@/g;

const mask = "[masked]";
const maxDepth = 8;
const maxBytesShown = 64;

/** A copy of log data with secrets masked by name and every value fit for JSON. */
export function withoutSecrets(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return cleanProperties(data, 0);
}

function cleanProperties(data: object, depth: number): Record<string, unknown> {
  const entries = Object.entries(data).map(([name, value]) => [
    name,
    secretName.test(name) && value !== undefined ? mask : clean(value, depth + 1),
  ]);
  return Object.fromEntries(entries);
}

function clean(value: unknown, depth: number): unknown {
  if (typeof value === "string")
    return value.replace(secretParameter, `$1=${mask}`).replace(secretInAddress, `$1:${mask}@`);
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return value;
  return depth > maxDepth ? "[deeper]" : cleanObject(value, depth);
}

function cleanObject(value: object, depth: number): unknown {
  if (value instanceof Error) return cleanError(value, depth);
  if (value instanceof Uint8Array) {
    const shown = toHex(value.subarray(0, maxBytesShown));
    return value.length > maxBytesShown ? `${shown}… (${value.length} bytes)` : shown;
  }
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.map((item) => clean(item, depth + 1)) : cleanProperties(value, depth);
}

function cleanError(error: Error, depth: number): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  const coded = isCoded(error) ? { code: error.code, kind: error.kind, data: error.data } : {};
  return cleanProperties({ name, message, ...coded, stack, ...(cause === undefined ? {} : { cause }) }, depth);
}
