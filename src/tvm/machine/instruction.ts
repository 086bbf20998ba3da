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

/** How an instruction is declared. */
export interface Declaration<T> {
  readonly name: string;
  /**
   * Hex digits of the fixed part, `x` for digits of operands. `MIN-MAX` is a range whose last digits are operands.
   */
  readonly opcode: string;
  /** Length of the fixed part when it is no multiple of four bits. */
  readonly bits?: number;
  /** Operands in the last bits of the fixed part, in their order. */
  readonly args?: readonly Operand[];
  readonly tail?: Tail<T>;
  /** The first global version that knows it. */
  readonly since?: number;
  run(vm: Vm, a: number, b: number, c: number, data: T): void;
}

/** A declared instruction with its range of 24-bit opcodes. */
export interface Instruction {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  readonly bits: number;
  readonly args: readonly Operand[];
  readonly tail: Tail<unknown> | undefined;
  readonly since: number;
  readonly gas: number;
  run(vm: Vm, a: number, b: number, c: number, data: unknown): void;
}

export function instruction<T = undefined>(declared: Declaration<T>): Instruction {
  const [low, high = low] = declared.opcode.split("-") as [string, string?];
  const bits = declared.bits ?? low.length * 4;
  return {
    name: declared.name,
    first: Number.parseInt(low.replaceAll("x", "0").padEnd(6, "0"), 16),
    last: Number.parseInt(high.replaceAll("x", "F").padEnd(6, "F"), 16),
    bits,
    args: declared.args ?? [],
    // The kit's two casts: a tail's own result is what `run` is given.
    tail: declared.tail as Tail<unknown> | undefined,
    run: declared.run as Instruction["run"],
    since: declared.since ?? 0,
    gas: 10 + bits,
  };
}

/** Makes one declaration from a short form; families of plain instructions are lists of these. */
export function plain(opcode: string, name: string, run: (vm: Vm) => void, since = 0): Instruction {
  return instruction({ name, opcode, since, run });
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

/** A stack register. */
export function register(bits = 4): Operand {
  return { bits, decode: (raw) => raw, show: (value) => `s${value}` };
}

/** A control register. */
export const control: Operand = { bits: 4, decode: (raw) => raw, show: (value) => `c${value}` };
