import { Exception, fail } from "../exceptions.ts";
import { hexDigits, type Instruction, opcode, uint } from "../instruction.ts";
import { divideBig, isNaNInteger, Rounding } from "../integers.ts";
import type { Integer } from "../StackValue.ts";
import type { Vm } from "../Vm.ts";
import { signBehind } from "../words.ts";
import { shiftNaNLeft, shiftNaNRight } from "./arithmetic.ts";

/** What is pushed: quotient (1), remainder (2) or both; `adds` when one more number is added to the dividend. */
interface Form {
  readonly results: number;
  readonly adds: boolean;
  readonly rounding: number;
  readonly quiet: boolean;
}

interface Family {
  readonly code: string;
  readonly name: (what: string, form: Form) => string;
  /** Values that every form takes, a shift on the stack included. */
  readonly need: number;
  readonly hasOperand?: true;
  readonly run: (vm: Vm, form: Form, shift: number | undefined) => void;
}

const codes = Array.from({ length: 16 }, (_, code) => code);

/**
 * The forms of an instruction by its last hex digit. A rounding of 3 is charged as the others are and is invalid, and
 * so were the forms that add a number before version 4.
 */
function declare({ code, name, need, hasOperand, run }: Family, quiet: boolean): Instruction[] {
  return codes.map((digit) => {
    const results = digit >> 2;
    const form: Form = { results: results || 3, adds: results === 0, rounding: digit & 3, quiet };
    const what = `${form.results & 1 ? "DIV" : ""}${form.results & 2 ? "MOD" : ""}`;
    const title = form.rounding === 3 ? "(invalid rounding)" : `${quiet ? "Q" : ""}${name(what, form)}`;
    const whole = `${quiet ? "B7" : ""}${code}${hexDigits(digit)}`;
    const runForm = (vm: Vm, shift: number | undefined): void => {
      if (form.rounding === 3 || (form.adds && vm.version < 4)) fail(Exception.invalidOpcode);
      vm.stack.need(form.adds ? need + 1 : need);
      run(vm, form, shift);
    };
    if (hasOperand) return opcode(`${whole}xx`, [title, ...(form.rounding === 3 ? [] : [uint(8, 1)])], 0, runForm);
    return opcode(whole, title, 0, (vm) => runForm(vm, undefined));
  });
}

function pushNaNs({ stack }: Vm, { results, quiet }: Form): void {
  stack.pushInt(Number.NaN, quiet);
  if (results === 3) stack.push(Number.NaN);
}

function pushResults({ stack }: Vm, { results, quiet }: Form, quotient: bigint, remainder: bigint): void {
  if (results & 1) stack.pushBig(quotient, quiet);
  if (results & 2) stack.pushBig(remainder, quiet);
}

/** Divides small numbers without bigint. */
function divideSmall(vm: Vm, form: Form, x: number, y: number): void {
  let quotient = Math.floor(x / y);
  let remainder = x - quotient * y;
  // The division of doubles may round up to the next whole number.
  if (remainder !== 0 && remainder < 0 !== y < 0) {
    quotient -= 1;
    remainder += y;
  }
  const { rounding, results } = form;
  const isUp =
    rounding === Rounding.ceiling
      ? remainder !== 0
      : rounding === Rounding.nearest && Math.abs(remainder) * 2 >= Math.abs(y);
  if (results & 1) vm.stack.push(isUp ? quotient + 1 : quotient);
  if (results & 2) vm.stack.push(isUp ? remainder - y : remainder);
}

const smallLimit = 2 ** 51;
const isSmall = (x: Integer): x is number => typeof x === "number" && x > -smallLimit && x < smallLimit;

function divide(vm: Vm, form: Form, x: bigint, y: Integer): void {
  if (isNaNInteger(y) || y === 0) return void pushNaNs(vm, form);
  const { quotient, remainder } = divideBig(x, BigInt(y), form.rounding);
  pushResults(vm, form, quotient, remainder);
}

const popAdded = ({ stack }: Vm, { adds }: Form): Integer => (adds ? stack.popInt() : 0);

/** [x w] y: x + w by y. */
function runDivide(vm: Vm, form: Form): void {
  const y = vm.stack.popInt();
  const w = popAdded(vm, form);
  const x = vm.stack.popInt();
  if (isNaNInteger(x) || isNaNInteger(w)) return void pushNaNs(vm, form);
  if (isSmall(x) && isSmall(y) && isSmall(w) && y !== 0) return void divideSmall(vm, form, x + w, y);
  divide(vm, form, BigInt(x) + BigInt(w), y);
}

/** x y [w] z: x * y + w by z. */
function runMultiplyDivide(vm: Vm, form: Form): void {
  const z = vm.stack.popInt();
  const w = popAdded(vm, form);
  const y = vm.stack.popInt();
  const x = vm.stack.popInt();
  if ([x, y, w].some(isNaNInteger)) return void pushNaNs(vm, form);
  divide(vm, form, BigInt(x) * BigInt(y) + BigInt(w), z);
}

const largestShift = 256;

/** A shift from the stack: NaN stands for a wrong one where the instruction may go on with it. */
function popShift(vm: Vm, form: Form, quietSince: number): number {
  const shift = vm.stack.popInt();
  if (typeof shift === "number" && shift >= 0 && shift <= largestShift) return shift;
  return form.quiet && vm.version >= quietSince ? Number.NaN : fail(Exception.rangeCheck);
}

