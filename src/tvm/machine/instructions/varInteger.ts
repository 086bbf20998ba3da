import type { CellSlice } from "../CellSlice.ts";
import { Exception, fail } from "../exceptions.ts";
import { type Instruction, opcode } from "../instruction.ts";
import { bitSize } from "../integers.ts";
import type { Integer } from "../StackValue.ts";
import { appendInteger, checkRoom, sliceInt, sliceUint, smallUint } from "../slices.ts";

/** A length in bytes, then the number. */
export function loadVarInteger(slice: CellSlice, lengthBits: number, signed: boolean) {
  const bits = smallUint(slice, lengthBits) * 8;
  if (slice.bits < lengthBits + bits) fail(Exception.cellUnderflow);
  const value: Integer = signed ? sliceInt(slice, bits, lengthBits) : sliceUint(slice, bits, lengthBits);
  return { value, rest: slice.without(lengthBits + bits, 0) };
}

function load(code: string, name: string, lengthBits: number, signed: boolean): Instruction {
  return opcode(code, name, 1, ({ stack }) => {
    const { value, rest } = loadVarInteger(stack.popSlice(), lengthBits, signed);
    stack.push(value).push(rest);
  });
}

function store(code: string, name: string, lengthBits: number, signed: boolean): Instruction {
  return opcode(code, name, 2, ({ stack }) => {
    const x = stack.popInt();
    const builder = stack.popBuilder();
    const bits = bitSize(x, signed) ?? fail(Exception.rangeCheck);
    const length = (bits + 7) >>> 3;
    if (length >= 1 << lengthBits) fail(Exception.rangeCheck);
    checkRoom(builder, lengthBits + length * 8, 0);
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
