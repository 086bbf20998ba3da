import { describe, expect, it } from "vitest";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import { makeLibrary } from "../../../src/cell/exotic.ts";
import type { Hash } from "../../../src/cell/Hash.ts";
import { openSlice, sliceCell, VmCellSlice, wholeSlice } from "../../../src/model/vm/VmCellSlice.ts";
import { itHoldsForRandom } from "../../kit/cell/checkCodec.ts";
import { anyVmSlice } from "../../kit/model/vmValues.ts";

describe("slices of cells", () => {
  itHoldsForRandom("VmCellSlice", VmCellSlice, anyVmSlice);

  it("start at their beginning and end at their end", () => {
    const cell = beginCell().storeUint(0x1234, 16).storeRef(emptyCell).storeRef(emptyCell).cell();
    const slice = openSlice({ cell, bitStart: 4, bitEnd: 12, refStart: 1, refEnd: 2 });
    expect([slice.remainingBits, slice.remainingRefs, slice.loadUint(8)]).toEqual([8, 1, 0x23]);
  });

  it("are their cell if complete, and a new cell otherwise", () => {
    const cell = beginCell().storeUint(0x1234, 16).cell();
    expect(sliceCell(wholeSlice(cell))).toBe(cell);
    expect(sliceCell({ ...wholeSlice(cell), bitStart: 8 }).hash()).toBe(beginCell().storeUint(0x34, 8).cell().hash());
  });

  it("show the raw bits of exotic cells", () => {
    const library = makeLibrary("ab".repeat(32) as Hash);
    const cell = sliceCell(wholeSlice(library));
    expect([cell.isExotic, cell.bitLength]).toEqual([false, 264]);
  });
});
