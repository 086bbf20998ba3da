import type { JsonObject, JsonValue } from "../../lib/json.ts";

/** The size of one stored document: a thousand of them may be in one answer, and anybody can name documents. */
export const maxDocumentBytes = 16_384;
/** Properties and list items of a document, nested ones included. */
const maxNodes = 1024;
const maxDepth = 16;

/**
 * Fields that other programs show, and the bytes of each: they are kept before everything else. A longer text is cut; a
 * link that was cut would lead nowhere, so it is left out.
 */
const shownFields = [
  { name: "name", maxBytes: 512, isCut: true },
  { name: "symbol", maxBytes: 128, isCut: true },
  { name: "decimals", maxBytes: 128, isCut: false },
  { name: "image", maxBytes: 4096, isCut: false },
  { name: "description", maxBytes: 4096, isCut: true },
] as const;

interface Room {
  bytes: number;
  nodes: number;
}

/**
 * The properties of a document that fit, in their original order: the shown ones, then the small ones before the large
 * ones. Every property is measured only as far as it may be kept, so the work is linear in the size of the document.
 */
export function boundDocument(document: JsonObject): JsonObject {
  const entries = Object.entries(document);
  const room: Room = { bytes: maxDocumentBytes, nodes: maxNodes };
  const jsonValues = new Map<string, JsonValue>();
  for (const field of shownFields) {
    const value = Object.hasOwn(document, field.name) ? boundField(document[field.name], field) : undefined;
    if (value !== undefined && takes(room, field.name, value)) jsonValues.set(field.name, value);
  }
  const others = entries
    .filter(([name]) => !shownFields.some((field) => field.name === name))
    .map(([name, value]) => ({ name, value, bytes: sizeOf(name, value)?.bytes ?? Number.POSITIVE_INFINITY }))
    .filter(({ bytes }) => bytes <= maxDocumentBytes)
    .toSorted((a, b) => a.bytes - b.bytes);
  for (const { name, value } of others) {
    if (!takes(room, name, value)) break;
    jsonValues.set(name, value);
  }
  return Object.fromEntries(
    entries.flatMap(([name]) => {
      const value = jsonValues.get(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function boundField(
  value: JsonValue | undefined,
  { maxBytes, isCut }: { readonly maxBytes: number; readonly isCut: boolean },
): JsonValue | undefined {
  if (typeof value === "string" && isCut) return cutText(value, maxBytes);
  const size = value === undefined ? undefined : sizeOf("", value);
  return size !== undefined && size.bytes <= maxBytes + 16 ? value : undefined;
}

/** The beginning of a text that fits into this many bytes of UTF-8; no character is split. */
function cutText(text: string, maxBytes: number): string {
  if (text.length <= maxBytes && Buffer.byteLength(text) <= maxBytes) return text;
  const bytes = Buffer.from(text.slice(0, maxBytes));
  return new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: true });
}

function takes(room: Room, name: string, value: JsonValue): boolean {
  const size = sizeOf(name, value);
  if (size === undefined || size.bytes > room.bytes || size.nodes > room.nodes) return false;
  room.bytes -= size.bytes;
  room.nodes -= size.nodes;
  return true;
}

/** Bytes and nodes of a property; `undefined` when they alone are too many, or the value is too deep. */
function sizeOf(name: string, value: JsonValue): Room | undefined {
  const size: Room = { bytes: 2, nodes: 0 };
  const add = (text: string) => {
    // No character takes less than a byte, so longer texts are not even counted.
    size.bytes += text.length > maxDocumentBytes ? text.length : Buffer.byteLength(text) + 2;
    return size.bytes <= maxDocumentBytes;
  };
  const visit = (each: JsonValue, depth: number): boolean => {
    size.nodes += 1;
    if (size.nodes > maxNodes || depth > maxDepth) return false;
    if (typeof each === "string") return add(each);
    if (typeof each !== "object" || each === null) return add(String(each));
    if (isList(each)) return each.every((item) => visit(item, depth + 1));
    // Names are listed one by one: an object may have far more of them than are kept.
    for (const key in each) {
      const item = each[key];
      if (item !== undefined && !(add(key) && visit(item, depth + 1))) return false;
    }
    return true;
  };
  return add(name) && visit(value, 1) ? size : undefined;
}

/** `Array.isArray` does not narrow a readonly list out of a union. */
function isList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}
