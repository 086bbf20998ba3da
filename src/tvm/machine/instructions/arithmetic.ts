import { Exception, fail } from "../exceptions.ts";
import { type Instruction, int, type Operand, uint, withQuiet } from "../instruction.ts";
import { add, bitSize, fitsSigned, fitsUnsigned, fromBig, isNaNInteger, multiply, subtract } from "../integers.ts";
import type { Integer } from "../StackValue.ts";
import type { Vm } from "../Vm.ts";
import { countWords, maxWords, wordBits } from "../words.ts";

type Two = (x: Integer, y: Integer, vm: Vm) => Integer;
type OneArg = (x: Integer, a: number, vm: Vm) => Integer;

function binary(code: string, name: string, compute: Two): Instruction[] {
  return withQuiet(code, name, 2, (quiet) => (vm) => {
    const { stack } = vm;
    const y = stack.popInt();
    stack.pushInt(compute(stack.popInt(), y, vm), quiet);
  });
}

function unary(code: string, name: string, compute: (x: Integer) => Integer): Instruction[] {
  return withQuiet(code, name, 1, (quiet) => (vm) => vm.stack.pushInt(compute(vm.stack.popInt()), quiet));
}

function unaryArg(code: string, name: string, arg: Operand, compute: OneArg): Instruction[] {
  return withQuiet(code, [name, arg], 1, (quiet) => (vm, a) => {
    vm.stack.pushInt(compute(vm.stack.popInt(), a, vm), quiet);
  });
}

/**
 * NaN has no words in the reference. Before version 14 (13 where the shift is on the stack) a shift filled them with
 * zeros, or took the sign for a negative one, and made a number of it.
 */
export function shiftNaNLeft(bits: number): Integer {
  const words = Math.floor(bits / wordBits);
  return words > 0 && words <= maxWords ? 0 : Number.NaN;
}

export function shiftNaNRight(bits: number, isFloor: boolean): Integer {
  if (bits === 0) return Number.NaN;
  return isFloor && bits > 64 - wordBits ? -1 : 0;
}

export function shiftLeft(x: Integer, bits: number): Integer {
  if (isNaNInteger(x)) return shiftNaNLeft(bits);
  if (x === 0) return bits < wordBits * maxWords ? 0 : Number.NaN;
  if (bits > 260) return Number.NaN;
  if (typeof x === "number" && bits < 53) return multiply(x, 2 ** bits);
  return fromBig(BigInt(x) << BigInt(bits));
}

export function shiftRight(x: Integer, bits: number): Integer {
  if (isNaNInteger(x)) return shiftNaNRight(bits, true);
  if (typeof x === "number") return bits < 1000 ? Math.floor(x / 2 ** bits) : x < 0 ? -1 : 0;
  return fromBig(x >> BigInt(bits));
}

/** Shifts by a constant keep NaN since version 14. */
function constantShift(shift: (x: Integer, bits: number) => Integer): OneArg {
  return (x, bits, vm) => (vm.version >= 14 && isNaNInteger(x) ? Number.NaN : shift(x, bits));
}

const largestShift = 1023;

/** A shift or exponent from the stack; since version 13 a wrong one gives NaN in quiet instructions. */
function popShift(vm: Vm, quiet: boolean): number {
  const bits = vm.stack.popInt();
  if (typeof bits === "number" && bits >= 0 && bits <= largestShift) return bits;
  return quiet && vm.version >= 13 ? Number.NaN : fail(Exception.rangeCheck);
}

function variableShift(code: string, name: string, shift: (x: Integer, bits: number) => Integer): Instruction[] {
  return withQuiet(code, name, 2, (quiet) => (vm) => {
    const bits = popShift(vm, quiet);
    const x = vm.stack.popInt();
    const isWrong = Number.isNaN(bits) || (vm.version >= 13 && isNaNInteger(x));
    vm.stack.pushInt(isWrong ? Number.NaN : shift(x, bits), quiet);
  });
}

interface Bitwise {
  readonly small: (x: number, y: number) => number;
  readonly large: (x: bigint, y: bigint) => bigint;
  /** The number that decides the result alone: before version 13 even against NaN. */
  readonly absorbing?: number;
}

/**
 * The reference overflows where the lower operand has fewer words than the upper one and the result has more than
 * either.
 */
function inWords(x: bigint, y: bigint, compute: (x: bigint, y: bigint) => bigint): Integer {
  const [words, result] = [countWords(y), compute(x, y)];
  return countWords(x) < words && words < countWords(result) ? Number.NaN : fromBig(result);
}

