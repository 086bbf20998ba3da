import fc from "fast-check";
import { makeDictionary } from "../../../src/cell/dictionary.ts";
import { uintKey } from "../../../src/cell/keys.ts";
import { type VmCellSlice, wholeSlice } from "../../../src/model/vm/VmCellSlice.ts";
import { VmStackValue } from "../../../src/model/vm/VmStack.ts";
import type { VmControlData, VmContValue, VmValue, VmValues } from "../../../src/model/vm/VmValue.ts";
import { anyBig, anyCell, anyInt32, anySignedBig, anyUint, orAbsent } from "./modelValues.ts";

const order = (a: number, b: number): number => a - b;

/** A part of a random cell. */
export const anyVmSlice: fc.Arbitrary<VmCellSlice> = fc
  .tuple(anyCell, fc.nat(), fc.nat(), fc.nat(), fc.nat())
  .map(([cell, a, b, c, d]) => {
    const [bitStart = 0, bitEnd = 0] = [a % (cell.bitLength + 1), b % (cell.bitLength + 1)].sort(order);
    const [refStart = 0, refEnd = 0] = [c % (cell.refCount + 1), d % (cell.refCount + 1)].sort(order);
    return { ...wholeSlice(cell), bitStart, bitEnd, refStart, refEnd };
  });

interface Tree {
  value: VmValue;
  stack: VmValues;
  data: VmControlData;
  cont: VmContValue;
}

const kind = <K extends string>(name: K): fc.Arbitrary<K> => fc.constant(name);

/** Nested values, stacks and continuations, a few levels deep. */
export const anyVm = fc.letrec((tie: fc.LetrecTypedTie<Tree>) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ kind: kind("null") }),
    fc.record({ kind: kind("nan") }),
    fc.record({ kind: kind("int"), value: fc.oneof(anySignedBig(64), anySignedBig(66), anySignedBig(257)) }),
    fc.record({ kind: kind("cell"), cell: anyCell }),
    fc.record({ kind: kind("builder"), cell: anyCell }),
    fc.record({ kind: kind("slice"), slice: anyVmSlice }),
    fc.record({ kind: kind("tuple"), items: fc.array(tie("value"), { maxLength: 5 }) }),
    fc.record({ kind: kind("cont"), cont: tie("cont") }),
  ),
  stack: fc.array(tie("value"), { maxLength: 4 }),
  data: fc.record({
    nargs: orAbsent(anyUint(13)),
    stack: orAbsent(fc.array(fc.record({ kind: kind("int"), value: anySignedBig(257) }), { maxLength: 3 })),
    save: fc
      .uniqueArray(fc.tuple(anyUint(4), tie("value")), { maxLength: 3, selector: ([key]) => key })
      .map((entries) => makeDictionary(uintKey(4), VmStackValue, entries)),
    codepage: orAbsent(fc.integer({ min: -0x8000, max: 0x7fff })),
  }),
  cont: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ kind: kind("quitExc") }),
    fc.record({ kind: kind("quit"), exitCode: anyInt32 }),
    fc.record({ kind: kind("std"), data: tie("data"), code: anyVmSlice }),
    fc.record({ kind: kind("envelope"), data: tie("data"), next: tie("cont") }),
    fc.record({ kind: kind("repeat"), count: anyBig(63), body: tie("cont"), after: tie("cont") }),
    fc.record({ kind: kind("until"), body: tie("cont"), after: tie("cont") }),
    fc.record({ kind: kind("again"), body: tie("cont") }),
    fc.record({ kind: kind("whileCond"), cond: tie("cont"), body: tie("cont"), after: tie("cont") }),
    fc.record({ kind: kind("whileBody"), cond: tie("cont"), body: tie("cont"), after: tie("cont") }),
    fc.record({ kind: kind("pushInt"), value: anyInt32, next: tie("cont") }),
  ),
}));
