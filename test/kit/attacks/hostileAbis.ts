import { emptyChain } from "../../../kit/attacks/sharedCells.ts";
import { sharedDictionary } from "../../../kit/cell/sharedDictionary.ts";
import { type Builder, beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import { writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { sliceOf } from "../../../src/cell/Slice.ts";
import type { Abi, AbiConstructor, AbiType } from "../../../src/contracts/abi/Abi.ts";
import { makeCellTree } from "../cell/cellTrees.ts";

/** A request of one of the endpoints that convert by an ABI. */
export interface AbiAttack {
  readonly path: "decodeContract" | "encodeContract";
  readonly body: object;
  /** Why it is refused, if it is. */
  readonly refusal?: string;
}

const tooManyValues = "more than 50000 values";
const tooManyCharacters = "more than 2097152 characters";

function refused(refusal: string, attack: AbiAttack): AbiAttack {
  return { ...attack, refusal };
}

const bag = (cell: Cell): string => Buffer.from(writeBoc(cell)).toString("base64");

function decode(
  abi: Omit<Abi, "name">,
  cells: { readonly bodies?: readonly Cell[]; readonly storage?: readonly Cell[] },
) {
  const { bodies = [], storage = [] } = cells;
  const body = { abi: { name: "a", ...abi }, bodies: bodies.map(bag), storage: storage.map(bag) };
  return { path: "decodeContract", body } as const;
}

/** Data of one value of this type. */
function storage(type: AbiType, data: Cell): AbiAttack {
  return decode({ storage: [{ fields: [{ name: "v", type }] }] }, { storage: [data] });
}

/** A message of one value of this type. */
function message(type: AbiType, value: unknown): AbiAttack {
  const abi = { name: "a", receives: [{ name: "m", fields: [{ name: "v", type }] }] };
  return { path: "encodeContract", body: { abi, message: "m", fields: { v: value } } };
}

/** Two references to the same cell, and so on: `2 ** depth` paths. */
function tangle(depth: number, leaf: Cell): Cell {
  let cell = leaf;
  for (let i = 0; i < depth; i++) cell = beginCell().storeRef(cell).storeRef(cell).cell();
  return cell;
}

/** The type of what lies at the ends of those paths. */
function tangled(depth: number, leaf: AbiType): AbiType {
  return depth === 0 ? leaf : { many: { ref: tangled(depth - 1, leaf) } };
}

/** `2 ** bits` entries of the same value. */
function entries(bits: number, store: (leaf: Builder) => unknown): Cell {
  const leaf = beginCell().storeUint(0, 2);
  store(leaf);
  return beginCell().storeBit(true).storeRef(sharedDictionary(bits, leaf.cell())).cell();
}

/** On-chain content whose known attributes are the same thousands of chunks without a byte. */
const emptyContent = beginCell()
  .storeUint(0, 8)
  .storeSlice(
    sliceOf(
      entries(256, (leaf) =>
        leaf.storeRef(
          beginCell()
            .storeUint(1, 8)
            .storeSlice(sliceOf(entries(32, (chunk) => chunk.storeRef(emptyCell))))
            .cell(),
        ),
      ),
    ),
  )
  .cell();

const many = <T>(count: number, make: (at: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** A thousand constructors, of which the last one fits. */
const manyTags: readonly AbiConstructor[] = many(1000, (at) => ({
  name: `c${at}`,
  tag: `#${(999 - at).toString(16).padStart(4, "0")}`,
  fields: [],
}));

const field = (at: number) => ({ name: `f${at}`, type: "uint8" }) as const;

/** Small requests that mean much work. */
export const abiAttacks: Readonly<Record<string, AbiAttack>> = {
  "a dictionary of 2^32 entries": refused(
    "more than 10000 entries",
    storage(
      { dict: { key: "uint32", value: { struct: [] } } },
      entries(32, () => {}),
    ),
  ),
  "a dictionary of 8,192 entries": storage(
    { dict: { key: "uint13", value: "uint64" } },
    entries(13, (leaf) => leaf.storeBigUint(1n << 63n, 64)),
  ),
  "keys of 1,023 bits": refused(
    tooManyCharacters,
    storage(
      { dict: { key: "bits1023", value: { struct: [] } } },
      entries(1023, () => {}),
    ),
  ),
  "a dictionary in every entry of a dictionary": refused(
    tooManyValues,
    storage(
      { dict: { key: "uint10", value: { dict: { key: "uint10", value: "bool" } } } },
      entries(10, (leaf) => leaf.storeSlice(sliceOf(entries(10, (inner) => inner.storeBit(true))))),
    ),
  ),
  "values without a bit": refused(tooManyValues, storage({ many: { struct: [] } }, beginCell().storeBit(true).cell())),
  "a thousand constructors for every value": refused(
    tooManyValues,
    storage(tangled(9, { union: manyTags }), tangle(9, beginCell().storeUint(0, 16).cell())),
  ),
  "a thousand layouts for each of a hundred bodies": refused(
    "more than 2000 layouts",
    decode(
      { receives: many(1000, (at) => ({ name: `m${at}`, fields: [{ name: "v", type: "cell" }] })) },
      { bodies: many(100, (at) => beginCell().storeUint(at, 16).cell()) },
    ),
  ),
  "texts of one long chain": refused(
    tooManyCharacters,
    storage(tangled(9, { ref: "text" }), tangle(9, beginCell().storeRef(emptyChain(900)).cell())),
  ),
  "cells of a thousand paths": refused(
    tooManyCharacters,
    storage(tangled(9, { many: "cell" }), tangle(500, emptyCell)),
  ),
  "a cell of 8,000 cells": storage("slice", makeCellTree(8_000, 40)),
  "content of empty chunks": storage(tangled(5, "content"), tangle(5, beginCell().storeRef(emptyContent).cell())),
  "an ABI of 1,900 fields": decode(
    { receives: [{ name: "m", fields: many(950, field) }], sends: [{ name: "m", fields: many(950, field) }] },
    { bodies: [emptyCell] },
  ),
  "a text of 700,000 letters": refused(
    "m.v: a cell of depth 1025; the limit is 1024",
    message("text", "x".repeat(700_000)),
  ),
  "4,000 entries": message(
    { dict: { key: "uint64", value: "uint64" } },
    many(4_000, (key) => ({ key: key * 1_000_003, value: key })),
  ),
  "a list of 50,000 values": refused(
    "m.v[4]: 5 references; the limit is 4",
    message(
      { many: { ref: "bool" } },
      many(50_000, () => true),
    ),
  ),
  "a bag of 8,000 cells": message("cell", bag(makeCellTree(8_000, 40))),
};
