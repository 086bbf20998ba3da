import { copyBits } from "../../../../cell/BitReader.ts";
import { type HashName, hashBytes } from "../../../crypto/hashes.ts";
import { CellBuilder, emptyBuilder } from "../../CellBuilder.ts";
import { CellSlice } from "../../CellSlice.ts";
import { Exception, fail } from "../../exceptions.ts";
import { type Instruction, instruction, plain, uint } from "../../instruction.ts";
import { fromBytes } from "../../integers.ts";
import type { StackValue } from "../../StackValue.ts";
import { appendSlice, wholeBytes } from "../../slices.ts";
import { finishCell, type Vm } from "../../Vm.ts";

interface HashKind {
  readonly name: HashName;
  readonly bytesPerGas: number;
}

const hashKinds: readonly HashKind[] = [
  { name: "sha256", bytesPerGas: 33 },
  { name: "sha512", bytesPerGas: 16 },
  { name: "blake2b", bytesPerGas: 19 },
  { name: "keccak256", bytesPerGas: 11 },
  { name: "keccak512", bytesPerGas: 6 },
];

const kindOnStack = 255;

/** Bits of a slice or builder. */
function bitsOf(value: StackValue): { readonly bytes: Uint8Array; readonly at: number; readonly bits: number } {
  if (value instanceof CellSlice) return { bytes: value.cell.bytes, at: value.at, bits: value.bits };
  if (value instanceof CellBuilder) return { bytes: value.bytes, at: 0, bits: value.bits };
  return fail(Exception.typeCheck);
}

/** Joins the bits of many values, for which gas is paid one by one. */
function joinBits(vm: Vm, values: readonly StackValue[], { bytesPerGas }: HashKind): Uint8Array {
  let total = 0;
  let paid = 0;
  const parts = values.map((value, i) => {
    const part = bitsOf(value);
    total += part.bits;
    const price = i + 1 + Math.floor(Math.floor(total / 8) / bytesPerGas);
    vm.consume(price - paid);
    paid = price;
    return part;
  });
  if ((total & 7) !== 0) fail(Exception.cellUnderflow);
  const joined = new Uint8Array(total >>> 3);
  let to = 0;
  for (const { bytes, at, bits } of parts) {
    copyBits(bytes, at, joined, to, bits);
    to += bits;
  }
  return joined;
}

/** Hashes several values: the first one is the lowest, or the highest (1); the hash goes into a builder below them (2). */
function hashMany(vm: Vm, mode: number, id: number): void {
  const { stack } = vm;
  const appends = (mode & 2) !== 0;
  if (id === kindOnStack && vm.version >= 9) stack.need(2);
  const number = id === kindOnStack ? stack.popSmall(254) : id;
  const count = stack.popSmall(stack.depth - 1 - (appends && vm.version >= 9 ? 1 : 0));
  const kind = hashKinds[number] ?? fail(Exception.rangeCheck);
  const values = stack.split(count);
  if (mode & 1) values.reverse();
  const hash = hashBytes(kind.name, [joinBits(vm, values, kind)]);
  if (appends) appendHash(vm, hash);
  else if (hash.length <= 32) stack.push(fromBytes(hash));
  else stack.push([fromBytes(hash.subarray(0, 32)), fromBytes(hash.subarray(32))]);
}

function appendHash({ stack }: Vm, hash: Uint8Array): void {
  const builder = stack.popBuilder();
  if (builder.freeBits < hash.length * 8) fail(Exception.cellOverflow);
  stack.push(builder.withBits(hash, 0, hash.length * 8));
}

const hashId = { ...uint(8), show: (value: number) => String(value === kindOnStack ? -1 : value) };

export const hashInstructions: readonly Instruction[] = [
  plain("F900", "HASHCU", ({ stack }) => stack.push(fromBytes(stack.popCell().hashBytes()))),
  plain("F901", "HASHSU", (vm) => {
    const slice = vm.stack.popSlice();
    vm.stack.push(fromBytes(vm.createCell(appendSlice(emptyBuilder(), slice)).hashBytes()));
  }),
  plain("F902", "SHA256U", ({ stack }) => stack.push(fromBytes(hashBytes("sha256", [wholeBytes(stack.popSlice())])))),
  ...["", "R", "A", "AR"].map((suffix, mode) =>
    instruction({
      ...{ name: `HASHEXT${suffix}`, opcode: `F90${4 + mode}xx`, args: [hashId], since: 4 },
      run: (vm, id) => hashMany(vm, mode, id),
    }),
  ),
  plain("F916", "HASHBU", ({ stack }) => stack.push(fromBytes(finishCell(stack.popBuilder()).hashBytes())), 12),
];
