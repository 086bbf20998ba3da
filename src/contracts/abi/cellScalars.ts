import { type Builder, beginCell } from "../../cell/Builder.ts";
import { plainForm, writeBocInSteps } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { makeDictionary } from "../../cell/dictionary.ts";
import { hashInSteps } from "../../cell/hashInSteps.ts";
import { hashKey } from "../../cell/keys.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import { concatBytes, fromBase64, toBase64 } from "../../lib/bytes.ts";
import { isCoded } from "../../lib/errors.ts";
import type { JsonValue } from "../../lib/json.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import { Content, ContentData, contentKeys, contentTextsInSteps, loadContent } from "../../model/content/Content.ts";
import { storeSnake } from "../../model/content/Snake.ts";
import type { Hash } from "../../model/Hash.ts";
import { anyAddress } from "../../model/messageAddress.ts";
import type { AbiRun } from "./AbiRun.ts";
import { formatAny, readAny } from "./addressText.ts";
import { findBits, formatBits } from "./bitText.ts";
import { AbiError } from "./errors.ts";
import type { Scalar } from "./scalars.ts";
import { badValue, encoding, readCell, readCellInSteps, readInteger, readObject, readText } from "./values.ts";

/** What a cell of a text costs beside its bytes: many texts can share one long chain of empty cells. */
const textCellCost = 64;
/** What content costs beside its texts: each of its attributes may be a thousand cells without a byte. */
const contentCost = 16 * 1024;

/** Scalars of any size. */
type LongScalar = Extract<Scalar, { readonly kind: "slice" | "text" | "bytes" | "cell" | "cell?" | "content" }>;

export function* loadScalar(scalar: Scalar, slice: Slice, run: AbiRun): Steps<JsonValue> {
  switch (scalar.kind) {
    case "slice":
    case "text":
    case "bytes":
    case "cell":
    case "cell?":
    case "content":
      return yield* loadLong(scalar.kind, slice, run);
    default:
      return loadShort(scalar, slice, run);
  }
}

function* loadLong(kind: LongScalar["kind"], slice: Slice, run: AbiRun): Steps<JsonValue> {
  switch (kind) {
    case "slice":
      return yield* showCell(slice.loadRest(), run);
    case "text":
      return new TextDecoder().decode(yield* loadChain(slice, run));
    case "bytes":
      return toBase64(yield* loadChain(slice, run));
    case "cell":
      return yield* showCell(slice.loadRef(), run);
    case "cell?":
      return slice.remainingRefs > 0 ? yield* showCell(slice.loadRef(), run) : null;
    case "content":
      return yield* showContent(slice.loadRef(), run);
  }
}

/** A scalar of a few bytes. */
export function loadShort(scalar: Exclude<Scalar, LongScalar>, slice: Slice, run: AbiRun): JsonValue {
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
    case "any":
      throw new AbiError("abi/data", "a value of the stack in a cell");
    default:
      run.spend(68);
      return formatAny(anyAddress.load(slice), scalar.kind);
  }
}

export function* storeScalar(
  scalar: Scalar,
  builder: Builder,
  value: JsonValue,
  run: AbiRun,
  path: string,
): Steps<void> {
  run.spend(8);
  if (scalar.kind === "slice") {
    const cell = yield* readCellInSteps(value, path);
    encoding(path, () => builder.storeSlice(sliceOf(cell)));
  } else if (scalar.kind === "cell" || (scalar.kind === "cell?" && value !== null)) {
    const cell = yield* readCellInSteps(value, path);
    encoding(path, () => builder.storeRef(cell));
  } else {
    storeShort(scalar, builder, value, path);
  }
}

/** A scalar whose value is no bag. */
type ShortScalar = Exclude<Scalar, { readonly kind: "slice" | "cell" }>;

export function storeShort(scalar: ShortScalar, builder: Builder, value: JsonValue, path: string): void {
  encoding(path, () => storeKnown(scalar, builder, value, path));
}

/** What the builder returns is of no interest. */
function storeKnown(scalar: ShortScalar, builder: Builder, value: JsonValue, path: string): unknown {
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
    case "text":
      return storeSnake(builder, new TextEncoder().encode(readText(value, path)));
    case "bytes":
      return storeSnake(builder, fromBase64(readText(value, path)));
    case "cell?":
      return undefined;
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
export function* loadChain(slice: Slice, run: AbiRun): Steps<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let at: Slice | undefined = slice; at !== undefined; ) {
    if (at.remainingBits % 8 !== 0 || at.remainingRefs > 1) throw new AbiError("abi/data", "cells that are not text");
    run.spend(textCellCost + (at.remainingBits >>> 3));
    if (run.budget.isDue()) yield;
    parts.push(at.loadBytes(at.remainingBits >>> 3));
    at = at.remainingRefs > 0 ? sliceOf(at.loadRef()) : undefined;
  }
  return concatBytes(parts);
}

/** A cell as a bag in base64. */
export function* showCell(cell: Cell, run: AbiRun): Steps<string> {
  yield* hashInSteps(cell);
  const text = (yield* writeBocInSteps(cell, plainForm)).toString("base64");
  run.spend(text.length);
  return text;
}

/** Known attributes by name; content of another form is a bag in base64, as any cell. */
export function* showContent(cell: Cell, run: AbiRun): Steps<JsonValue> {
  run.spend(contentCost);
  let texts: Iterable<readonly [string, string]>;
  try {
    const content = loadContent(cell);
    texts = content.kind === "offchain" ? [["uri", content.uri]] : yield* contentTextsInSteps(content.attributes);
  } catch (error) {
    if (!isCoded(error)) throw error;
    return yield* showCell(cell, run);
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
