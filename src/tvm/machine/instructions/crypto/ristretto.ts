import { ristrettoOrder } from "../../../crypto/numbers.ts";
import { Exception, fail } from "../../exceptions.ts";
import { type Instruction, opcode } from "../../instruction.ts";
import { fromBytes, isNaNInteger, toBytes } from "../../integers.ts";
import type { Integer } from "../../StackValue.ts";
import type { Vm } from "../../Vm.ts";

/** Declares an instruction and its quiet form, which reports a missing result instead of throwing. */
function withQuiet(digit: number, name: string, need: number, compute: (vm: Vm) => Uint8Array | 0 | undefined) {
  const find = (vm: Vm): Integer | undefined => {
    const result = compute(vm);
    return typeof result === "object" ? fromBytes(result) : result;
  };
  return [
    opcode(`F92${digit}`, `RIST255_${name}`, { need, since: 4 }, (vm) =>
      vm.stack.push(find(vm) ?? fail(Exception.rangeCheck)),
    ),
    opcode(`B7F92${digit}`, `RIST255_Q${name}`, { need, since: 4 }, (vm) => vm.stack.pushFound(find(vm))),
  ];
}

function popTwo({ stack }: Vm): [Integer, Integer] {
  const y = stack.popInt();
  return [stack.popInt(), y];
}

function combine(vm: Vm, name: "ristrettoAdd" | "ristrettoSubtract"): Uint8Array | undefined {
  const [x, y] = popTwo(vm).map((value) => toBytes(value, 32));
  vm.consume(600);
  return x && y ? vm.compute(name, x, y) : undefined;
}

/**
 * Before version 14 a result that is the identity was a failure, unless the number was a multiple of the order: then
 * the point was not even looked at.
 */
function multiply(vm: Vm): Uint8Array | 0 | undefined {
  const [x, n] = popTwo(vm);
  vm.consume(2000);
  const isNew = vm.version >= 14;
  if (isNaNInteger(n) || (isNew && isNaNInteger(x))) return undefined;
  if (!isNew && BigInt(n) % ristrettoOrder === 0n) return 0;
  const bytes = toBytes(x, 32);
  const product = bytes && vm.compute("ristrettoMultiply", bytes, BigInt(n));
  return !isNew && product?.every((byte) => byte === 0) ? undefined : product;
}

function multiplyBase(vm: Vm): Uint8Array | undefined {
  const n = vm.stack.popInt();
  vm.consume(750);
  return isNaNInteger(n) ? undefined : vm.compute("ristrettoMultiplyBase", BigInt(n));
}

function isValid(vm: Vm): boolean {
  const bytes = toBytes(vm.stack.popInt(), 32);
  vm.consume(200);
  return bytes !== undefined && vm.compute("isRistrettoElement", bytes);
}

function fromHash(vm: Vm): void {
  const [x, y] = popTwo(vm).map((value) => toBytes(value, 32));
  vm.consume(600);
  if (x === undefined || y === undefined) fail(Exception.rangeCheck);
  vm.stack.push(fromBytes(vm.compute("ristrettoFromHash", Uint8Array.from([...x, ...y]))));
}

export const ristrettoInstructions: readonly Instruction[] = [
  opcode("F920", "RIST255_FROMHASH", { need: 2, since: 4 }, fromHash),
  opcode("F921", "RIST255_VALIDATE", { since: 4 }, (vm) => isValid(vm) || fail(Exception.rangeCheck)),
  opcode("B7F921", "RIST255_QVALIDATE", { since: 4 }, (vm) => vm.stack.pushBool(isValid(vm))),
  ...withQuiet(2, "ADD", 2, (vm) => combine(vm, "ristrettoAdd")),
  ...withQuiet(3, "SUB", 2, (vm) => combine(vm, "ristrettoSubtract")),
  ...withQuiet(4, "MUL", 2, multiply),
  ...withQuiet(5, "MULBASE", 1, multiplyBase),
  opcode("F926", "RIST255_PUSHL", { since: 4 }, ({ stack }) => stack.push(ristrettoOrder)),
];
