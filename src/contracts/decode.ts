import { CellKind } from "../cell/base/CellKind.ts";
import { readRoot } from "../cell/boc.ts";
import type { Cell } from "../cell/Cell.ts";
import { type Slice, sliceOf } from "../cell/Slice.ts";
import { fromBase64, fromHex } from "../lib/bytes.ts";
import { isCoded } from "../lib/errors.ts";
import type { JsonObject, JsonValue } from "../lib/json.ts";
import type { Body, Show } from "./kit/declare.ts";
import { groupBy } from "./kit/groupBy.ts";
import { ShowContext } from "./kit/ShowContext.ts";
import { families } from "./registry.ts";

/** The result for an unknown body; answers show it as null, except /decode. */
export type UnknownBody = `unknown: ${string}`;

/** Longer bags are not bodies. */
const bodyLimits = { maxBytes: 4 * 1024 * 1024, maxCells: 1 << 16, maxRoots: 1 };
const emptyCell: JsonObject = { "@type": "empty_cell" };
const noParser: UnknownBody = "unknown: no parser succeeded";

const byOpcode: ReadonlyMap<number, readonly Body<unknown>[]> = groupBy(
  families.flatMap(({ bodies }) => bodies),
  ({ opcode }) => opcode,
);
const signedBodies = families.flatMap((family) => family.signedBodies);

/** Bodies that wallets read to the last bit: left-over data means another body. */
const wholeBodies: ReadonlySet<string> = new Set([
  "w5_external_signed_request",
  "w5_internal_signed_request",
  "w5_extension_action_request",
  "highload_v3_internal_request",
]);

/** The name of a 32-bit opcode, given signed or unsigned. */
export function findOpcodeName(opcode: number): string | undefined {
  return byOpcode.get(opcode >>> 0)?.[0]?.name;
}

/** The name in the form of /decode. */
export function opcodeName(opcode: number): string {
  return findOpcodeName(opcode) ?? "unknown";
}

/** The v3 JSON form of a message body, or why there is none. Never throws. */
export function decodeBody(cell: Cell): JsonObject | UnknownBody {
  try {
    return decodeIn(cell, new ShowContext(findNested, findInText));
  } catch (error) {
    if (isCoded(error)) return noParser;
    throw error;
  }
}

/** The same for the text forms of /decode: base64 or hex of a bag. */
export function decodeBodyText(text: string): JsonObject | UnknownBody {
  const root = readText(text);
  return typeof root === "string" ? root : decodeBody(root);
}

/**
 * The decoded body or payload of messages and transfers: text comments in their own form, `undefined` for unknown ones.
 */
export function findDecodedBody(cell: Cell): JsonObject | undefined {
  const decoded = decodeBody(cell);
  if (typeof decoded === "string") return undefined;
  const { "@type": type, text } = decoded;
  return type === "text_comment" && text !== undefined ? { "@type": type, type, comment: text } : decoded;
}

/** Whether nothing could be decoded. */
export function isUnknownBody(decoded: JsonObject | UnknownBody): decoded is UnknownBody {
  return typeof decoded === "string";
}

function decodeIn(cell: Cell, showing: ShowContext): JsonObject | UnknownBody {
  if (cell.kind !== CellKind.ordinary) return noParser;
  if (cell.bitLength < 32) {
    return cell.bitLength === 0 && cell.refCount === 0
      ? emptyCell
      : `unknown: boc is too small, size ${cell.bitLength}`;
  }
  const layouts = byOpcode.get(sliceOf(cell).loadUint(32));
  return (layouts === undefined ? showSigned(cell, showing) : showKnown(layouts, cell, showing)) ?? noParser;
}

function showSigned(cell: Cell, showing: ShowContext): JsonObject | undefined {
  for (const { show } of signedBodies) {
    const shown = showing.attempt(() => showWhole(show, sliceOf(cell), showing));
    if (shown !== undefined) return shown;
  }
  return undefined;
}

function showKnown(layouts: readonly Body<unknown>[], cell: Cell, showing: ShowContext): JsonObject | undefined {
  for (const { name, show } of layouts) {
    if (show === undefined) continue;
    const slice = sliceOf(cell).skip(32);
    const shown = showing.attempt(() =>
      wholeBodies.has(name) ? showWhole(show, slice, showing) : show(slice, showing),
    );
    if (shown !== undefined) return shown;
  }
  return undefined;
}

function showWhole(show: Show, slice: Slice, showing: ShowContext): JsonObject | undefined {
  const shown = show(slice, showing);
  return slice.isEmpty ? shown : undefined;
}

function findNested(cell: Cell, showing: ShowContext): JsonValue | undefined {
  const decoded = decodeIn(cell, showing);
  return typeof decoded === "string" ? undefined : decoded;
}

function findInText(text: string, showing: ShowContext): JsonValue | undefined {
  const root = readText(text);
  return typeof root === "string" ? undefined : findNested(root, showing);
}

function readText(text: string): Cell | UnknownBody {
  const isBase64 = text.startsWith("te6");
  let bytes: Uint8Array;
  try {
    bytes = isBase64 ? fromBase64(text) : fromHex(text);
  } catch (error) {
    if (!isCoded(error)) throw error;
    return `unknown: failed to decode ${isBase64 ? "base64" : "hex"}: ${error.message}`;
  }
  try {
    return readRoot(bytes, bodyLimits);
  } catch (error) {
    if (!isCoded(error)) throw error;
    return `unknown: failed to deserialize boc: ${error.message}`;
  }
}
