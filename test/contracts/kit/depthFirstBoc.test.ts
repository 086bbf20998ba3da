import { describe, expect, it } from "vitest";
import { beginCell } from "../../../src/cell/Builder.ts";
import { readRoot } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { writeDepthFirst } from "../../../src/contracts/kit/depthFirstBoc.ts";

function leaf(value: number): Cell {
  return beginCell().storeUint(value, 5).cell();
}

describe("bags in depth-first order", () => {
  it("read back as the same cells", () => {
    const shared = beginCell().storeUint(3, 8).storeRef(leaf(4)).cell();
    const root = beginCell().storeUint(1, 11).storeRef(shared).storeRef(beginCell().storeRef(shared).cell()).cell();
    expect(readRoot(writeDepthFirst(root)).hash()).toBe(root.hash());
  });

  it("put a cell right after the last reference to it", () => {
    const inner = leaf(9);
    const root = beginCell().storeRef(inner).storeRef(leaf(8)).storeRef(beginCell().storeRef(inner).cell()).cell();
    const bytes = writeDepthFirst(root);
    // root: references to 3, 1, 2; then the second leaf, the cell between, the shared leaf
    expect(bytes.subarray(11, 16).toString("hex")).toBe("0300030102");
  });

  it("are written in one pass, however often cells are shared", () => {
    let cell = leaf(1);
    for (let level = 0; level < 200; level++) cell = beginCell().storeRef(cell).storeRef(cell).storeRef(cell).cell();
    expect(readRoot(writeDepthFirst(cell)).hash()).toBe(cell.hash());
  });
});
