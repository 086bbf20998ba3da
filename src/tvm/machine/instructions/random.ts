import { createHash } from "node:crypto";
import { Exception, fail } from "../exceptions.ts";
import { type Instruction, opcode } from "../instruction.ts";
import { fitsUnsigned, fromBytes, toBytes } from "../integers.ts";
import type { Integer, StackValue } from "../StackValue.ts";
import type { Vm } from "../Vm.ts";
import { contextOf } from "./c7.ts";
import { extended } from "./tuple.ts";

const seedIndex = 6;

function seedBytes(value: StackValue | undefined): Uint8Array {
  if (value === undefined) fail(Exception.rangeCheck);
  if (typeof value !== "number" && typeof value !== "bigint") fail(Exception.typeCheck);
  return toBytes(value, 32) ?? fail(Exception.rangeCheck);
}

/** Both c7 and its first item are copied, which costs gas. */
function setSeed(vm: Vm, seed: Integer): void {
  const context = extended(vm, contextOf(vm), seedIndex, seed) ?? [];
  vm.consume(vm.c7.length);
  vm.c7 = vm.c7.with(0, context);
}

function next(vm: Vm): Integer {
  const seed = seedBytes(contextOf(vm)[seedIndex]);
  const hash = createHash("sha512").update(seed).digest();
  setSeed(vm, fromBytes(hash.subarray(0, 32)));
  return fromBytes(hash.subarray(32));
}

function changeSeed(vm: Vm, change: (x: Integer) => Integer): void {
  const x = vm.stack.popFinite();
  if (!fitsUnsigned(x, 256)) fail(Exception.rangeCheck);
  setSeed(vm, change(x));
}

export const randomInstructions: readonly Instruction[] = [
  opcode("F810", "RANDU256", 0, (vm) => vm.stack.push(next(vm))),
  opcode("F811", "RAND", 1, (vm) => {
    const limit = vm.stack.popFinite();
    vm.stack.pushBig((BigInt(limit) * BigInt(next(vm))) >> 256n, false);
  }),
  opcode("F814", "SETRAND", 1, (vm) => changeSeed(vm, (x) => x)),
  opcode("F815", "ADDRAND", 1, (vm) =>
    changeSeed(vm, (x) => {
      const seed = seedBytes(contextOf(vm)[seedIndex]);
      return fromBytes(createHash("sha256").update(seed).update(seedBytes(x)).digest());
    }),
  ),
];
