import type { Cell } from "../../../cell/Cell.ts";
import { type CellBuilder, emptyBuilder } from "../CellBuilder.ts";
import type { CellSlice } from "../CellSlice.ts";
import { Exception, fail } from "../exceptions.ts";
import type { Integer } from "../StackValue.ts";
import { appendInteger, bitAt, checkRoom, smallUint } from "../slices.ts";
import type { Vm } from "../Vm.ts";
import {
  agreeing,
  child,
  copyLabel,
  type Edge,
  type Key,
  lengthened,
  openEdge,
  setBit,
  shortened,
  withLabel,
} from "./edges.ts";

/**
 * Dictionaries as instructions work on them: every cell is loaded and created at its price and in the order of the
 * reference. `n` is the number of key bits that are left.
 */

export const maxKeyBits = 1023;

/** Whether an entry may be there already, or must be. */
export type SetMode = "set" | "replace" | "add";
export type AppendValue = (builder: CellBuilder) => CellBuilder;

/** A number as a key; it must fit. */
export function integerKey(x: Integer, bits: number): Key {
  return { bytes: appendInteger(emptyBuilder(), x, bits).bytes, at: 0 };
}

/** How the nodes of a dictionary are written. */
interface Form {
  open(vm: Vm, cell: Cell, n: number): Edge;
  /** The value of a leaf; `undefined` for a fork. `left` bits of the longest key follow. */
  findValue(edge: Edge, left: number): CellSlice | undefined;
  /** What stands between the label and a value (0) or two halves (1). */
  mark(label: CellBuilder, kind: 0 | 1): CellBuilder;
}

/** Keys have one length: a fork holds two references and nothing else. */
const fixed: Form = {
  open(vm, cell, n) {
    const edge = openEdge(vm, cell, n);
    if (edge.length < n && (edge.node.bits !== 0 || edge.node.refs !== 2)) fail(Exception.dictionary);
    return edge;
  },
  findValue: ({ node }, left) => (left === 0 ? node : undefined),
  mark: (label) => label,
};

/** No key is the beginning of another one, and a bit of every node says whether it is a fork. */
const prefixes: Form = {
  open: openEdge,
  findValue({ node }) {
    if (node.bits < 1) fail(Exception.dictionary);
    if (smallUint(node, 1) === 0) return node.without(1, 0);
    if (node.bits !== 1 || node.refs !== 2) fail(Exception.dictionary);
    return undefined;
  },
  mark: (label, kind) => checkRoom(label, 1, 0).withSame(kind, 1),
};

export function findEntry(vm: Vm, root: Cell | undefined, key: Key, bits: number): CellSlice | undefined {
  if (root === undefined) return undefined;
  let cell = root;
  let { at } = key;
  let n = bits;
  for (;;) {
    const edge = fixed.open(vm, cell, n);
    if (agreeing(edge, key.bytes, at, n) < edge.length) return undefined;
    n -= edge.length;
    if (n === 0) return edge.node;
    at += edge.length;
    cell = child(edge, bitAt(key.bytes, at));
    at++;
    n--;
  }
}

/** The value of the key that is a prefix of the bits, and its length. */
export function findPrefix(vm: Vm, root: Cell | undefined, key: Key, bits: number, limit: number) {
  if (root === undefined) return undefined;
  let cell = root;
  let done = 0;
  for (;;) {
    const edge = openEdge(vm, cell, limit - done);
    if (agreeing(edge, key.bytes, key.at + done, bits - done) < edge.length) return undefined;
    done += edge.length;
    const { node } = edge;
    // A fork where no key bits are left is broken.
    if (done === limit && node.bits > 0 && smallUint(node, 1) === 1) fail(Exception.dictionary);
    const value = prefixes.findValue(edge, limit - done);
    if (value !== undefined) return { value, length: done };
    if (done === bits) return undefined;
    cell = child(edge, bitAt(key.bytes, key.at + done));
    done++;
  }
}

/** What an edit did: the new root, unless nothing changed, and the value that was there. */
export interface Edit {
  readonly root: Cell | undefined;
  readonly isChanged: boolean;
  readonly old: CellSlice | undefined;
}

const unchanged: Edit = { root: undefined, isChanged: false, old: undefined };

/** One edit of the entry of one key. `length` bits of the key are left, of at most `n`. */
class Editor {
  readonly #vm: Vm;
  readonly #form: Form;
  readonly #key: Uint8Array;

  constructor(vm: Vm, form: Form, key: Uint8Array) {
    this.#vm = vm;
    this.#form = form;
    this.#key = key;
  }