/** Operations on bits, which numbers of 32 bits do directly. */
function bitwise(code: string, name: string, { small, large, absorbing }: Bitwise) {
  return binary(code, name, (x, y, vm) => {
    if (typeof x === "number" && typeof y === "number" && (x | 0) === x && (y | 0) === y) return small(x, y);
    if (!isNaNInteger(x) && !isNaNInteger(y)) return inWords(BigInt(x), BigInt(y), large);
    return absorbing !== undefined && vm.version < 13 && (x === absorbing || y === absorbing) ? absorbing : Number.NaN;
  });
}

const shift = uint(8, 1);

const addition: readonly Instruction[] = [
  ...binary("A0", "ADD", add),
  ...binary("A1", "SUB", subtract),
  ...binary("A2", "SUBR", (x, y) => subtract(y, x)),
  ...unary("A3", "NEGATE", (x) => subtract(0, x)),
  ...unary("A4", "INC", (x) => add(x, 1)),
  ...unary("A5", "DEC", (x) => subtract(x, 1)),
  ...unaryArg("A6xx", "ADDINT", int(8), add),
  ...unaryArg("A7xx", "MULINT", int(8), multiply),
  ...binary("A8", "MUL", multiply),
];

const logic: readonly Instruction[] = [
  ...unaryArg("AAxx", "LSHIFT", shift, constantShift(shiftLeft)),
  ...unaryArg("ABxx", "RSHIFT", shift, constantShift(shiftRight)),
  ...variableShift("AC", "LSHIFT", shiftLeft),
  ...variableShift("AD", "RSHIFT", shiftRight),
  ...withQuiet("AE", "POW2", 1, (quiet) => (vm) => {
    const bits = popShift(vm, quiet);
    vm.stack.pushInt(bits <= 256 ? fromBig(1n << BigInt(bits)) : Number.NaN, quiet);
  }),
  ...bitwise("B0", "AND", { small: (x, y) => x & y, large: (x, y) => x & y, absorbing: 0 }),
  ...bitwise("B1", "OR", { small: (x, y) => x | y, large: (x, y) => x | y, absorbing: -1 }),
  ...bitwise("B2", "XOR", { small: (x, y) => x ^ y, large: (x, y) => x ^ y }),
  ...unary("B3", "NOT", (x) => subtract(-1, x)),
];

const onlyIf = (x: Integer, fits: boolean): Integer => (fits ? x : Number.NaN);

function variableFit(code: string, name: string, fits: (x: Integer, bits: number) => boolean): Instruction[] {
  return withQuiet(code, name, 2, (quiet) => ({ stack }) => {
    const bits = stack.popSmall(1023);
    const x = stack.popInt();
    stack.pushInt(onlyIf(x, fits(x, bits)), quiet);
  });
}

function measure(code: string, name: string, signed: boolean): Instruction[] {
  return withQuiet(code, name, 1, (quiet) => ({ stack }) => {
    stack.push(bitSize(stack.popInt(), signed) ?? (quiet ? Number.NaN : fail(Exception.rangeCheck)));
  });
}

const fitting: readonly Instruction[] = [
  ...unaryArg("B4xx", "FITS", shift, (x, bits) => onlyIf(x, fitsSigned(x, bits))),
  ...unaryArg("B5xx", "UFITS", shift, (x, bits) => onlyIf(x, fitsUnsigned(x, bits))),
  ...variableFit("B600", "FITSX", fitsSigned),
  ...variableFit("B601", "UFITSX", fitsUnsigned),
  ...measure("B602", "BITSIZE", true),
  ...measure("B603", "UBITSIZE", false),
];

const smaller: Two = (x, y) => (isNaNInteger(x) || isNaNInteger(y) ? Number.NaN : x < y ? x : y);
const larger: Two = (x, y) => (isNaNInteger(x) || isNaNInteger(y) ? Number.NaN : x < y ? y : x);

const other: readonly Instruction[] = [
  ...binary("B608", "MIN", smaller),
  ...binary("B609", "MAX", larger),
  ...withQuiet("B60A", "MINMAX", 2, (quiet) => (vm) => {
    const x = vm.stack.popInt();
    const y = vm.stack.popInt();
    vm.stack.pushInt(smaller(x, y, vm), quiet).pushInt(larger(x, y, vm), quiet);
  }),
  ...unary("B60B", "ABS", (x) => (x < 0 ? subtract(0, x) : x)),
];

export const arithmeticInstructions: readonly Instruction[] = [...addition, ...logic, ...fitting, ...other];
