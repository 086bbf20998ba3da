import { describe, expect, it } from "vitest";
import { sharedDictionary } from "../../../kit/cell/sharedDictionary.ts";
import { beginCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { makeLibrary } from "../../../src/cell/exotic.ts";
import { sliceOf } from "../../../src/cell/Slice.ts";
import { zeroHash } from "../../../src/model/Hash.ts";
import { extraCurrencies, storeMoney } from "../../../src/model/Money.ts";
import { skipOutMessage } from "../../../src/model/strict/OutMessage.ts";
import {
  cellBudget,
  follows,
  loadExtraRoot,
  type Skip,
  skipCell,
  skipCurrencies,
  skipStrictCurrencies,
} from "../../../src/model/strict/schemes.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

function isValid(cell: Cell, skip: Skip): boolean {
  return follows(() => skipCell(cell, skip, cellBudget()));
}

function currencies(count: number): Cell {
  let extra = extraCurrencies(undefined);
  for (let id = 0; id < count; id++) extra = extra.set(id, 1n);
  return storeMoney(beginCell(), { coins: 5n, extra: extra.root }).cell();
}

function outMessage(body: Cell): Cell {
  const builder = beginCell().storeUint(0, 4).storeUint(0, 2).storeUint(4, 3).storeUint(0, 8).storeHex(zeroHash);
  return builder
    .storeCoins(1n)
    .storeUint(0, 1 + 4 + 4)
    .storeBigUint(0n, 96)
    .storeUint(1, 2)
    .storeRef(body)
    .cell();
}

describe("schemas", () => {
  it("allow numbers with leading zeros only like the reference", () => {
    const padded = beginCell().storeUint(2, 4).storeUint(5, 16).storeBit(false).cell();
    expect([isValid(padded, skipCurrencies), isValid(padded, skipStrictCurrencies)]).toEqual([true, false]);
  });

  it("reject an extra currency of zero in a strict value", () => {
    const extra = extraCurrencies(undefined).set(3, 0n).root;
    const value = storeMoney(beginCell(), { coins: 1n, extra }).cell();
    expect([isValid(value, skipCurrencies), isValid(value, skipStrictCurrencies)]).toEqual([true, false]);
  });

  it("open at most 1,024 cells for one check", () => {
    // A dictionary of n entries has 2n - 1 cells; the value itself is one more.
    expect([isValid(currencies(512), skipCurrencies), isValid(currencies(513), skipCurrencies)]).toEqual([true, false]);
  });

  it("read the extra currencies of a message or an account only up to that number", () => {
    const read = (cell: Cell) => loadExtraRoot(sliceOf(cell).skip(12))?.hash();
    expect(read(currencies(512))).toBe(sliceOf(currencies(512)).loadRef().hash());
    expect(refusalCode(() => read(currencies(513)))).toBe("cell/tag");
    const shared = sharedDictionary(32, beginCell().storeUint(0, 2).storeUint(1, 5).storeUint(1, 8).cell());
    expect(refusalCode(() => loadExtraRoot(sliceOf(beginCell().storeMaybeRef(shared).cell())))).toBe("cell/tag");
  });

  it("reject an exotic cell as the body of a message", () => {
    expect(isValid(outMessage(beginCell().cell()), skipOutMessage)).toBe(true);
    expect(isValid(outMessage(makeLibrary(zeroHash)), skipOutMessage)).toBe(false);
  });

  it("reject left-over data", () => {
    expect(isValid(beginCell().storeCoins(1n).storeUint(0, 2).cell(), skipCurrencies)).toBe(false);
  });
});
