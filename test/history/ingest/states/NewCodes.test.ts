import { describe, expect, it } from "vitest";
import { beginCell, emptyCell } from "../../../../src/cell/Builder.ts";
import { writeBoc } from "../../../../src/cell/boc.ts";
import type { Cell } from "../../../../src/cell/Cell.ts";
import { cell } from "../../../../src/cell/codec.ts";
import { makeDictionary } from "../../../../src/cell/dictionary.ts";
import { makeLibrary } from "../../../../src/cell/exotic.ts";
import { uintKey } from "../../../../src/cell/keys.ts";
import { NewCodes } from "../../../../src/history/ingest/states/NewCodes.ts";
import { StateMemory } from "../../../../src/history/ingest/states/StateMemory.ts";
import type { Hash } from "../../../../src/model/Hash.ts";
import { noEnd } from "../../../kit/history/ingestStage.ts";

/** SETCP 0, DICTPUSHCONST and a method for each of these ids. */
function codeOf(ids: readonly number[], bits = 19): Cell {
  const methods = ids.map((id): [number, Cell] => [id, emptyCell]);
  const root = makeDictionary(uintKey(bits), cell, methods).root ?? emptyCell;
  const start = beginCell().storeUint(0xff00, 16).storeUint(0b1111010010100, 13).storeBit(true).storeUint(bits, 10);
  return start.storeRef(root).cell();
}

/** Codes over libraries that may appear later. */
function openCodes(libraries: Map<Hash, Cell> = new Map()) {
  const asked: Hash[] = [];
  const findLibrary = async (hash: Hash) => {
    asked.push(hash);
    return libraries.get(hash);
  };
  const codes = new NewCodes(new StateMemory(), { findLibrary }, { isRepeated: false });
  return { asked, read: (code: Cell) => codes.read(code, noEnd) };
}

describe("the row of a code", () => {
  it("is made when the code first appears, with its methods", async () => {
    const { read, asked } = openCodes();
    const code = codeOf([0, 85143]);
    expect(await read(code)).toEqual({ hash: code.hash(), boc: writeBoc(code), methods: [0, 85143] });
    expect(await read(code)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it("has the methods of the referenced library, queried once", async () => {
    const library = codeOf([7]);
    const { read, asked } = openCodes(new Map([[library.hash(), library]]));
    const code = makeLibrary(library.hash());
    expect(await read(code)).toEqual({ hash: code.hash(), boc: writeBoc(code), methods: [7] });
    expect(await read(code)).toBeUndefined();
    expect(asked).toEqual([library.hash()]);
  });

  it("is made again until the referenced library exists", async () => {
    const library = codeOf([7]);
    const libraries = new Map<Hash, Cell>();
    const { read } = openCodes(libraries);
    const code = makeLibrary(library.hash());
    const [first, second] = [await read(code), await read(code)];
    expect([first, second].map((row) => row?.methods)).toEqual([undefined, undefined]);
    libraries.set(library.hash(), library);
    expect((await read(code))?.methods).toEqual([7]);
    expect(await read(code)).toBeUndefined();
  });

  it("omits ids that the tables cannot store", async () => {
    const { read } = openCodes();
    expect((await read(codeOf([1, 0x7fffffff, 0x80000000, 0xffffffff], 32)))?.methods).toEqual([1, 0x7fffffff]);
  });
});
