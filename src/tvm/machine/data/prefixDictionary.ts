import type { Cell } from "../../../cell/Cell.ts";
import type { CellSlice } from "../CellSlice.ts";
import { Exception, fail } from "../exceptions.ts";
import { smallUint } from "../slices.ts";
import type { Vm } from "../Vm.ts";
import {
  type AppendValue,
  agreeing,
  bitAt,
  type Edge,
  type Edit,
  merged,
  openEdge,
  type SetMode,
  shortened,
  withLabel,
} from "./dictionary.ts";

/** Prefix code dictionaries: no key is the beginning of another one, and every node says whether it is a fork. */

const unchanged: Edit = { root: undefined, isChanged: false, old: undefined };

/** The value of a leaf, or the two halves of a fork. */
function openNode({ node }: Edge): { readonly value: CellSlice } | readonly [Cell, Cell] {
  if (node.bits < 1) fail(Exception.dictionary);
  if (smallUint(node, 1) === 0) return { value: node.without(1, 0) };
  if (node.bits !== 1 || node.refs !== 2) fail(Exception.dictionary);
  return [node.cell.ref(node.ref), node.cell.ref(node.ref + 1)];
}

function leaf(vm: Vm, key: Uint8Array, at: number, length: number, n: number, value: AppendValue): Cell {
  const label = withLabel(key, at, length, n);
  if (label.freeBits < 1) fail(Exception.cellOverflow);
  return vm.createCell(value(label.withSame(0, 1)));
}

function fork(vm: Vm, key: Uint8Array, at: number, length: number, n: number, halves: readonly [Cell, Cell]): Cell {
  const label = withLabel(key, at, length, n);
  if (label.freeBits < 1) fail(Exception.cellOverflow);
  return vm.createCell(label.withSame(1, 1).withRefs(halves));
}

const inOrder = (bit: number, own: Cell, other: Cell): [Cell, Cell] => (bit === 0 ? [own, other] : [other, own]);

/** The value of the key that is a prefix of the bits, and its length. */
export function findPrefix(vm: Vm, root: Cell | undefined, key: Uint8Array, from: number, bits: number, limit: number) {
  if (root === undefined) return undefined;
  let cell = root;
  let at = from;
  let left = bits;
  let n = limit;
  for (;;) {
    const edge = openEdge(vm, cell, n);
    if (agreeing(edge, key, at, left) < edge.length) return undefined;
    n -= edge.length;
    left -= edge.length;
    at += edge.length;
    const node = openFoundNode(edge, n);
    if ("value" in node) return { value: node.value, length: bits - left };
    if (left === 0) return undefined;
    cell = node[bitAt(key, at)];
    at++;
    n--;
    left--;
  }
}

/** A fork where no key bits are left is broken. */
function openFoundNode(edge: Edge, n: number): ReturnType<typeof openNode> {
  if (n === 0 && edge.node.bits > 0 && smallUint(edge.node, 1) === 1) fail(Exception.dictionary);
  return openNode(edge);
}

/** `length` bits of the key are left, of at most `n`. */
export function setPrefix(
  vm: Vm,
  root: Cell | undefined,
  key: Uint8Array,
  at: number,
  length: number,
  n: number,
  value: AppendValue,
  mode: SetMode,
): Edit {
  if (length > n) return unchanged;
  if (root === undefined) {
    if (mode === "replace") return unchanged;
    return { root: leaf(vm, key, at, length, n, value), isChanged: true, old: undefined };
  }
  const edge = openEdge(vm, root, n);
  const same = agreeing(edge, key, at, length);
  if (same < edge.length) {
    if (same === length || mode === "replace") return unchanged;
    const done = same + 1;
    const own = leaf(vm, key, at + done, length - done, n - done, value);
    const other = shortened(vm, edge, done, n - done);
    const forked = fork(vm, key, at, same, n, inOrder(bitAt(key, at + same), own, other));
    return { root: forked, isChanged: true, old: undefined };
  }
  const node = openNode(edge);
  if ("value" in node) {
    if (same !== length || mode === "add") return unchanged;
    return { root: leaf(vm, key, at, length, n, value), isChanged: true, old: node.value };
  }
  if (length === same) return unchanged;
  const bit = bitAt(key, at + same);
  const done = same + 1;
  const edit = setPrefix(vm, node[bit], key, at + done, length - done, n - done, value, mode);
  if (!edit.isChanged) return unchanged;
  return { ...edit, root: fork(vm, key, at, same, n, inOrder(bit, edit.root as Cell, node[bit === 0 ? 1 : 0])) };
}

export function deletePrefix(
  vm: Vm,
  root: Cell | undefined,
  key: Uint8Array,
  at: number,
  length: number,
  n: number,
): Edit {
  if (root === undefined || length > n) return unchanged;
  const edge = openEdge(vm, root, n);
  const same = agreeing(edge, key, at, length);
  if (same < edge.length) return unchanged;
  const node = openNode(edge);
  if ("value" in node) return same < length ? unchanged : { root: undefined, isChanged: true, old: node.value };
  if (same === length) return unchanged;
  const bit = bitAt(key, at + same);
  const done = same + 1;
  const edit = deletePrefix(vm, node[bit], key, at + done, length - done, n - done);
  if (!edit.isChanged) return unchanged;
  const other = node[bit === 0 ? 1 : 0];
  if (edit.root !== undefined) return { ...edit, root: fork(vm, key, at, same, n, inOrder(bit, edit.root, other)) };
  const sibling = openEdge(vm, other, n - done);
  return { ...edit, root: merged(vm, key, at, same, 1 - bit, sibling, n) };
}
