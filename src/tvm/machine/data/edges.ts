import { commonPrefix, copyBits, readUint } from "../../../cell/BitReader.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { type CellBuilder, emptyBuilder } from "../CellBuilder.ts";
import type { CellSlice } from "../CellSlice.ts";
import { Exception, fail } from "../exceptions.ts";
import { appendSlice, bitAt, checkRoom, countLeading } from "../slices.ts";
import type { Vm } from "../Vm.ts";

/** The label of an edge of a dictionary: `length` bits at `at`, or all of one value; `node` is what follows. */
export interface Edge {
  readonly length: number;
  readonly same: 0 | 1 | undefined;
  readonly bytes: Uint8Array;
  readonly at: number;
  readonly node: CellSlice;
}

function lengthBits(limit: number): number {
  return 32 - Math.clz32(limit);
}

// hml_short$0 len:(Unary ~n) s:(n * Bit); hml_long$10 n:(#<= m) s:(n * Bit); hml_same$11 v:Bit n:(#<= m)
/** Loads an edge whose label has at most `n` bits. */
export function openEdge(vm: Vm, cell: Cell, n: number): Edge {
  const slice = vm.loadCell(cell);
  const { bytes } = slice.cell;
  if (slice.bits < 2) fail(Exception.cellUnderflow);
  const kind = readUint(bytes, slice.at, 2);
  if (kind < 2) {
    const length = kind === 0 ? 0 : countLeading(slice.without(1, 0), 1);
    if (length > n || slice.bits < 2 * length + 2) fail(Exception.cellUnderflow);
    return labelled(slice, 2 + length, length);
  }
  const size = lengthBits(n);
  const head = kind === 2 ? 2 : 3;
  if (slice.bits < head + size) fail(Exception.cellUnderflow);
  const length = readUint(bytes, slice.at + head, size);
  if (length > n) fail(Exception.cellUnderflow);
  if (kind === 2) return labelled(slice, 2 + size, length);
  return { length, same: bitAt(bytes, slice.at + 2), bytes, at: 0, node: slice.without(3 + size, 0) };
}

function labelled(slice: CellSlice, head: number, length: number): Edge {
  if (slice.bits < head + length) fail(Exception.cellUnderflow);
  const at = slice.at + head;
  return { length, same: undefined, bytes: slice.cell.bytes, at, node: slice.without(head + length, 0) };
}

/** How many bits of a key agree with the label. */
export function agreeing(edge: Edge, key: Uint8Array, at: number, limit: number): number {
  const bits = Math.min(edge.length, limit);
  if (edge.same === undefined) return commonPrefix(edge.bytes, edge.at, key, at, bits);
  let count = 0;
  while (count < bits && bitAt(key, at + count) === edge.same) count++;
  return count;
}

export function child({ node }: Edge, bit: number): Cell {
  return node.cell.ref(node.ref + bit);
}

export function setBit(bytes: Uint8Array, at: number, bit: number): void {
  const mask = 0x80 >> (at & 7);
  bytes[at >>> 3] = bit === 0 ? (bytes[at >>> 3] as number) & ~mask : (bytes[at >>> 3] as number) | mask;
}

export function copyLabel(edge: Edge, key: Uint8Array, at: number): void {
  if (edge.same === undefined) copyBits(edge.bytes, edge.at, key, at, edge.length);
  else for (let i = 0; i < edge.length; i++) setBit(key, at + i, edge.same);
}

function isAllSame(bytes: Uint8Array, at: number, length: number): boolean {
  const first = bitAt(bytes, at);
  for (let i = 1; i < length; i++) if (bitAt(bytes, at + i) !== first) return false;
  return true;
}

/** A builder that begins with a label in the form the reference chooses. */
export function withLabel(bytes: Uint8Array, at: number, length: number, limit: number): CellBuilder {
  if (length > 0 && isAllSame(bytes, at, length)) return withSameLabel(bitAt(bytes, at), length, limit);
  return checkRoom(labelHead(length, lengthBits(limit)), length, 0).withBits(bytes, at, length);
}

/** The long form where it is shorter. */
function labelHead(length: number, size: number): CellBuilder {
  if (size < length) return emptyBuilder().withUint(2 * 2 ** size + length, 2 + size);
  return emptyBuilder().withSame(0, 1).withSame(1, length).withSame(0, 1);
}

function withSameLabel(bit: 0 | 1, length: number, limit: number): CellBuilder {
  const size = lengthBits(limit);
  if (length > 1 && size < 2 * length - 1) return emptyBuilder().withUint((6 + bit) * 2 ** size + length, 3 + size);
  return labelHead(length, size).withSame(bit, length);
}

/** The old edge cut after `skip` bits of its label, under a shorter label. */
export function shortened(vm: Vm, { length, same, bytes, at, node }: Edge, skip: number, limit: number): Cell {
  const left = length - skip;
  const label = same === undefined ? withLabel(bytes, at + skip, left, limit) : withSameLabel(same, left, limit);
  return vm.createCell(appendSlice(label, node));
}

/** The edge under a label that begins with bits of a key, a fork's bit among them when one is given. */
export function lengthened(
  vm: Vm,
  edge: Edge,
  { bytes, at }: Key,
  length: number,
  bit: number | undefined,
  n: number,
): Cell {
  const label = new Uint8Array(128);
  copyBits(bytes, at, label, 0, length);
  if (bit !== undefined) setBit(label, length, bit);
  const head = bit === undefined ? length : length + 1;
  copyLabel(edge, label, head);
  return vm.createCell(appendSlice(withLabel(label, 0, head + edge.length, n), edge.node));
}

/** A key: bits at a place in bytes. */
export interface Key {
  readonly bytes: Uint8Array;
  readonly at: number;
}
