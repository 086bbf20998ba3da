import { readUint } from "../../../cell/BitReader.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { CellSlice } from "../CellSlice.ts";
import { Exception, fail, waitForRare } from "../exceptions.ts";
import type { Instruction } from "../instruction.ts";
import type { Code, Codes, Operation } from "../Vm.ts";
import { knownInstructions } from "./knownInstructions.ts";

/** An instruction decoded at one place of a code cell. */
interface DecodedOperation extends Operation {
  readonly instruction: Instruction | undefined;
  /** The reference of the cell it was decoded with; it counts only when `refs` is not zero. */
  readonly ref: number;
}

const invalidGas = 10;
const opcodeBits = 24;

function runInvalid(): void {
  fail(Exception.invalidOpcode);
}

function invalid(gas: number): DecodedOperation {
  return {
    instruction: undefined,
    gas,
    need: 0,
    bits: 0,
    refs: 0,
    ref: 0,
    a: 0,
    b: 0,
    c: 0,
    data: undefined,
    run: runInvalid,
  };
}

const unknownOpcode = invalid(invalidGas);

/** The operations of one code cell by bit position, decoded when they are first met. */
class DecodedCode implements Code {
  readonly cell: Cell;
  readonly first: number;
  readonly #index: Uint16Array;
  readonly #operations: DecodedOperation[] = [unknownOpcode];
  readonly #codepage: Codepage;

  constructor(cell: Cell, codepage: Codepage) {
    this.cell = cell;
    this.first = cell.dataAt * 8;
    this.#index = new Uint16Array(cell.bitLength);
    this.#codepage = codepage;
  }

  /** The operation at a place, given where the code ends; what does not fit in there is an invalid opcode. */
  operation(at: number, end: number, ref: number, refEnd: number): DecodedOperation {
    const known = this.#operations[this.#index[at - this.first] as number] as DecodedOperation;
    if (known !== unknownOpcode && at + known.bits <= end) {
      if (known.refs === 0 || (known.ref === ref && ref + known.refs <= refEnd)) return known;
    }
    return this.#decode(at, end, ref, refEnd);
  }

  show(operation: Operation): string {
    const { instruction, a, b, c, data } = operation as DecodedOperation;
    if (instruction === undefined) return "(invalid)";
    const operands = instruction.args.map((arg, i) => arg.show([a, b, c][i] as number));
    if (instruction.tail !== undefined) operands.push(instruction.tail.show(data));
    // What is in parentheses stands apart: `DICTPUSHCONST 19 (xC_,1)`.
    return operands.length === 0
      ? instruction.name
      : `${instruction.name} ${operands.join(",").replaceAll(",(", " (")}`;
  }

  #decode(at: number, end: number, ref: number, refEnd: number): DecodedOperation {
    const operation = this.#codepage.decode(new CellSlice(this.cell, at, end, ref, refEnd));
    // An operation that was cut off by the end of the code is valid here only.
    if (operation.instruction === undefined) return operation;
    this.#index[at - this.first] = this.#operations.length;
    this.#operations.push(operation);
    return operation;
  }
}

/** Codepage 0 as one global version knows it. */
class Codepage implements Codes {
  readonly #version: number;
  readonly #codes = new WeakMap<Cell, DecodedCode>();

  constructor(version: number) {
    this.#version = version;
  }

  codeOf(cell: Cell): DecodedCode {
    let code = this.#codes.get(cell);
    if (code === undefined) {
      code = new DecodedCode(cell, this);
      this.#codes.set(cell, code);
    }
    return code;
  }

  decode(code: CellSlice): DecodedOperation {
    const given = Math.min(code.bits, opcodeBits);
    const opcode = readUint(code.cell.bytes, code.at, given) << (opcodeBits - given);
    const instruction = findInstruction(opcode);
    if (instruction === undefined || instruction.since > this.#version) return unknownOpcode;
    if (instruction.bits > code.bits) return invalid(instruction.gas);
    const [a, b, c] = readOperands(instruction, opcode >>> (opcodeBits - instruction.bits));
    const { tail } = instruction;
    const size = tail?.size(a, b) ?? { bits: 0, refs: 0 };
    if (instruction.bits + size.bits > code.bits || size.refs > code.refs) return invalid(instruction.gas);
    const data = tail?.decode(code.without(instruction.bits, 0).first(size.bits, size.refs));
    const { gas, need, run } = instruction;
    const bits = instruction.bits + size.bits;
    return { instruction: instruction, gas, need, bits, refs: size.refs, ref: code.ref, a, b, c, data, run };
  }
}

function readOperands({ args }: Instruction, fixed: number): [number, number, number] {
  const values: [number, number, number] = [0, 0, 0];
  let rest = fixed;
  for (let i = args.length - 1; i >= 0; i--) {
    const operand = args[i];
    if (operand === undefined) continue;
    values[i] = operand.decode(rest & ((1 << operand.bits) - 1));
    rest >>>= operand.bits;
  }
  return values;
}

function findInstruction(opcode: number): Instruction | undefined {
  const { sorted, isComplete } = knownInstructions;
  let low = 0;
  let high = sorted.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as Instruction).first <= opcode) low = middle;
    else high = middle;
  }
  const instruction = sorted[low] as Instruction;
  if (opcode >= instruction.first && opcode <= instruction.last) return instruction;
  return isComplete ? undefined : waitForRare();
}

const codepages: (Codepage | undefined)[] = [];

/** Codepage 0 of a global version; what was decoded is shared by all machines of that version. */
export function codesOf(version: number): Codes {
  let codepage = codepages[version];
  if (codepage === undefined) {
    codepage = new Codepage(version);
    codepages[version] = codepage;
  }
  return codepage;
}
