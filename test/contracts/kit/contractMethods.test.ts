import fc from "fast-check";
import { expect, it } from "vitest";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { cell } from "../../../src/cell/codec.ts";
import { makeDictionary } from "../../../src/cell/dictionary.ts";
import { makeLibrary } from "../../../src/cell/exotic.ts";
import { uintKey } from "../../../src/cell/keys.ts";
import { readContractMethods } from "../../../src/contracts/kit/contractMethods.ts";
import { anyMutation, mutateCell } from "../../kit/cell/mutatedCell.ts";
import { anyCell } from "../../kit/model/modelValues.ts";

/** SETCP 0, DICTPUSHCONST, and more code after them. */
function codeOf(ids: readonly number[], bits = 19): Cell {
  const root =
    makeDictionary(
      uintKey(bits),
      cell,
      ids.map((id) => [id, emptyCell]),
    ).root ?? emptyCell;
  const start = beginCell().storeUint(0xff00, 16).storeUint(0b1111010010100, 13).storeBit(true).storeUint(bits, 10);
  return start.storeUint(0xf4bc, 16).storeRef(root).cell();
}

it("returns the ids in ascending order, negative ones as unsigned", () => {
  expect(readContractMethods(codeOf([0, 85143, 3, 524287, 102351]))).toEqual([0, 3, 85143, 102351, 524287]);
  expect(readContractMethods(codeOf([7, 1], 32))).toEqual([1, 7]);
});

it("returns nothing for code with another start", () => {
  const other = [
    emptyCell,
    beginCell().storeUint(0xff00, 16).cell(),
    beginCell().storeUint(0xff00, 16).storeUint(0xf4a413, 24).cell(),
    beginCell().storeUint(0xff01, 16).storeUint(0xf4a413, 24).storeRef(emptyCell).cell(),
    codeOf([1, 2], 33),
    makeLibrary(emptyCell.hash()),
  ];
  expect(other.map(readContractMethods)).toEqual(other.map(() => undefined));
});

it("never fails, whatever the code", () => {
  const code = codeOf([0, 85143, 3, 524287, 102351]);
  const mutated = fc
    .array(anyMutation, { minLength: 1, maxLength: 3 })
    .map((mutations) => mutations.reduce(mutateCell, code));
  fc.assert(
    fc.property(fc.oneof(anyCell, mutated), (cell) => {
      const ids = readContractMethods(cell) ?? [];
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    }),
    { numRuns: 1000 },
  );
});

it("limits the number of methods", () => {
  // Every fork leads to the same two cells: 2^16 methods in a few cells.
  let tree = beginCell().storeUint(0, 2).storeRef(emptyCell).cell();
  for (let i = 0; i < 16; i++) tree = beginCell().storeUint(0, 2).storeRef(tree).storeRef(tree).cell();
  const start = beginCell().storeUint(0xff00, 16).storeUint(0b1111010010100, 13).storeBit(true).storeUint(16, 10);
  expect(readContractMethods(start.storeRef(tree).cell())).toBeUndefined();
});
