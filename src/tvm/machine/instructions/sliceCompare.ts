import type { CellSlice } from "../CellSlice.ts";
import { type Instruction, opcode } from "../instruction.ts";
import { compareSlices, countLeading, countTrailing, isPrefix, isSuffix, sliceUint } from "../slices.ts";

const bool = (value: boolean): number => (value ? -1 : 0);

function one(code: string, name: string, compute: (slice: CellSlice) => number): Instruction {
  return opcode(code, name, 1, ({ stack }) => stack.push(compute(stack.popSlice())));
}

function two(code: string, name: string, compute: (first: CellSlice, second: CellSlice) => number): Instruction {
  return opcode(code, name, 2, ({ stack }) => {
    const second = stack.popSlice();
    stack.push(compute(stack.popSlice(), second));
  });
}

/** A relation of two slices and its reverse, and both again for different slices only. */
function relation(digits: string, name: string, holds: (a: CellSlice, b: CellSlice) => boolean): Instruction[] {
  const isProper = (a: CellSlice, b: CellSlice) => a.bits < b.bits && holds(a, b);
  return [
    two(`C70${digits[0]}`, `SD${name}`, (a, b) => bool(holds(a, b))),
    two(`C70${digits[1]}`, `SD${name}REV`, (a, b) => bool(holds(b, a))),
    two(`C70${digits[2]}`, `SDP${name}`, (a, b) => bool(isProper(a, b))),
    two(`C70${digits[3]}`, `SDP${name}REV`, (a, b) => bool(isProper(b, a))),
  ];
}

export const sliceCompareInstructions: readonly Instruction[] = [
  one("C700", "SEMPTY", (slice) => bool(slice.bits === 0 && slice.refs === 0)),
  one("C701", "SDEMPTY", (slice) => bool(slice.bits === 0)),
  one("C702", "SREMPTY", (slice) => bool(slice.refs === 0)),
  one("C703", "SDFIRST", (slice) => bool(slice.bits > 0 && sliceUint(slice, 1) === 1)),
  two("C704", "SDLEXCMP", (a, b) => Math.sign(compareSlices(a, b))),
  two("C705", "SDEQ", (a, b) => bool(compareSlices(a, b) === 0)),
];

/** Beginnings and ends of slices. */
export const sliceEndInstructions: readonly Instruction[] = [
  ...relation("89AB", "PFX", isPrefix),
  ...relation("CDEF", "SFX", isSuffix),
  one("C710", "SDCNTLEAD0", (slice) => countLeading(slice, 0)),
  one("C711", "SDCNTLEAD1", (slice) => countLeading(slice, 1)),
  one("C712", "SDCNTTRAIL0", (slice) => countTrailing(slice, 0)),
  one("C713", "SDCNTTRAIL1", (slice) => countTrailing(slice, 1)),
];
