import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import { CellKind } from "../../../src/cell/base/CellKind.ts";
import { readBoc, writeBoc } from "../../../src/cell/boc.ts";
import { type Cell, makeCell } from "../../../src/cell/Cell.ts";
import { makeLibrary, makeProofCell, makePruned, makeUpdateCell, rebuildCell } from "../../../src/cell/exotic.ts";
import type { Hash } from "../../../src/cell/Hash.ts";
import { rawSliceOf } from "../../../src/cell/Slice.ts";
import { isCoded } from "../../../src/lib/errors.ts";
import type { Random } from "../../../src/lib/random.ts";

/** A lazily made forged value, and a description of the change. */
export interface Forgery<T = unknown> {
  readonly what: string;
  readonly make: () => T;
}

/** All single-bit changes of some bytes, or a random sample of `max` of them. */
export function* flipBits(bytes: Uint8Array, max: number, random: Random): Generator<Forgery<Uint8Array>> {
  const bits = bytes.length * 8;
  for (let i = 0; i < Math.min(bits, max); i++) {
    const at = bits <= max ? i : random.int(bits);
    yield { what: `bit ${at}`, make: () => flipped(bytes, at) };
  }
}

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  const copy = bytes.slice();
  copy[at >> 3] = (copy[at >> 3] ?? 0) ^ (0x80 >> (at & 7));
  return copy;
}

/**
 * Forged answers of an adversarial server: every field of a decoded answer, at any depth, is changed, replaced by the
 * field of another valid answer, removed, duplicated or moved. Bags of cells are changed cell by cell and stay
 * well-formed.
 */
export function* forgeValue(value: unknown, donors: readonly unknown[], random: Random): Generator<Forgery> {
  for (const [i, donor] of donors.entries()) yield { what: `that of donor ${i}`, make: () => donor };
  if (value instanceof Uint8Array) yield* forgeBytes(value, random);
  else if (Array.isArray(value)) yield* forgeList(value, donors, random);
  else if (typeof value === "object" && value !== null) yield* forgeFields(value, donors, random);
  else yield* forgeScalar(value);
}

function* forgeScalar(value: unknown): Generator<Forgery> {
  if (typeof value === "boolean") yield { what: "the opposite", make: () => !value };
  if (typeof value === "number") {
    for (const other of [value + 1, value - 1, 0, -1, value ^ 0x8000_0000])
      if (other !== value && other === (other | 0)) yield { what: `${other} for ${value}`, make: () => other };
  }
  if (typeof value === "bigint") {
    for (const other of [value + 1n, value - 1n, 0n, value ^ (1n << 62n)])
      if (other !== value) yield { what: `${other} for ${value}`, make: () => BigInt.asIntN(64, other) };
  }
}

function* forgeList(list: readonly unknown[], donors: readonly unknown[], random: Random): Generator<Forgery> {
  const given = donors.filter(Array.isArray).map((donor) => donor as unknown[]);
  if (list.length > 0) yield { what: "nothing", make: () => [] };
  if (list.length > 1) yield { what: "backwards", make: () => list.toReversed() };
  for (const i of someOf(list.length, 12, random)) {
    yield { what: `without ${i}`, make: () => list.toSpliced(i, 1) };
    yield { what: `up to ${i}`, make: () => list.slice(0, i) };
    yield { what: `from ${i} on`, make: () => list.slice(i) };
    yield { what: `${i} twice`, make: () => list.toSpliced(i, 0, list[i]) };
    if (i > 0) yield { what: `${i} before ${i - 1}`, make: () => list.toSpliced(i - 1, 2, list[i], list[i - 1]) };
    for (const forgery of forgeValue(list[i], given.map((donor) => donor[i]).filter(isThere), random))
      yield { what: `item ${i}: ${forgery.what}`, make: () => list.with(i, forgery.make()) };
  }
  for (const [i, donor] of given.entries()) yield { what: `and those of donor ${i}`, make: () => [...list, ...donor] };
}

function* forgeFields(value: object, donors: readonly unknown[], random: Random): Generator<Forgery> {
  for (const [key, field] of Object.entries(value)) {
    const given = donors.map((donor) => Object.entries(donor ?? {}).find(([name]) => name === key)?.[1]);
    for (const forgery of forgeValue(field, given.filter(isThere), random))
      yield { what: `${key}: ${forgery.what}`, make: () => ({ ...value, [key]: forgery.make() }) };
  }
}

function* forgeBytes(bytes: Uint8Array, random: Random): Generator<Forgery> {
  if (bytes.length > 0) yield { what: "one bit", make: () => flipped(bytes, random.int(bytes.length * 8)) };
  // Hashes and signatures keep their length.
  if (bytes.length === 32 || bytes.length === 64) return;
  yield { what: "nothing", make: () => new Uint8Array(0) };
  const roots = rootsOf(bytes);
  if (roots === undefined) return;
  yield { what: "the same in another form", make: () => writeBoc(roots, { crc: true, index: true }) };
  yield { what: "a root too many", make: () => writeBoc([...roots, roots[0] ?? emptyCell]) };
  yield { what: "the roots backwards", make: () => writeBoc(roots.toReversed()) };
  if (roots.length > 1) yield { what: "a root too few", make: () => writeBoc(roots.slice(1)) };
  for (const [i, root] of roots.entries()) {
    for (const forgery of forgeTree(root, random))
      yield { what: `root ${i}: ${forgery.what}`, make: () => writeBoc(roots.with(i, forgery.make())) };
  }
}

