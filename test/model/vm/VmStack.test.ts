import { describe, expect, it } from "vitest";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import { readRoot } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import { makeDictionary } from "../../../src/cell/dictionary.ts";
import { uintKey } from "../../../src/cell/keys.ts";
import { wholeSlice } from "../../../src/model/vm/VmCellSlice.ts";
import { maxVmValues, VmCont, VmStack, VmStackValue } from "../../../src/model/vm/VmStack.ts";
import type { VmControlData, VmContValue, VmValue } from "../../../src/model/vm/VmValue.ts";
import { itHoldsForRandom } from "../../kit/cell/checkCodec.ts";
import { readableValue } from "../../kit/model/readableStack.ts";
import { anyVm } from "../../kit/model/vmValues.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

/** One value of every kind, written by the reference machine. */
const recorded =
  "te6ccgEBDQEAYwABGAAACQH/////////+wEBBAL/AgELBoAAAAA4AwMGBwACBAsMAgIFBQoCCQQAAIAgBgoCAgMHCgECAAgBEgEAAAAAAAAAAQkAAAACpQASAQAAAAAAAAABABIBAAAAAAAAAAI=";

const one: VmValue = { kind: "int", value: 1n };

describe("recorded stack", () => {
  const cell = readRoot(Buffer.from(recorded, "base64"));

  it("is read bottom first", () => {
    expect(loadCell(VmStack, cell).map(readableValue)).toEqual([
      "1",
      null,
      { cell: { bits: "A5" } },
      { slice: { bits: "A5" } },
      { builder: { bits: "A5" } },
      ["1", "2"],
      { cont: "quit" },
      "NaN",
      "-5",
    ]);
  });

  it("is stored unchanged", () => {
    expect(storeCell(VmStack, loadCell(VmStack, cell)).hash()).toBe(cell.hash());
  });
});

describe("random stacks", () => {
  itHoldsForRandom("VmStackValue", VmStackValue, anyVm.value, 500);
  itHoldsForRandom("VmStack", VmStack, anyVm.stack, 500);
  itHoldsForRandom("VmCont", VmCont, anyVm.cont, 500);
});

describe("numbers", () => {
  const size = (value: bigint): number => storeCell(VmStackValue, { kind: "int", value }).bitLength;

  it("are short if they fit 64 bits", () => {
    expect([size((1n << 63n) - 1n), size(-(1n << 63n))]).toEqual([72, 72]);
    expect([size(1n << 63n), size(-(1n << 63n) - 1n)]).toEqual([272, 272]);
  });

  it("are rejected beyond 257 bits", () => {
    expect(size((1n << 256n) - 1n)).toBe(272);
    expect(refusalCode(() => size(1n << 256n))).toBe("cell/range");
  });

  it("are read from the long form whatever their size", () => {
    const cell = beginCell().storeUint(0x0100, 15).storeBigInt(-7n, 257).cell();
    expect(loadCell(VmStackValue, cell)).toEqual({ kind: "int", value: -7n });
  });

  it("do not start with an invalid NaN mark", () => {
    for (const tag of [0x0202, 0x02fe, 0x027f])
      expect(refusalCode(() => loadCell(VmStackValue, beginCell().storeUint(tag, 16).cell()))).toBe("cell/tag");
  });
});

describe("slices", () => {
  const stored = (start: number, end: number, refStart: number, refEnd: number): Cell =>
    beginCell()
      .storeUint(4, 8)
      .storeRef(beginCell().storeUint(0xa5, 8).storeRef(emptyCell).cell())
      .storeUint(start, 10)
      .storeUint(end, 10)
      .storeUint(refStart, 3)
      .storeUint(refEnd, 3)
      .cell();

  it("are within their cell", () => {
    expect(readableValue(loadCell(VmStackValue, stored(4, 8, 1, 1)))).toEqual({ slice: { bits: "5" } });
    expect(refusalCode(() => loadCell(VmStackValue, stored(4, 9, 0, 1)))).toBe("model/value");
    expect(refusalCode(() => loadCell(VmStackValue, stored(5, 4, 0, 1)))).toBe("model/value");
    expect(refusalCode(() => loadCell(VmStackValue, stored(0, 8, 0, 2)))).toBe("model/value");
    expect(refusalCode(() => loadCell(VmStackValue, stored(0, 8, 0, 5)))).toBe("cell/range");
  });
});

