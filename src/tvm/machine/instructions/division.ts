import { Exception, fail } from "../exceptions.ts";
import { type Instruction, instruction, type Operand, uint } from "../instruction.ts";
import { divideBig, isNaNInteger, Rounding } from "../integers.ts";
import type { Integer } from "../StackValue.ts";
import type { Vm } from "../Vm.ts";
import { shiftNaNLeft, shiftNaNRight } from "./arithmetic.ts";

/** What is pushed: quotient (1), remainder (2) or both; `adds` when one more number is added to the dividend. */
interface Form {
  readonly results: number;
  readonly adds: boolean;
  readonly rounding: number;
  readonly quiet: boolean;
}

const suffixes = ["", "R", "C"];

/** The twelve forms of an instruction by its last hex digit, quiet and loud. `Form` 0 of the results adds a number. */
function forms(quiet: boolean): { readonly digit: string; readonly form: Form }[] {
  return Array.from({ length: 16 }, (_, code) => code)
    .filter((code) => (code & 3) !== 3)
    .map((code) => {
      const results = code >> 2;
      const form = { results: results === 0 ? 3 : results, adds: results === 0, rounding: code & 3, quiet };
      return { digit: code.toString(16).toUpperCase(), form };
    });
}

type Run = (vm: Vm, form: Form, shift: number | undefined) => void;

interface Family {
  /** Opcode without the digit that chooses the form. */
  readonly opcode: string;
  readonly name: (what: string, form: Form) => string;
  readonly shiftOperand: boolean;
  readonly run: Run;
}

function declare({ opcode, name, shiftOperand, run }: Family, quiet: boolean): Instruction[] {
  return forms(quiet).map(({ digit, form }) => {
    const what = `${form.results & 1 ? "DIV" : ""}${form.results & 2 ? "MOD" : ""}`;
    const operand: readonly Operand[] = shiftOperand ? [uint(8, 1)] : [];
    return instruction({
      name: `${quiet ? "Q" : ""}${name(what, form)}`,
      opcode: `${quiet ? "B7" : ""}${opcode}${digit}${shiftOperand ? "xx" : ""}`,
      args: operand,
      run(vm, shift) {
        // Forms that add a number came with version 4.
        if (form.adds && vm.version < 4) fail(Exception.invalidOpcode);
        run(vm, form, shiftOperand ? shift : undefined);
      },
    });
  });
}

function pushNaNs({ stack }: Vm, { results, quiet }: Form): void {
  if (!quiet) fail(Exception.integerOverflow);
  stack.push(Number.NaN);
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
  if (isUp) {
    quotient += 1;
    remainder -= y;
  }
  if (results & 1) vm.stack.push(quotient);
  if (results & 2) vm.stack.push(remainder);
}

const smallLimit = 2 ** 51;

const isSmall = (x: Integer): x is number => typeof x === "number" && x > -smallLimit && x < smallLimit;

function divide(vm: Vm, form: Form, x: bigint, y: Integer): void {
  if (isNaNInteger(y) || y === 0) return void pushNaNs(vm, form);
  const { quotient, remainder } = divideBig(x, BigInt(y), form.rounding);
  pushResults(vm, form, quotient, remainder);
}

/** [x w] y: x + w by y. */
function runDivide(vm: Vm, form: Form): void {
  const { stack } = vm;
  stack.need(form.adds ? 3 : 2);
  const y = stack.popInt();
  const w = form.adds ? stack.popInt() : 0;
  const x = stack.popInt();
  if (isNaNInteger(x) || isNaNInteger(w)) return void pushNaNs(vm, form);
  if (isSmall(x) && isSmall(y) && isSmall(w) && y !== 0) return void divideSmall(vm, form, x + w, y);
  divide(vm, form, BigInt(x) + BigInt(w), y);
}

