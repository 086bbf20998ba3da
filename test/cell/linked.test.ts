import { describe, expect, it } from "vitest";
import { cellOf } from "../../kit/cell/anyCell.ts";
import { emptyCell } from "../../src/cell/Builder.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { loadCell, storeCell, struct, uint8, uint16 } from "../../src/cell/codec.ts";
import { makePruned } from "../../src/cell/exotic.ts";
import { Linked, linked, makeLinked } from "../../src/cell/linked.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

const Holder = struct({ first: uint8, link: linked(uint16) });

describe("a link", () => {
  it("is followed on demand, and stored as its cell", () => {
    const stored = storeCell(Holder, { first: 1, link: makeLinked(uint16, 500) });
    const back = loadCell(Holder, stored);
    expect([back.first, back.link.load(), back.link.cell.hash()]).toEqual([1, 500, cellOf("0000000111110100").hash()]);
    expect(storeCell(Holder, back).hash()).toBe(stored.hash());
  });

  it("to a pruned cell does not affect the rest", () => {
    const pruned = makePruned(cellOf("1", [emptyCell]), 1);
    const back = loadCell(Holder, cellOf("00000111", [pruned]));
    expect(back.first).toBe(7);
    expect(refusalCode(() => back.link.load())).toBe("cell/pruned");
  });

  it("is rejected when followed to something else", () => {
    expect(refusalCode(() => new Linked(cellOf("1") as Cell, uint16).load())).toBe("cell/underflow");
    expect(refusalCode(() => new Linked(cellOf("1".repeat(17)), uint16).load())).toBe("cell/leftover");
  });
});
