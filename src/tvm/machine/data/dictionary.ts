import { commonPrefix, copyBits, readUint } from "../../../cell/BitReader.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { type CellBuilder, emptyBuilder } from "../CellBuilder.ts";
import type { CellSlice } from "../CellSlice.ts";
import { Exception, fail } from "../exceptions.ts";
import { appendSlice, countLeading } from "../slices.ts";
import type { Vm } from "../Vm.ts";

/**
 * Dictionaries as instructions work on them: every cell is loaded and created at its price and in the order of the reference.
 * Keys are bits at a place in bytes; `n` is the number of key bits that are left.
 */

export const maxKeyBits = 1023;

/** Whether an entry may be there already, or must be. */
export type SetMode = "set" | "replace" | "add";

export type AppendValue = (builder: CellBuilder) => CellBuilder;

/** The label of an edge: `length` bits at `at`, or all of one value; `node` is what follows. */
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
/** Reads the label of an edge of at most `n` bits. */
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
  const same = readUint(bytes, slice.at + 2, 1) === 1 ? 1 : 0;
  return { length, same, bytes, at: 0, node: slice.without(3 + size, 0) };
}

function labelled(slice: CellSlice, head: number, length: number): Edge {
  if (slice.bits < head + length) fail(Exception.cellUnderflow);
  const at = slice.at + head;
  return { length, same: undefined, bytes: slice.cell.bytes, at, node: slice.without(head + length, 0) };
}

/** The same for dictionaries whose keys all have one length: a fork holds two references and nothing else. */
function openFixedEdge(vm: Vm, cell: Cell, n: number): Edge {
  const edge = openEdge(vm, cell, n);
  if (edge.length < n && (edge.node.bits !== 0 || edge.node.refs !== 2)) fail(Exception.dictionary);
  return edge;
}

/** How many bits of a key agree with the label. */
export function agreeing(edge: Edge, key: Uint8Array, at: number, limit: number): number {
  const bits = Math.min(edge.length, limit);
  if (edge.same === undefined) return commonPrefix(edge.bytes, edge.at, key, at, bits);
  let count = 0;
  while (count < bits && bitAt(key, at + count) === edge.same) count++;
  return count;
}

export function bitAt(bytes: Uint8Array, at: number): 0 | 1 {
  return (((bytes[at >>> 3] as number) >> (7 - (at & 7))) & 1) as 0 | 1;
}

function setBit(bytes: Uint8Array, at: number, bit: number): void {
  const mask = 0x80 >> (at & 7);
  bytes[at >>> 3] = bit === 0 ? (bytes[at >>> 3] as number) & ~mask : (bytes[at >>> 3] as number) | mask;
}

/** Copies a label into a key. */
function copyLabel(edge: Edge, key: Uint8Array, at: number): void {
  if (edge.same === undefined) copyBits(edge.bytes, edge.at, key, at, edge.length);
  else for (let i = 0; i < edge.length; i++) setBit(key, at + i, edge.same);
}

function child({ node }: Edge, bit: number): Cell {
  return node.cell.ref(node.ref + bit);
}

function isAllSame(bytes: Uint8Array, at: number, length: number): boolean {
  const first = bitAt(bytes, at);
  for (let i = 1; i < length; i++) if (bitAt(bytes, at + i) !== first) return false;
  return true;
}

/** A builder that begins with a label in the form the reference chooses. */
export function withLabel(bytes: Uint8Array, at: number, length: number, limit: number): CellBuilder {
  if (length > 0 && isAllSame(bytes, at, length)) return withSameLabel(bitAt(bytes, at), length, limit);
  const size = lengthBits(limit);
  const builder = size < length ? longHead(length, size) : shortHead(length);
  if (builder.freeBits < length) fail(Exception.cellOverflow);
  return builder.withBits(bytes, at, length);
}

function longHead(length: number, size: number): CellBuilder {
  return emptyBuilder().withUint(2 * 2 ** size + length, 2 + size);
}

function shortHead(length: number): CellBuilder {
  return emptyBuilder().withSame(0, 1).withSame(1, length).withSame(0, 1);
}

