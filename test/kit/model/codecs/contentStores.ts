import { type Builder, beginCell } from "../../../../src/cell/Builder.ts";
import type { Cell } from "../../../../src/cell/Cell.ts";
import { cell } from "../../../../src/cell/codec.ts";
import { Dictionary, dictionary, makeDictionary } from "../../../../src/cell/dictionary.ts";
import { hashKey, uintKey } from "../../../../src/cell/keys.ts";
import { type ContentAttributes, ContentData } from "../../../../src/model/content/Content.ts";
import type { Hash } from "../../../../src/model/Hash.ts";

const chunkKey = uintKey(32);
const chunkBytes = 127;

/** Builds on-chain attributes that `contentTexts` can read. */
export function makeAttributes(values: Iterable<[Hash, Uint8Array]>): ContentAttributes {
  let made: ContentAttributes = new Dictionary(undefined, hashKey, ContentData);
  for (const [key, value] of values) made = made.set(key, value);
  return made;
}

/** Stores bytes as chunks of the size of a cell. */
export function storeChunked(builder: Builder, bytes: Uint8Array): void {
  const count = Math.ceil(bytes.length / chunkBytes);
  const entries = Array.from({ length: count }, (_, i): [number, Cell] => [
    i,
    beginCell()
      .storeBytes(bytes.subarray(i * chunkBytes, (i + 1) * chunkBytes))
      .cell(),
  ]);
  dictionary(chunkKey, cell).store(builder, makeDictionary(chunkKey, cell, entries));
}