/** x y [w] z: x * y + w by z. */
function runMultiplyDivide(vm: Vm, form: Form): void {
  const { stack } = vm;
  stack.need(form.adds ? 4 : 3);
  const z = stack.popInt();
  const w = form.adds ? stack.popInt() : 0;
  const y = stack.popInt();
  const x = stack.popInt();
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

/** Divides by a power of two; a shift by nothing does not round. */
function shiftBy(vm: Vm, form: Form, x: bigint, shift: number): void {
  const { quotient, remainder } = divideBig(x, 1n << BigInt(shift), form.rounding);
  pushResults(vm, form, quotient, remainder);
}

/** Before version 14 the quotient of NaN was a number; see `shiftNaNRight`. */
function shiftNaN(vm: Vm, form: Form, shift: number): void {
  const { stack } = vm;
  const push = (value: Integer) => (form.quiet ? stack.pushIntQuiet(value) : stack.pushInt(value));
  if (form.results & 1) push(shiftNaNRight(shift, shift === 0 || form.rounding === Rounding.floor));
  if (form.results & 2) push(Number.NaN);
}

/** x [w] shift: x + w by 2^shift. */
function runShiftRight(vm: Vm, form: Form, constant: number | undefined): void {
  const { stack } = vm;
  stack.need((form.adds ? 2 : 1) + (constant === undefined ? 1 : 0));
  const shift = constant ?? popShift(vm, form, 14);
  const w = form.adds ? stack.popInt() : 0;
  const x = stack.popInt();
  if (isNaNInteger(x) || isNaNInteger(w) || Number.isNaN(shift))
    return void (vm.version >= 14 ? pushNaNs(vm, form) : shiftNaN(vm, form, shift));
  shiftBy(vm, form, BigInt(x) + BigInt(w), shift);
}

/** x y [w] shift: x * y + w by 2^shift. */
function runMultiplyShift(vm: Vm, form: Form, constant: number | undefined): void {
  const { stack } = vm;
  stack.need((form.adds ? 3 : 2) + (constant === undefined ? 1 : 0));
  const shift = constant ?? popShift(vm, form, 13);
  const w = form.adds ? stack.popInt() : 0;
  const y = stack.popInt();
  const x = stack.popInt();
  if ([x, y, w, shift].some(isNaNInteger))
    return void (vm.version >= 13 ? pushNaNs(vm, form) : shiftNaN(vm, form, shift));
  shiftBy(vm, form, BigInt(x) * BigInt(y) + BigInt(w), shift);
}

/** x [w] z shift: x * 2^shift + w by z. */
function runShiftDivide(vm: Vm, form: Form, constant: number | undefined): void {
  const { stack } = vm;
  stack.need((form.adds ? 3 : 2) + (constant === undefined ? 1 : 0));
  const shift = constant ?? popShift(vm, form, 13);
  const z = stack.popInt();
  const w = form.adds ? stack.popInt() : 0;
  const given = stack.popInt();
  // Before version 13 a shift made a number of NaN; see `shiftNaNLeft`.
  const x = vm.version < 13 && isNaNInteger(given) ? shiftNaNLeft(shift) : given;
  if ([x, w, shift].some(isNaNInteger)) return void pushNaNs(vm, form);
  divide(vm, form, (BigInt(x) << BigInt(shift)) + BigInt(w), z);
}

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

const divideName: Family["name"] = (what, { adds, rounding }) =>
  `${adds ? "ADD" : ""}${what}${suffixes[rounding] as string}`;

const families: readonly Family[] = [
  { opcode: "A90", name: divideName, shiftOperand: false, run: runDivide },
  { opcode: "A92", name: rightName("", ""), shiftOperand: false, run: runShiftRight },
  { opcode: "A98", name: (what, form) => `MUL${divideName(what, form)}`, shiftOperand: false, run: runMultiplyDivide },
  { opcode: "A9A", name: rightName("MUL", ""), shiftOperand: false, run: runMultiplyShift },
  { opcode: "A9C", name: (what, form) => `LSHIFT${divideName(what, form)}`, shiftOperand: false, run: runShiftDivide },
];

/** Forms whose shift is part of the instruction; they have no quiet form. */
const constantFamilies: readonly Family[] = [
  { opcode: "A93", name: rightName("", "#"), shiftOperand: true, run: runShiftRight },
  { opcode: "A9B", name: rightName("MUL", "#"), shiftOperand: true, run: runMultiplyShift },
  { opcode: "A9D", name: (what, form) => `LSHIFT#${divideName(what, form)}`, shiftOperand: true, run: runShiftDivide },
];

/** The thirteenth to sixteenth code of each family charge as the others do and are invalid. */
function invalidForms({ opcode, shiftOperand }: Family, quiet: boolean): Instruction[] {
  return ["3", "7", "B", "F"].map((digit) =>
    instruction({
      name: "(invalid rounding)",
      opcode: `${quiet ? "B7" : ""}${opcode}${digit}${shiftOperand ? "xx" : ""}`,
      run: () => fail(Exception.invalidOpcode),
    }),
  );
}

export const divisionInstructions: readonly Instruction[] = [
  ...[...families, ...constantFamilies].flatMap((family) => declare(family, false)),
  ...families.flatMap((family) => declare(family, true)),
  ...[...families, ...constantFamilies].flatMap((family) => invalidForms(family, false)),
  ...families.flatMap((family) => invalidForms(family, true)),
];