function withSameLabel(bit: 0 | 1, length: number, limit: number): CellBuilder {
  const size = lengthBits(limit);
  if (length > 1 && size < 2 * length - 1) return emptyBuilder().withUint((6 + bit) * 2 ** size + length, 3 + size);
  return (size < length ? longHead(length, size) : shortHead(length)).withSame(bit, length);
}

/** The old edge cut after `skip` bits of its label, under a shorter label. */
export function shortened(vm: Vm, edge: Edge, skip: number, limit: number): Cell {
  const length = edge.length - skip;
  const label =
    edge.same === undefined
      ? withLabel(edge.bytes, edge.at + skip, length, limit)
      : withSameLabel(edge.same, length, limit);
  return vm.createCell(appendSlice(label, edge.node));
}

/** An entry for the whole rest of a key. */
function leaf(vm: Vm, key: Uint8Array, at: number, n: number, value: AppendValue): Cell {
  return vm.createCell(value(withLabel(key, at, n, n)));
}

function fork(vm: Vm, label: CellBuilder, bit: number, own: Cell, other: Cell): Cell {
  return vm.createCell(label.withRefs(bit === 0 ? [own, other] : [other, own]));
}

export function findEntry(vm: Vm, root: Cell | undefined, key: Uint8Array, from: number, bits: number) {
  if (root === undefined) return undefined;
  let cell = root;
  let at = from;
  let n = bits;
  for (;;) {
    const edge = openFixedEdge(vm, cell, n);
    if (agreeing(edge, key, at, n) < edge.length) return undefined;
    n -= edge.length;
    if (n === 0) return edge.node;
    at += edge.length;
    cell = child(edge, bitAt(key, at));
    at++;
    n--;
  }
}

/** What an edit did: the new root, unless nothing changed, and the value that was there. */
export interface Edit {
  readonly root: Cell | undefined;
  readonly isChanged: boolean;
  readonly old: CellSlice | undefined;
}

const unchanged: Edit = { root: undefined, isChanged: false, old: undefined };

export function setEntry(
  vm: Vm,
  root: Cell | undefined,
  key: Uint8Array,
  at: number,
  n: number,
  value: AppendValue,
  mode: SetMode,
): Edit {
  if (root === undefined) {
    if (mode === "replace") return unchanged;
    return { root: leaf(vm, key, at, n, value), isChanged: true, old: undefined };
  }
  const edge = openFixedEdge(vm, root, n);
  const same = agreeing(edge, key, at, n);
  if (same < edge.length) {
    if (mode === "replace") return unchanged;
    const m = n - same - 1;
    const own = leaf(vm, key, at + same + 1, m, value);
    const other = shortened(vm, edge, same + 1, m);
    const forked = fork(vm, withLabel(key, at, same, n), bitAt(key, at + same), own, other);
    return { root: forked, isChanged: true, old: undefined };
  }
  if (edge.length === n) {
    if (mode === "add") return { root: undefined, isChanged: false, old: edge.node };
    return { root: leaf(vm, key, at, n, value), isChanged: true, old: edge.node };
  }
  const below = at + edge.length;
  const bit = bitAt(key, below);
  const edit = setEntry(vm, child(edge, bit), key, below + 1, n - edge.length - 1, value, mode);
  if (!edit.isChanged) return edit;
  const label = withLabel(key, at, edge.length, n);
  return { ...edit, root: fork(vm, label, bit, edit.root as Cell, child(edge, 1 - bit)) };
}

export function deleteEntry(vm: Vm, root: Cell | undefined, key: Uint8Array, at: number, n: number): Edit {
  if (root === undefined) return unchanged;
  const edge = openFixedEdge(vm, root, n);
  if (agreeing(edge, key, at, n) < edge.length) return unchanged;
  if (edge.length === n) return { root: undefined, isChanged: true, old: edge.node };
  const below = at + edge.length;
  const bit = bitAt(key, below);
  const edit = deleteEntry(vm, child(edge, bit), key, below + 1, n - edge.length - 1);
  if (!edit.isChanged) return edit;
  const other = child(edge, 1 - bit);
  if (edit.root !== undefined)
    return { ...edit, root: fork(vm, withLabel(key, at, edge.length, n), bit, edit.root, other) };
  const sibling = openFixedEdge(vm, other, n - edge.length - 1);
  return { ...edit, root: merged(vm, key, at, edge.length, 1 - bit, sibling, n) };
}