  set(root: Cell | undefined, at: number, length: number, n: number, value: AppendValue, mode: SetMode): Edit {
    if (root === undefined) {
      if (mode === "replace") return unchanged;
      return { root: this.#leaf(at, length, n, value), isChanged: true, old: undefined };
    }
    const edge = this.#form.open(this.#vm, root, n);
    const same = agreeing(edge, this.#key, at, length);
    const done = same + 1;
    if (same < edge.length) {
      if (same === length || mode === "replace") return unchanged;
      const own = this.#leaf(at + done, length - done, n - done, value);
      const other = shortened(this.#vm, edge, done, n - done);
      return { root: this.#fork(at, same, n, own, other), isChanged: true, old: undefined };
    }
    const old = this.#form.findValue(edge, n - same);
    if (old !== undefined) {
      if (same !== length) return unchanged;
      if (mode === "add") return { root: undefined, isChanged: false, old };
      return { root: this.#leaf(at, length, n, value), isChanged: true, old };
    }
    if (same === length) return unchanged;
    const bit = bitAt(this.#key, at + same);
    const edit = this.set(child(edge, bit), at + done, length - done, n - done, value, mode);
    if (!edit.isChanged) return edit;
    return { ...edit, root: this.#fork(at, same, n, edit.root as Cell, child(edge, 1 - bit)) };
  }

  delete(root: Cell | undefined, at: number, length: number, n: number): Edit {
    if (root === undefined) return unchanged;
    const edge = this.#form.open(this.#vm, root, n);
    const same = agreeing(edge, this.#key, at, length);
    if (same < edge.length) return unchanged;
    const old = this.#form.findValue(edge, n - same);
    if (old !== undefined) return same < length ? unchanged : { root: undefined, isChanged: true, old };
    if (same === length) return unchanged;
    const done = same + 1;
    const bit = bitAt(this.#key, at + same);
    const edit = this.delete(child(edge, bit), at + done, length - done, n - done);
    if (!edit.isChanged) return edit;
    const other = child(edge, 1 - bit);
    if (edit.root !== undefined) return { ...edit, root: this.#fork(at, same, n, edit.root, other) };
    // The edge takes over the only one that is left below it.
    const sibling = this.#form.open(this.#vm, other, n - done);
    return { ...edit, root: lengthened(this.#vm, sibling, { bytes: this.#key, at }, same, 1 - bit, n) };
  }

  #leaf(at: number, length: number, n: number, value: AppendValue): Cell {
    return this.#vm.createCell(value(this.#form.mark(withLabel(this.#key, at, length, n), 0)));
  }

  /** A fork behind `length` bits of the key, whose next bit leads to `own`. */
  #fork(at: number, length: number, n: number, own: Cell, other: Cell): Cell {
    const marked = this.#form.mark(withLabel(this.#key, at, length, n), 1);
    return this.#vm.createCell(marked.withRefs(bitAt(this.#key, at + length) === 0 ? [own, other] : [other, own]));
  }
}

export function setEntry(vm: Vm, root: Cell | undefined, key: Key, n: number, value: AppendValue, mode: SetMode): Edit {
  return new Editor(vm, fixed, key.bytes).set(root, key.at, n, n, value, mode);
}

export function deleteEntry(vm: Vm, root: Cell | undefined, key: Key, n: number): Edit {
  return new Editor(vm, fixed, key.bytes).delete(root, key.at, n, n);
}

/** The key is all bits of the slice, at most `n`. */
export function setPrefix(
  vm: Vm,
  root: Cell | undefined,
  key: CellSlice,
  n: number,
  value: AppendValue,
  mode: SetMode,
) {
  if (key.bits > n) return unchanged;
  return new Editor(vm, prefixes, key.cell.bytes).set(root, key.at, key.bits, n, value, mode);
}

export function deletePrefix(vm: Vm, root: Cell | undefined, key: CellSlice, n: number): Edit {
  return key.bits > n ? unchanged : new Editor(vm, prefixes, key.cell.bytes).delete(root, key.at, key.bits, n);
}

/**
 * The outermost entry in a direction; its key is written to `key`. Bit 0 of the mode is for the first bit, the others
 * for the rest.
 */
export function findOutermost(
  vm: Vm,
  root: Cell | undefined,
  key: Uint8Array,
  from: number,
  bits: number,
  mode: number,
): CellSlice | undefined {
  if (root === undefined) return undefined;
  let cell = root;
  let at = from;
  let n = bits;
  let direction = mode;
  for (;;) {
    const edge = fixed.open(vm, cell, n);
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
  const edge = fixed.open(vm, root, n);
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
  const nearest = findNearest(vm, child(edge, bit), key, below + 1, left - 1, allowEqual, direction >> 1);
  if (nearest !== undefined || bit === (direction & 1)) return nearest;
  setBit(key, below, direction & 1);
  return findOutermost(vm, child(edge, direction & 1), key, below + 1, left - 1, ~direction >> 1);
}

/** The entries whose keys begin with this many bits, as a dictionary with whole keys or with those bits removed. */
export function cutSubdictionary(
  vm: Vm,
  root: Cell | undefined,
  n: number,
  prefix: Key,
  bits: number,
  isRemoved: boolean,
): Cell | undefined {
  if (root === undefined || bits <= 0) return root;
  let cell = root;
  let done = 0;
  for (;;) {
    const edge = fixed.open(vm, cell, n - done);
    const length = Math.min(bits - done, edge.length);
    if (agreeing(edge, prefix.bytes, prefix.at + done, length) < length) return undefined;
    if (done + edge.length >= bits) {
      if (isRemoved) return shortened(vm, edge, bits - done, n - bits);
      return done === 0 ? root : lengthened(vm, edge, prefix, done, undefined, n);
    }
    done += edge.length;
    cell = child(edge, bitAt(prefix.bytes, prefix.at + done));
    done++;
  }
}
