import { type Builder, beginCell } from "../../cell/Builder.ts";
import { writeBoc } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { makeDictionary } from "../../cell/dictionary.ts";
import { hashKey } from "../../cell/keys.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import { concatBytes, fromBase64, toBase64 } from "../../lib/bytes.ts";
import { isCoded } from "../../lib/errors.ts";
import type { JsonValue } from "../../lib/json.ts";
import { Content, ContentData, contentKeys, contentTexts, loadContent } from "../../model/content/Content.ts";
import { storeSnake } from "../../model/content/Snake.ts";
import type { Hash } from "../../model/Hash.ts";
import { anyAddress } from "../../model/messageAddress.ts";
import type { AbiRun } from "./AbiRun.ts";
import { formatAny, readAny } from "./addressText.ts";
import { findBits, formatBits } from "./bitText.ts";
import { AbiError } from "./errors.ts";
import type { Scalar } from "./scalars.ts";
import { badValue, encoding, readCell, readInteger, readObject, readText } from "./values.ts";

/** What a cell of a text costs beside its bytes: many texts can share one long chain of empty cells. */
const textCellCost = 64;

export function loadScalar(scalar: Scalar, slice: Slice, run: AbiRun): JsonValue {
  switch (scalar.kind) {
    case "uint":
      return run.integer(slice.loadBigUint(scalar.bits), scalar.bits);
    case "int":
      return run.integer(slice.loadBigInt(scalar.bits), scalar.bits);
    case "varuint":
      return run.integer(slice.loadVarUint(scalar.limit), 256);
    case "varint":
      return run.integer(slice.loadVarInt(scalar.limit), 256);
    case "bits":
      run.spend(scalar.bits >>> 2);
      return formatBits(slice.loadBits(scalar.bits), scalar.bits);
    case "bool":
      return slice.loadBit();
    case "slice":
      return showCell(slice.loadRest(), run);
    case "text":
      return new TextDecoder().decode(loadChain(slice, run));
    case "bytes":
      return toBase64(loadChain(slice, run));
    case "cell":
      return showCell(slice.loadRef(), run);
    case "cell?":
      return slice.remainingRefs > 0 ? showCell(slice.loadRef(), run) : null;
    case "content":
      return showContent(slice.loadRef(), run);
    case "any":
      throw new AbiError("abi/data", "a value of the stack in a cell");
    default:
      run.spend(68);
      return formatAny(anyAddress.load(slice), scalar.kind);
  }
}

export function storeScalar(scalar: Scalar, builder: Builder, value: JsonValue, run: AbiRun, path: string): void {
  encoding(path, () => storeKnown(scalar, builder, value, path));
  run.spend(8);
}

/** What the builder returns is of no interest. */
function storeKnown(scalar: Scalar, builder: Builder, value: JsonValue, path: string): unknown {
  switch (scalar.kind) {
    case "uint":
      return builder.storeBigUint(readInteger(value, path), scalar.bits);
    case "int":
      return builder.storeBigInt(readInteger(value, path), scalar.bits);
    case "varuint":
      return builder.storeVarUint(readInteger(value, path), scalar.limit);
    case "varint":
      return builder.storeVarInt(readInteger(value, path), scalar.limit);
    case "bits":
      return storeBitText(builder, readText(value, path), scalar.bits, path);
    case "bool":
      if (typeof value !== "boolean") throw badValue(path, "true or false is needed");
      return builder.storeBit(value);
    case "slice":
      return builder.storeSlice(sliceOf(readCell(value, path)));
    case "text":
      return storeSnake(builder, new TextEncoder().encode(readText(value, path)));
    case "bytes":
      return storeSnake(builder, fromBase64(readText(value, path)));
    case "cell":
      return builder.storeRef(readCell(value, path));
    case "cell?":
      return value === null ? undefined : builder.storeRef(readCell(value, path));
    case "content":
      return builder.storeRef(makeContent(value, path));
    case "any":
      throw badValue(path, "a value of the stack in a cell");
    default:
      return anyAddress.store(builder, readAny(value, scalar.kind, path));
  }
}

function storeBitText(builder: Builder, text: string, count: number, path: string): void {
  const bits = findBits(text);
  if (bits?.count !== count) throw badValue(path, `hex of ${count} bits is needed`);
  builder.storeBits(bits.bytes, count);
}

/** The bytes of a slice and of its continuation cells, along their only references. */
export function loadChain(slice: Slice, run: AbiRun): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at: Slice | undefined = slice; at !== undefined; ) {
    if (at.remainingBits % 8 !== 0 || at.remainingRefs > 1) throw new AbiError("abi/data", "cells that are not text");
    run.spend(textCellCost + (at.remainingBits >>> 3));
    parts.push(at.loadBytes(at.remainingBits >>> 3));
    at = at.remainingRefs > 0 ? sliceOf(at.loadRef()) : undefined;
  }
  return concatBytes(parts);
}

/** A cell as a bag in base64. */
export function showCell(cell: Cell, run: AbiRun): string {
  const text = writeBoc(cell).toString("base64");
  run.spend(text.length);
  return text;
}

/** Known attributes by name; content of another form is a bag in base64, as any cell. */
export function showContent(cell: Cell, run: AbiRun): JsonValue {
  run.spend(1024);
  let texts: Iterable<readonly [string, string]>;
  try {
    const content = loadContent(cell);
    texts = content.kind === "offchain" ? [["uri", content.uri]] : contentTexts(content.attributes);
  } catch (error) {
    if (!isCoded(error)) throw error;
    return showCell(cell, run);
  }
  const shown = Object.fromEntries(texts);
  run.spend(Object.values(shown).reduce((sum, text) => sum + text.length, 0));
  return shown;
}

/** Content with nothing but a `uri` lies elsewhere, all other content on chain. */
export function makeContent(value: JsonValue, path: string): Cell {
  if (typeof value === "string") return readCell(value, path);
  const entries = Object.entries(readObject(value, path)).map(([name, text]): [Hash, Uint8Array] => {
    const at = `${path}.${name}`;
    if (!Object.hasOwn(contentKeys, name)) throw badValue(at, "there is no such attribute");
    const bytes = name === "image_data" ? fromBase64(readText(text, at)) : new TextEncoder().encode(readText(text, at));
    return [contentKeys[name as keyof typeof contentKeys] as Hash, bytes];
  });
  const builder = beginCell();
  const [uri] = entries;
  if (uri?.[0] === contentKeys.uri && entries.length === 1)
    Content.store(builder, { kind: "offchain", uri: new TextDecoder().decode(uri[1]) });
  else Content.store(builder, { kind: "onchain", attributes: makeDictionary(hashKey, ContentData, entries) });
  return builder.cell();
}
