import { createHash } from "node:crypto";
import { copyBits } from "../../../../cell/BitReader.ts";
import { findHash, type HashName } from "../../../crypto/hashes.ts";
import { CellBuilder, emptyBuilder } from "../../CellBuilder.ts";
import { CellSlice } from "../../CellSlice.ts";
import { Exception, fail, waitForRare } from "../../exceptions.ts";
import { type Instruction, opcode, uint } from "../../instruction.ts";
import { fromBytes } from "../../integers.ts";
import type { StackValue } from "../../StackValue.ts";
import { appendSlice, checkRoom, wholeBytes } from "../../slices.ts";
import { finishCell, type Vm } from "../../Vm.ts";

/** The functions by their numbers, each with the bytes that it hashes for one gas. */
const hashKinds: readonly (readonly [name: HashName, bytesPerGas: number])[] = [
  ["sha256", 33],
  ["sha512", 16],
  ["blake2b", 19],
  ["keccak256", 11],
  ["keccak512", 6],
];

const kindOnStack = 255;

function bitsOf(value: StackValue): { readonly bytes: Uint8Array; readonly at: number; readonly bits: number } {
  if (value instanceof CellSlice) return { bytes: value.cell.bytes, at: value.at, bits: value.bits };
  if (value instanceof CellBuilder) return { bytes: value.bytes, at: 0, bits: value.bits };
  return fail(Exception.typeCheck);
}

/** Values that are hashed before others get their turn. */
const partValues = 64;
const maxBytes = 128;

/**
 * Hashes several values: the first one is the lowest, or the highest (1); the hash goes into a builder below them (2).
 */
function hashMany(vm: Vm, mode: number, id: number): void {
  const { stack } = vm;
  const appends = (mode & 2) !== 0;
  if (id === kindOnStack && vm.version >= 9) stack.need(2);
  const number = id === kindOnStack ? stack.popSmall(254) : id;
  const count = stack.popSmall(stack.depth - 1 - (appends && vm.version >= 9 ? 1 : 0));
  const [name, bytesPerGas] = hashKinds[number] ?? fail(Exception.rangeCheck);
  const values = stack.split(count);
  if (mode & 1) values.reverse();
  const hash = findHash(name) ?? waitForRare();
  const buffer = new Uint8Array(Math.min(count, partValues) * maxBytes + 1);
  let [next, total, paid] = [0, 0, 0];
  vm.startWork(() => {
    // Bits that do not fill a byte wait for the next part.
    let bits = total & 7;
    for (const end = Math.min(next + partValues, count); next < end; next++) {
      const part = bitsOf(values[next] as StackValue);
      total += part.bits;
      const price = next + 1 + Math.floor((total >>> 3) / bytesPerGas);
      vm.consume(price - paid);
      paid = price;
      copyBits(part.bytes, part.at, buffer, bits, part.bits);
      bits += part.bits;
    }
    hash.update(buffer.subarray(0, bits >>> 3));
    buffer[0] = buffer[bits >>> 3] as number;
    if (next < count) return false;
    if ((total & 7) !== 0) fail(Exception.cellUnderflow);
    pushHash(vm, hash.digest(), appends);
    return true;
  });
}

function pushHash({ stack }: Vm, hash: Uint8Array, appends: boolean): void {
  const bits = hash.length * 8;
  if (appends) stack.push(checkRoom(stack.popBuilder(), bits, 0).withBits(hash, 0, bits));
  else if (bits <= 256) stack.push(fromBytes(hash));
  else stack.push([fromBytes(hash.subarray(0, 32)), fromBytes(hash.subarray(32))]);
}

const hashId = { ...uint(8), show: (value: number) => String(value === kindOnStack ? -1 : value) };

export const hashInstructions: readonly Instruction[] = [
  opcode("F900", "HASHCU", 1, ({ stack }) => stack.push(fromBytes(stack.popCell().hashBytes()))),
  opcode("F901", "HASHSU", 1, (vm) => {
    const slice = vm.stack.popSlice();
    vm.stack.push(fromBytes(vm.createCell(appendSlice(emptyBuilder(), slice)).hashBytes()));
  }),
  opcode("F902", "SHA256U", 1, ({ stack }) =>
    stack.push(fromBytes(createHash("sha256").update(wholeBytes(stack.popSlice())).digest())),
  ),
  opcode("F916", "HASHBU", { since: 12 }, ({ stack }) =>
    stack.push(fromBytes(finishCell(stack.popBuilder()).hashBytes())),
  ),
];

/** Hashes of several values, by several functions. */
export const hashManyInstructions: readonly Instruction[] = [
  ...["", "R", "A", "AR"].map((suffix, mode) =>
    opcode(`F90${4 + mode}xx`, [`HASHEXT${suffix}`, hashId], { since: 4 }, (vm, id) => hashMany(vm, mode, id)),
  ),
];
