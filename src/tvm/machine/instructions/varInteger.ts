import type { CellSlice } from "../CellSlice.ts";
import { Exception, fail } from "../exceptions.ts";
import { type Instruction, plain } from "../instruction.ts";
import { bitSize } from "../integers.ts";
import type { Integer } from "../StackValue.ts";
import { appendInteger, sliceInt, sliceUint, smallUint } from "../slices.ts";

/** A length in bytes, then the number. */
export function loadVarInteger(
  slice: CellSlice,
  lengthBits: number,
  signed: boolean,
): { value: Integer; rest: CellSlice } {
  const bits = smallUint(slice, lengthBits) * 8;
  if (slice.bits < lengthBits + bits) fail(Exception.cellUnderflow);
  const value = signed ? sliceInt(slice, bits, lengthBits) : sliceUint(slice, bits, lengthBits);
  return { value, rest: slice.without(lengthBits + bits, 0) };
}

function load(opcode: string, name: string, lengthBits: number, signed: boolean): Instruction {
  return plain(opcode, name, ({ stack }) => {
    const { value, rest } = loadVarInteger(stack.popSlice(), lengthBits, signed);
    stack.pushAll([value, rest]);
  });
}

function store(opcode: string, name: string, lengthBits: number, signed: boolean): Instruction {
  return plain(opcode, name, ({ stack }) => {
    stack.need(2);
    const x = stack.popInt();
    const builder = stack.popBuilder();
    const bits = bitSize(x, signed) ?? fail(Exception.rangeCheck);
    const length = (bits + 7) >>> 3;
    if (length >= 1 << lengthBits) fail(Exception.rangeCheck);
    if (builder.freeBits < lengthBits + length * 8) fail(Exception.cellOverflow);
    stack.push(appendInteger(builder.withUint(length, lengthBits), x, length * 8));
  });
}

export const varIntegerInstructions: readonly Instruction[] = [
  load("FA00", "LDGRAMS", 4, false),
  load("FA01", "LDVARINT16", 4, true),
  store("FA02", "STGRAMS", 4, false),
  store("FA03", "STVARINT16", 4, true),
  load("FA04", "LDVARUINT32", 5, false),
  load("FA05", "LDVARINT32", 5, true),
  store("FA06", "STVARUINT32", 5, false),
  store("FA07", "STVARINT32", 5, true),
];
