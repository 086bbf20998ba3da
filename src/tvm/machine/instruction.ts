import type { CellSlice } from "./CellSlice.ts";
import type { Vm } from "./Vm.ts";

/** An operand in the fixed part of an instruction. */
export interface Operand {
  readonly bits: number;
  decode(raw: number): number;
  show(value: number): string;
}

/** What follows behind the fixed part: data bits and references, decoded once for each place in the code. */
export interface Tail<T> {
  /** How many bits and references there are, by the operands. */
  size(a: number, b: number): { readonly bits: number; readonly refs: number };
  decode(data: CellSlice): T;
  show(data: T): string;
}

type Run<T = undefined> = (vm: Vm, a: number, b: number, c: number, data: T) => unknown;

/** A declared instruction with its range of 24-bit opcodes. */
export interface Instruction {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  readonly bits: number;
  /** Operands in the last bits of the fixed part, in their order. */
  readonly args: readonly Operand[];
  readonly tail: Tail<unknown> | undefined;
  /** The first global version that knows it. */
  readonly since: number;
  readonly need: number;
  readonly gas: number;
  run(vm: Vm, a: number, b: number, c: number, data: unknown): void;
}

type Details<T> = Partial<Pick<Instruction, "need" | "since" | "bits">> & { readonly tail?: Tail<T> };

/** The name of an instruction, with its operands if it has any. */
export type Mnemonic = string | readonly [name: string, ...args: Operand[]];

/**
 * Declares an instruction. The code has the hex digits of the fixed part, `x` for digits of operands; `MIN-MAX` is a
 * range whose last digits are operands. A number in the place of details says how many values must be on the stack.
 */
export function opcode<T = undefined>(
  code: string,
  mnemonic: Mnemonic,
  details: number | Details<T>,
  run: Run<T>,
): Instruction {
  const dash = code.indexOf("-");
  const low = dash < 0 ? code : code.slice(0, dash);
  const {
    need = 0,
    since = 0,
    bits = low.length * 4,
    tail,
  } = typeof details === "number" ? countOnly(details) : details;
  return {
    name: typeof mnemonic === "string" ? mnemonic : mnemonic[0],
    first: Number.parseInt(low, 16) << shiftOf(low),
    last: dash < 0 ? lastOf(low) : lastOf(code.slice(dash + 1)),
    bits,
    args: typeof mnemonic === "string" ? noOperands : (mnemonic.slice(1) as readonly Operand[]),
    // The kit's two casts: a tail's own result is what `run` is given.
    tail: tail as Tail<unknown> | undefined,
    since,
    need,
    gas: 10 + bits,
    run: run as Instruction["run"],
  };
}

// There are a thousand declarations, and every process evaluates them before its first answer: none makes more objects
// than it needs.
const noOperands: readonly Operand[] = [];

function countOnly(need: number): Details<undefined> & { tail?: undefined } {
  return { need };
}

/** How many bits of a 24-bit opcode the digits before the first `x` leave. */
function shiftOf(digits: string): number {
  const x = digits.indexOf("x");
  return 24 - 4 * (x < 0 ? digits.length : x);
}

function lastOf(digits: string): number {
  return ((Number.parseInt(digits, 16) + 1) << shiftOf(digits)) - 1;
}

/**
 * Declares an instruction on integers and its quiet form, which has a prefix and gives NaN where the other one throws.
 */
export function withQuiet(
  code: string,
  mnemonic: Mnemonic,
  details: number | Details<undefined>,
  makeRun: (quiet: boolean) => Run,
): Instruction[] {
  const [name, ...args] = typeof mnemonic === "string" ? [mnemonic] : mnemonic;
  return [
    opcode(code, mnemonic, details, makeRun(false)),
    opcode(`B7${code}`, [`Q${name}`, ...args], details, makeRun(true)),
  ];
}

export function hexDigits(value: number, length = 1): string {
  return value.toString(16).toUpperCase().padStart(length, "0");
}

const show = (value: number): string => String(value);

/** An unsigned number, of which a constant is the lowest value. */
export function uint(bits: number, lowest = 0): Operand {
  return { bits, decode: (raw) => raw + lowest, show };
}

export function int(bits: number): Operand {
  return { bits, decode: (raw) => (raw << (32 - bits)) >> (32 - bits), show };
}

/** A number of which the highest codes are negative, `below` of them. */
export function wrapped(bits: number, below: number): Operand {
  const size = 1 << bits;
  return { bits, decode: (raw) => (raw >= size - below ? raw - size : raw), show };
}

export function register(bits = 4): Operand {
  return { bits, decode: (raw) => raw, show: (value) => `s${value}` };
}

/** An operand that only gives the size of the data is not shown. */
export function hidden(bits: number): Operand {
  return { ...uint(bits), show: () => "" };
}

export const control: Operand = { bits: 4, decode: (raw) => raw, show: (value) => `c${value}` };