/** An edge that takes over the only one below it. */
export function merged(vm: Vm, key: Uint8Array, at: number, length: number, bit: number, below: Edge, n: number): Cell {
  const label = new Uint8Array(128);
  copyBits(key, at, label, 0, length);
  setBit(label, length, bit);
  copyLabel(below, label, length + 1);
  return vm.createCell(appendSlice(withLabel(label, 0, length + 1 + below.length, n), below.node));
}

/** The outermost entry in a direction; its key is written to `key`. Bit 0 of the mode is for the first bit, the others for the rest. */
export function findOutermost(
  vm: Vm,
  root: Cell | undefined,
  key: Uint8Array,
  from: number,
  bits: number,
  mode: number,
) {
  if (root === undefined) return undefined;
  let cell = root;
  let at = from;
  let n = bits;
  let direction = mode;
  for (;;) {
    const edge = openFixedEdge(vm, cell, n);
    copyLabel(edge, key, at);
    at += edge.length;
    n -= edge.length;
    if (n === 0) return edge.node;
    if (edge.length > 0) direction >>= 1;
    const bit = direction & 1;
    cell = child(edge, bit);
    setBit(key, at++, bit);
    n--;
    direction >>= 1;
  }
}

/** The next entry in a direction, whose key replaces the one in `key`. The mode is as for `findOutermost`. */
export function findNearest(
  vm: Vm,
  root: Cell | undefined,
  key: Uint8Array,
  at: number,
  n: number,
  allowEqual: boolean,
  mode: number,
): CellSlice | undefined {
  if (root === undefined) return undefined;
  const edge = openFixedEdge(vm, root, n);
  const same = agreeing(edge, key, at, n);
  if (same < edge.length) {
    const isBeyond = bitAt(key, at + same) === ((mode >> (same !== 0 ? 1 : 0)) & 1);
    return isBeyond ? undefined : findOutermost(vm, root, key, at, n, ~mode);
  }
  const direction = edge.length > 0 ? mode >> 1 : mode;
  const below = at + edge.length;
  const left = n - edge.length;
  if (left === 0) return allowEqual ? edge.node : undefined;
  const bit = bitAt(key, below);
  const found = findNearest(vm, child(edge, bit), key, below + 1, left - 1, allowEqual, direction >> 1);
  if (found !== undefined || bit === (direction & 1)) return found;
  setBit(key, below, direction & 1);
  return findOutermost(vm, child(edge, direction & 1), key, below + 1, left - 1, ~direction >> 1);
}

/** The entries whose keys begin with a prefix, as a dictionary with whole keys or with the prefix removed. */
export function cutSubdictionary(
  vm: Vm,
  root: Cell | undefined,
  n: number,
  prefix: Uint8Array,
  at: number,
  bits: number,
  isRemoved: boolean,
): Cell | undefined {
  if (root === undefined || bits <= 0) return root;
  let cell = root;
  let done = 0;
  for (;;) {
    const edge = openFixedEdge(vm, cell, n - done);
    const length = Math.min(bits - done, edge.length);
    if (agreeing(edge, prefix, at + done, length) < length) return undefined;
    if (done + edge.length < bits) {
      done += edge.length;
      cell = child(edge, bitAt(prefix, at + done));
      done++;
      continue;
    }
    if (isRemoved) return shortened(vm, edge, bits - done, n - bits);
    if (done === 0) return root;
    const label = new Uint8Array(128);
    copyBits(prefix, at, label, 0, done);
    copyLabel(edge, label, done);
    return vm.createCell(appendSlice(withLabel(label, 0, done + edge.length, n), edge.node));
  }
}