/**
 * Divides by a power of two; a shift by nothing does not round. A sign decides the quotient of a number that is
 * smaller.
 */
function shiftBy(vm: Vm, form: Form, x: bigint, shift: number, sign?: number): void {
  const { quotient, remainder } = divideBig(x, 1n << BigInt(shift), form.rounding);
  pushResults(vm, form, sign === undefined ? quotient : quotientBySign(sign, form.rounding), remainder);
}

function quotientBySign(sign: number, rounding: number): bigint {
  if (rounding === Rounding.floor) return sign < 0 ? -1n : 0n;
  return rounding === Rounding.ceiling && sign > 0 ? 1n : 0n;
}

/** Before version 14 the quotient of NaN was a number; see `shiftNaNRight`. */
function shiftNaN({ stack }: Vm, { results, rounding, quiet }: Form, shift: number): void {
  if (results & 1) stack.pushInt(shiftNaNRight(shift, shift === 0 || rounding === Rounding.floor), quiet);
  if (results & 2) stack.pushInt(Number.NaN, quiet);
}

/** x [w] shift: x + w by 2^shift. */
function runShiftRight(vm: Vm, form: Form, constant: number | undefined): void {
  const shift = constant ?? popShift(vm, form, 14);
  const w = popAdded(vm, form);
  const x = vm.stack.popInt();
  if (isNaNInteger(x) || isNaNInteger(w) || Number.isNaN(shift))
    return void (vm.version >= 14 ? pushNaNs(vm, form) : shiftNaN(vm, form, shift));
  const sign = form.adds ? signBehind(BigInt(x), BigInt(w), shift) : undefined;
  shiftBy(vm, form, BigInt(x) + BigInt(w), shift, sign);
}

/** x y [w] shift: x * y + w by 2^shift. */
function runMultiplyShift(vm: Vm, form: Form, constant: number | undefined): void {
  const shift = constant ?? popShift(vm, form, 13);
  const w = popAdded(vm, form);
  const y = vm.stack.popInt();
  const x = vm.stack.popInt();
  if ([x, y, w, shift].some(isNaNInteger))
    return void (vm.version >= 13 ? pushNaNs(vm, form) : shiftNaN(vm, form, shift));
  shiftBy(vm, form, BigInt(x) * BigInt(y) + BigInt(w), shift);
}

/** x [w] z shift: x * 2^shift + w by z. */
function runShiftDivide(vm: Vm, form: Form, constant: number | undefined): void {
  const shift = constant ?? popShift(vm, form, 13);
  const z = vm.stack.popInt();
  const w = popAdded(vm, form);
  const integer = vm.stack.popInt();
  // Before version 13 a shift made a number of NaN; see `shiftNaNLeft`.
  const x = vm.version < 13 && isNaNInteger(integer) ? shiftNaNLeft(shift) : integer;
  if ([x, w, shift].some(isNaNInteger)) return void pushNaNs(vm, form);
  divide(vm, form, (BigInt(x) << BigInt(shift)) + BigInt(w), z);
}

const suffixes = ["", "R", "C"];
const shiftNames: Readonly<Record<string, string>> = { DIV: "RSHIFT", MOD: "MODPOW2", DIVMOD: "RSHIFTMOD" };

/** The mark of a constant shift stands before what comes after the shift. */
function rightName(prefix: string, mark: string): Family["name"] {
  return (what, { adds, rounding }) => {
    const name = `${prefix}${adds ? "ADD" : ""}${shiftNames[what] as string}`;
    const [head, tail] = name.endsWith("RSHIFTMOD") ? [name.slice(0, -3), "MOD"] : [name, ""];
    return mark === "" && prefix === ""
      ? `${head}${tail}${suffixes[rounding] as string}`
      : `${head}${suffixes[rounding] as string}${mark}${tail}`;
  };
}

const divideName: (prefix: string) => Family["name"] =
  (prefix) =>
  (what, { adds, rounding }) =>
    `${prefix}${adds ? "ADD" : ""}${what}${suffixes[rounding] as string}`;

const families: readonly Family[] = [
  { code: "A90", name: divideName(""), need: 2, run: runDivide },
  { code: "A92", name: rightName("", ""), need: 2, run: runShiftRight },
  { code: "A98", name: divideName("MUL"), need: 3, run: runMultiplyDivide },
  { code: "A9A", name: rightName("MUL", ""), need: 3, run: runMultiplyShift },
  { code: "A9C", name: divideName("LSHIFT"), need: 3, run: runShiftDivide },
];

/** Forms whose shift is part of the instruction; they have no quiet form. */
const constantFamilies: readonly Family[] = [
  { code: "A93", name: rightName("", "#"), need: 1, hasOperand: true, run: runShiftRight },
  { code: "A9B", name: rightName("MUL", "#"), need: 2, hasOperand: true, run: runMultiplyShift },
  { code: "A9D", name: divideName("LSHIFT#"), need: 2, hasOperand: true, run: runShiftDivide },
];

export const divisionInstructions: readonly Instruction[] = [
  ...[...families, ...constantFamilies].flatMap((family) => declare(family, false)),
  ...families.flatMap((family) => declare(family, true)),
];
