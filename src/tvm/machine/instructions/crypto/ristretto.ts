import { ristrettoOrder } from "../../../crypto/ristretto255.ts";
import { Exception, fail } from "../../exceptions.ts";
import { type Instruction, plain } from "../../instruction.ts";
import { fromBytes, isNaNInteger, toBytes } from "../../integers.ts";
import type { Integer } from "../../StackValue.ts";
import type { Vm } from "../../Vm.ts";

const Price = { multiply: 2000, multiplyBase: 750, add: 600, fromHash: 600, validate: 200 } as const;

/** Pushes a result; a missing one is an error, or a flag in the quiet form. */
function pushResult({ stack }: Vm, result: Integer | undefined, quiet: boolean): void {
  if (result === undefined && !quiet) fail(Exception.rangeCheck);
  if (result !== undefined) stack.push(result);
  if (quiet) stack.pushBool(result !== undefined);
}

const asInteger = (bytes: Uint8Array | undefined): Integer | undefined =>
  bytes === undefined ? undefined : fromBytes(bytes);

function combine(vm: Vm, name: "ristrettoAdd" | "ristrettoSubtract", quiet: boolean): void {
  vm.stack.need(2);
  const y = vm.stack.popInt();
  const x = vm.stack.popInt();
  vm.consume(Price.add);
  const [xBytes, yBytes] = [toBytes(x, 32), toBytes(y, 32)];
  pushResult(vm, xBytes && yBytes ? asInteger(vm.compute(name, xBytes, yBytes)) : undefined, quiet);
}

/**
 * Before version 14 a result that is the identity was a failure, unless the number was a multiple of the order: then the
 * point was not even looked at.
 */
function multiplied(vm: Vm, x: Integer, n: Integer): Integer | undefined {
  const isNew = vm.version >= 14;
  if (isNaNInteger(n) || (isNew && isNaNInteger(x))) return undefined;
  const factor = BigInt(n) % ristrettoOrder;
  if (!isNew && factor === 0n) return 0;
  const bytes = toBytes(x, 32);
  const product = bytes === undefined ? undefined : asInteger(vm.compute("ristrettoMultiply", bytes, BigInt(n)));
  return !isNew && product === 0 ? undefined : product;
}

function multiply(vm: Vm, quiet: boolean): void {
  vm.stack.need(2);
  const n = vm.stack.popInt();
  const x = vm.stack.popInt();
  vm.consume(Price.multiply);
  pushResult(vm, multiplied(vm, x, n), quiet);
}

function multiplyBase(vm: Vm, quiet: boolean): void {
  const n = vm.stack.popInt();
  vm.consume(Price.multiplyBase);
  pushResult(vm, isNaNInteger(n) ? undefined : asInteger(vm.compute("ristrettoMultiplyBase", BigInt(n))), quiet);
}

function validate(vm: Vm, quiet: boolean): void {
  const bytes = toBytes(vm.stack.popInt(), 32);
  vm.consume(Price.validate);
  const isValid = bytes !== undefined && vm.compute("isRistrettoElement", bytes);
  if (quiet) vm.stack.pushBool(isValid);
  else if (!isValid) fail(Exception.rangeCheck);
}

function fromHash(vm: Vm): void {
  vm.stack.need(2);
  const y = vm.stack.popInt();
  const x = vm.stack.popInt();
  vm.consume(Price.fromHash);
  const first = toBytes(x, 32) ?? fail(Exception.rangeCheck);
  const second = toBytes(y, 32) ?? fail(Exception.rangeCheck);
  vm.stack.push(fromBytes(vm.compute("ristrettoFromHash", Uint8Array.from([...first, ...second]))));
}

const forms = [
  ["VALIDATE", validate],
  ["ADD", (vm: Vm, quiet: boolean) => combine(vm, "ristrettoAdd", quiet)],
  ["SUB", (vm: Vm, quiet: boolean) => combine(vm, "ristrettoSubtract", quiet)],
  ["MUL", multiply],
  ["MULBASE", multiplyBase],
] as const;

export const ristrettoInstructions: readonly Instruction[] = [
  plain("F920", "RIST255_FROMHASH", fromHash, 4),
  ...forms.flatMap(([name, run], i) => [
    plain(`F92${i + 1}`, `RIST255_${name}`, (vm) => run(vm, false), 4),
    plain(`B7F92${i + 1}`, `RIST255_Q${name}`, (vm) => run(vm, true), 4),
  ]),
  plain("F926", "RIST255_PUSHL", ({ stack }) => stack.push(ristrettoOrder), 4),
];