function rootsOf(bytes: Uint8Array): readonly Cell[] | undefined {
  try {
    return readBoc(bytes);
  } catch {
    // Not a bag of cells: mutated as plain bytes only.
    return undefined;
  }
}

/**
 * Changes single cells anywhere in a tree; Merkle cells above get the new hashes, so that the tree stays consistent.
 */
export function* forgeTree(root: Cell, random: Random, places = 6): Generator<Forgery<Cell>> {
  if (root.kind === CellKind.merkleProof) yield { what: "without its proof cell", make: () => root.ref(0) };
  yield { what: "in another proof cell", make: () => makeProofCell(root) };
  yield { what: "in an ordinary cell", make: () => beginCell().storeRef(root).cell() };
  for (let i = 0; i < places; i++) {
    const path = somePath(root, random);
    const [change = noChange] = cellChanges.slice(random.int(cellChanges.length));
    // A mutation that is impossible at this place leaves the tree unchanged.
    yield { what: `${change.name} at ${path.join("")}`, make: () => changeAt(root, path, change, random) ?? root };
  }
}

function changeAt(root: Cell, path: readonly number[], change: CellChange, random: Random): Cell | undefined {
  try {
    return replaceAt(root, path, (cell, merkles) => change(cell, merkles, random));
  } catch (error) {
    // A flipped depth of a pruned branch may exceed the maximum depth.
    if (isCoded(error, "cell/depth")) return undefined;
    throw error;
  }
}

/** A random path down; long paths are as likely as short ones. */
function somePath(root: Cell, random: Random): number[] {
  const path: number[] = [];
  for (let cell = root, left = random.int(40); left > 0 && cell.refCount > 0; left--) {
    const step = random.int(cell.refCount);
    path.push(step);
    cell = cell.ref(step);
  }
  return path;
}

type CellChange = (cell: Cell, merkles: number, random: Random) => Cell | undefined;

const noChange: CellChange = () => undefined;

const cellChanges: readonly CellChange[] = [
  function flip(cell, _merkles, random) {
    if (cell.bitLength === 0) return undefined;
    const data = rawSliceOf(cell).loadBits(cell.bitLength);
    return rebuiltWith(cell, flipped(data, random.int(cell.bitLength)), cell.bitLength, cell.refs());
  },
  function cut(cell) {
    if (cell.isExotic || cell.bitLength === 0) return undefined;
    return rebuiltWith(cell, rawSliceOf(cell).loadBits(cell.bitLength), cell.bitLength - 1, cell.refs());
  },
  function dropRef(cell) {
    if (cell.isExotic || cell.refCount === 0) return undefined;
    return rebuiltWith(cell, rawSliceOf(cell).loadBits(cell.bitLength), cell.bitLength, cell.refs().slice(1));
  },
  function swapRefs(cell) {
    return cell.isExotic || cell.refCount < 2 ? undefined : rebuildCell(cell, cell.refs().toReversed());
  },
  /** Valid in itself: the proved hash stays the same, but the cell is no longer included. */
  function prune(cell, merkles) {
    return pruned(cell, merkles);
  },
  function pruneForAnother(cell, merkles) {
    return pruned(cell, merkles + 1);
  },
  function library(cell) {
    return makeLibrary(cell.hash(0));
  },
  function other() {
    return makeLibrary("ab".repeat(32) as Hash);
  },
  function empty() {
    return emptyCell;
  },
];

function pruned(cell: Cell, level: number): Cell | undefined {
  const fits = cell.kind !== CellKind.pruned && level >= 1 && level <= 3 && cell.level <= level;
  return fits ? makePruned(cell, level) : undefined;
}

function rebuiltWith(cell: Cell, data: Uint8Array, bits: number, refs: readonly Cell[]): Cell | undefined {
  // Keep the type and the mask of a pruned branch: they determine its length.
  const isSame = cell.kind === CellKind.pruned && data[0] === CellKind.pruned && data[1] === cell.levelMask;
  return cell.kind === CellKind.ordinary || isSame ? makeCell(data, bits, refs, cell.kind) : undefined;
}

/** The tree with one cell replaced, `undefined` if impossible; `merkles` counts the Merkle cells above it. */
function replaceAt(
  cell: Cell,
  path: readonly number[],
  replace: (cell: Cell, merkles: number) => Cell | undefined,
  merkles = 0,
): Cell | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return replace(cell, merkles);
  const replaced = replaceAt(cell.ref(step), rest, replace, cell.kind >= CellKind.merkleProof ? merkles + 1 : merkles);
  if (replaced === undefined) return undefined;
  const refs = cell.refs().with(step, replaced);
  const [first, second] = refs;
  if (cell.kind === CellKind.merkleProof && first !== undefined) return makeProofCell(first);
  if (cell.kind === CellKind.merkleUpdate && first !== undefined && second !== undefined)
    return makeUpdateCell(first, second);
  return rebuildCell(cell, refs);
}

/** All numbers below `count`, or a random sample of `max` of them. */
function someOf(count: number, max: number, random: Random): number[] {
  if (count <= max) return Array.from({ length: count }, (_, i) => i);
  return Array.from({ length: max }, () => random.int(count));
}

function isThere(value: unknown): boolean {
  return value !== undefined;
}