describe("hostile stacks", () => {
  it("cannot claim more values than they have", () => {
    for (const claim of [2, 255, 2 ** 24 - 1]) {
      const cell = beginCell().storeUint(claim, 24).storeRef(emptyCell).storeUint(0, 8).cell();
      expect(refusalCode(() => loadCell(VmStack, cell))).toBe("cell/underflow");
    }
    const tuple = beginCell().storeUint(7, 8).storeUint(0xffff, 16).storeRef(emptyCell).storeRef(emptyCell).cell();
    expect(refusalCode(() => loadCell(VmStackValue, tuple))).toBe("cell/underflow");
  });

  it("cannot have less than they claim", () => {
    const bottom = beginCell().storeUint(1, 8).cell();
    const cell = beginCell().storeUint(1, 24).storeRef(bottom).storeUint(0, 8).cell();
    expect(refusalCode(() => loadCell(VmStack, cell))).toBe("cell/leftover");
  });

  it("cannot multiply by sharing cells", () => {
    let value = storeCell(VmStackValue, one);
    for (let i = 0; i < 500; i++)
      value = beginCell().storeUint(7, 8).storeUint(2, 16).storeRef(value).storeRef(value).cell();
    expect(refusalCode(() => loadCell(VmStackValue, value))).toBe("model/value");
    let loop = storeCell(VmCont, { kind: "quitExc" });
    for (let i = 0; i < 500; i++) loop = beginCell().storeUint(0b110000, 6).storeRef(loop).storeRef(loop).cell();
    expect(refusalCode(() => loadCell(VmCont, loop))).toBe("model/value");
  });

  it("may be as deep as cells are", () => {
    let list: VmValue = { kind: "null" };
    for (let i = 0; i < 1020; i++) list = { kind: "tuple", items: [one, list] };
    const cell = storeCell(VmStackValue, list);
    expect(cell.depth()).toBe(1020);
    expect(storeCell(VmStackValue, loadCell(VmStackValue, cell)).hash()).toBe(cell.hash());
    let cont: VmContValue = { kind: "quit", exitCode: 0 };
    for (let i = 0; i < 1020; i++) cont = { kind: "again", body: cont };
    const again = storeCell(VmCont, cont);
    expect(storeCell(VmCont, loadCell(VmCont, again)).hash()).toBe(again.hash());
  });

  it("may contain continuations with stacks, as deep as cells are", () => {
    const save = makeDictionary(uintKey(4), VmStackValue, []);
    let value: VmValue = one;
    for (let i = 0; i < 1020; i++) {
      const data: VmControlData = { nargs: undefined, stack: [{ kind: "tuple", items: [value] }], save, codepage: 0 };
      value = { kind: "cont", cont: { kind: "std", data, code: wholeSlice(emptyCell) } };
    }
    const cell = storeCell(VmStackValue, value);
    expect(cell.depth()).toBe(1020);
    expect(storeCell(VmStackValue, loadCell(VmStackValue, cell)).hash()).toBe(cell.hash());
  });

  it("are rejected if too deep to store", () => {
    let value: VmValue = one;
    for (let i = 0; i < 10_000; i++) value = { kind: "tuple", items: [value] };
    expect(refusalCode(() => storeCell(VmStackValue, value))).toBe("cell/depth");
    expect(
      refusalCode(() =>
        storeCell(
          VmStack,
          Array.from({ length: 5000 }, () => one),
        ),
      ),
    ).toBe("cell/depth");
  });

  it("are rejected if too many to store", () => {
    const items = Array.from({ length: 200 }, () => one);
    const many: VmValue = { kind: "tuple", items: items.map(() => ({ kind: "tuple", items })) };
    const stack = Array.from({ length: Math.ceil(maxVmValues / 40_000) }, () => many);
    expect(refusalCode(() => storeCell(VmStack, stack))).toBe("model/value");
  });
});
