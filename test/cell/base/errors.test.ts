import { describe, expect, it } from "vitest";
import { cellOf, chainOf } from "../../../kit/cell/anyCell.ts";
import { sharedDictionary } from "../../../kit/cell/sharedDictionary.ts";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import { cellErrorCodes } from "../../../src/cell/base/errors.ts";
import { readBoc, readRoot, writeBoc } from "../../../src/cell/boc.ts";
import { bool, loadCell, tagged, uint8 } from "../../../src/cell/codec.ts";
import { Dictionary } from "../../../src/cell/dictionary.ts";
import { makeLibrary, makePruned } from "../../../src/cell/exotic.ts";
import { zeroHash } from "../../../src/cell/Hash.ts";
import { uintKey } from "../../../src/cell/keys.ts";
import { openMerkleProof } from "../../../src/cell/merkle/merkleProof.ts";
import { openMerkleUpdate } from "../../../src/cell/merkle/merkleUpdate.ts";
import { sliceOf } from "../../../src/cell/Slice.ts";
import type { RoomCode } from "../../../src/lib/errors.ts";
import { leaf, type RawBag, rawBag } from "../../kit/cell/rawBag.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const read = (bag: Partial<RawBag>) => () => readBoc(rawBag({ cells: [leaf], ...bag }));

/** A short way to trigger every code; a new code without a line does not compile. */
const ways: Readonly<Record<RoomCode<"cell">, () => unknown>> = {
  "cell/underflow": () => sliceOf(emptyCell).loadBit(),
  "cell/overflow": () => beginCell().storeBytes(new Uint8Array(128)),
  "cell/range": () => beginCell().storeUint(2, 1),
  "cell/tag": () => loadCell(tagged("$1", {}), cellOf("0")),
  "cell/leftover": () => sliceOf(cellOf("1")).end(),
  "cell/depth": () => cellOf("", [chainOf(1024)]),
  "cell/level": () => makePruned(emptyCell, 4),
  "cell/exotic": () => sliceOf(makeLibrary(zeroHash)),
  "cell/pruned": () => sliceOf(makePruned(emptyCell, 1)),
  "cell/boc-magic": read({ magic: 0 }),
  "cell/boc-header": read({ flags: 0x10 }),
  "cell/boc-size": () => readBoc(writeBoc(emptyCell), { maxCells: 0 }),
  "cell/boc-cut": () => readBoc(writeBoc(emptyCell).subarray(0, 10)),
  "cell/boc-trailing": read({ behind: "00" }),
  "cell/boc-crc": read({ flags: 0x40, crc: 0 }),
  "cell/boc-index": read({ flags: 0x80, index: [1] }),
  "cell/boc-order": read({ cells: [{ d1: 1, d2: 0, refs: [0] }] }),
  "cell/boc-roots": () => readRoot(writeBoc([emptyCell, cellOf("1")])),
  "cell/boc-cell": read({ cells: [{ d1: 6, d2: 0 }] }),
  "cell/boc-hash": () => readRoot(rawBag({ cells: [{ d1: 0x10, d2: 0, data: "00".repeat(34) }] })).hash(),
  "cell/dictionary": () => new Dictionary(cellOf(`11011${"0".repeat(8)}`), uintKey(2), uint8).entries(),
  "cell/dictionary-size": () => new Dictionary(sharedDictionary(32, cellOf("000")), uintKey(32), bool).entries(),
  "cell/dictionary-key": () => new Dictionary(undefined, uintKey(2), uint8).get(1),
  "cell/proof": () => openMerkleProof(emptyCell),
  "cell/update": () => openMerkleUpdate(emptyCell),
};

describe("every code of the room", () => {
  it.each(Object.entries(ways))("%s is reached", (code, way) => {
    expect(refusalCode(way)).toBe(code);
  });

  it("is the caller's fault: nothing here waits for others", () => {
    expect(new Set(Object.values(cellErrorCodes))).toEqual(new Set(["caller"]));
  });
});
