import { createHash } from "node:crypto";
import { fromHex, toBase64, toHex } from "../../../src/lib/bytes.ts";
import { parseLine } from "../../../src/lite/tl/line.ts";
import { liteQueries } from "../../../src/lite/tl/liteQueries.ts";
import type { TlRecord, TlUnion } from "../../../src/lite/tl/record.ts";
import type { TlType, TlVector } from "../../../src/lite/tl/types.ts";
import { fieldKey } from "./tlChecks.ts";
import { liteEnvelopes, liteRecords } from "./tlLists.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * The JSON format of the recordings: int256 as hex, long as decimal text, bytes as base64, or length and hash if long.
 */
export function tlToJson(type: TlType<unknown>, value: unknown): unknown {
  if (isVector(type)) return (value as readonly unknown[]).map((item) => tlToJson(type.item, item));
  if (isUnion(type)) {
    const variant = variantOf(type, (value as { readonly kind: string }).kind);
    return { "@type": variant.name, ...fieldsToJson(variant, value as Fields) };
  }
  if (isRecord(type)) return fieldsToJson(type, value as Fields);
  if (value instanceof Uint8Array) return type.name === "bytes" ? bytesToJson(value) : toHex(value);
  return typeof value === "bigint" ? value.toString() : value;
}

export function boxedToJson(declared: TlRecord<unknown>, value: unknown): unknown {
  return { "@type": declared.name, ...fieldsToJson(declared, value as Fields) };
}

/** A declaration of the lite-server schema by name. */
export function getRecord(name: string): TlRecord<unknown> {
  const tlRecord = [...liteRecords, ...liteQueries, ...liteEnvelopes].find((declared) => declared.name === name);
  if (tlRecord === undefined) throw new Error(`no declaration of ${name}`);
  return tlRecord;
}

/** Parses the JSON format of the golden files: hex for int256 and bytes, numbers or decimal text for long. */
export function tlFromJson(type: TlType<unknown>, json: unknown): unknown {
  if (isVector(type)) return (json as readonly unknown[]).map((item) => tlFromJson(type.item, item));
  if (isRecord(type)) return fieldsFromJson(type, json as Fields);
  switch (type.name) {
    case "long":
      return BigInt(json as string | number);
    case "int256":
      return fromHex(json as string);
    case "bytes":
      return fromHex(typeof json === "string" ? json : (json as { readonly hex: string }).hex);
    case "int":
      return Number(json);
    default:
      return json;
  }
}

function fieldsFromJson(declared: TlRecord<unknown>, json: Fields): Fields {
  const bits = json.mode_bits as readonly number[] | undefined;
  const mode = bits?.reduce((sum, bit) => sum + 2 ** bit, 0);
  const value: Record<string, unknown> = {};
  for (const { name } of parseLine(declared.line).params) {
    const given = name === "mode" && mode !== undefined ? mode : json[name];
    if (given !== undefined) value[fieldKey(name)] = tlFromJson(fieldType(declared, name), given);
  }
  return value;
}

function fieldsToJson(declared: TlRecord<unknown>, value: Fields): Fields {
  const json: Record<string, unknown> = {};
  for (const { name } of parseLine(declared.line).params) {
    const field = value[fieldKey(name)];
    if (field !== undefined) json[name] = tlToJson(fieldType(declared, name), field);
  }
  return json;
}

function fieldType(declared: TlRecord<unknown>, name: string): TlType<unknown> {
  const field = declared.fields[fieldKey(name)];
  if (field === undefined) throw new Error(`${declared.name} has no ${name}`);
  return "flags" in field ? field.type : field;
}

function bytesToJson(value: Uint8Array): unknown {
  return value.length > 128
    ? { $bytes: value.length, sha256: createHash("sha256").update(value).digest("hex") }
    : toBase64(value);
}

function variantOf(type: TlUnion<unknown>, kind: string): TlRecord<unknown> {
  const variant = type.variants[kind];
  if (variant === undefined) throw new Error(`${type.name} has no ${kind}`);
  return variant;
}

function isVector(type: TlType<unknown>): type is TlVector<unknown> {
  return "item" in type;
}

function isUnion(type: TlType<unknown>): type is TlUnion<unknown> {
  return "variants" in type;
}

function isRecord(type: TlType<unknown>): type is TlRecord<unknown> {
  return "fields" in type;
}
