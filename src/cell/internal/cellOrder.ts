import type { Cell } from "../Cell.ts";
import { CellError } from "../errors.ts";

/**
 * The order in which a node writes the cells of a bag. Cells are first listed children before parents. Each then gets
 * a weight: how many cells lie below it, at most 255, cut down where a parent's share of 63 is too small for it. A
 * cell that cannot carry its children in its weight becomes a "stop" (weight 0): stops are laid out on their own, with
 * their hashes stored where the writer asks for it. The final order lists a cell's children next to each other.
 */
const share = 64;

export interface OrderedCell {
  readonly cell: Cell;
  /** Places of the children in the final order. */
  readonly refs: readonly number[];
  /** A stop: its hashes are stored when inner hashes are asked for. */
  readonly isStop: boolean;
  readonly isRoot: boolean;
  /** Met more than once. */
  readonly isShared: boolean;
}

interface Entry {
  readonly cell: Cell;
  readonly refs: readonly number[];
  weight: number;
  isRoot: boolean;
  isShared: boolean;
  state: "new" | "seen" | "visited" | "placed";
  place: number;
}

/** Roots and all below them, last cell first as the node numbers them: the caller writes from the end. */
export function orderCells(roots: readonly Cell[]): { cells: OrderedCell[]; roots: number[] } {
  const list = new Lister();
  const rootEntries = roots.map((root) => list.add(root));
  const { entries } = list;
  for (const root of rootEntries) (entries[root] as Entry).isRoot = true;
  limitWeights(entries);
  markStops(entries);
  const placer = new Placer(entries);
  for (const root of rootEntries) {
    placer.preview(root);
    placer.visit(root);
  }
  for (const root of rootEntries) placer.place(root);
  const cells = placer.placed.map((entry) => ({
    cell: entry.cell,
    refs: entry.refs.map((ref) => (entries[ref] as Entry).place),
    isStop: entry.weight === 0,
    isRoot: entry.isRoot,
    isShared: entry.isShared,
  }));
  return { cells, roots: rootEntries.map((root) => (entries[root] as Entry).place) };
}

class Lister {
  readonly entries: Entry[] = [];
  readonly #byHash = new Map<string, number>();
  readonly #byCell = new Map<Cell, number>();

  add(cell: Cell): number {
    const known = this.#byCell.get(cell) ?? this.#byHash.get(cell.hash());
    if (known !== undefined) {
      (this.entries[known] as Entry).isShared = true;
      return known;
    }
    let weight = 1;
    const refs: number[] = [];
    for (let i = 0; i < cell.refCount; i++) {
      const ref = this.add(cell.ref(i));
      refs.push(ref);
      weight += (this.entries[ref] as Entry).weight;
    }
    const index = this.entries.length;
    weight = Math.min(255, weight);
    this.entries.push({ cell, refs, weight, isRoot: false, isShared: false, state: "new", place: -1 });
    this.#byHash.set(cell.hash(), index);
    this.#byCell.set(cell, index);
    return index;
  }
}

/** From the roots down, no child keeps more weight than its part of the parent's share. */
function limitWeights(entries: readonly Entry[]): void {
  for (let i = entries.length - 1; i >= 0; i--) {
    const children = (entries[i] as Entry).refs.map((ref) => entries[ref] as Entry);
    let left = share - 1;
    const heavy: Entry[] = [];
    children.forEach((child, j) => {
      if (child.weight <= Math.floor((share - 1 + j) / children.length)) left -= child.weight;
      else heavy.push(child);
    });
    for (const child of heavy) {
      const part = Math.floor(left++ / heavy.length);
      if (child.weight > part) child.weight = part;
    }
  }
}

function markStops(entries: readonly Entry[]): void {
  for (const entry of entries) {
    let sum = 1;
    for (const ref of entry.refs) sum += (entries[ref] as Entry).weight;
    entry.weight = sum <= entry.weight ? sum : 0;
  }
}

/** Recursion here is as deep as the cells are, which is limited to 1024 when they are made. */
class Placer {
  readonly placed: Entry[] = [];
  readonly #entries: readonly Entry[];

  constructor(entries: readonly Entry[]) {
    this.#entries = entries;
  }

  /** Looks below for stops and visits those first. */
  preview(index: number): void {
    const entry = this.#entry(index);
    if (entry.state !== "new") return;
    for (let j = entry.refs.length - 1; j >= 0; j--) {
      const child = entry.refs[j] as number;
      if (this.#entry(child).weight === 0) this.visit(child);
      else this.preview(child);
    }
    entry.state = "seen";
  }

  /** Gives all children, and theirs before them, a place. */
  visit(index: number): void {
    const entry = this.#entry(index);
    if (entry.state === "visited" || entry.state === "placed") return;
    if (entry.weight === 0) this.preview(index);
    for (let j = entry.refs.length - 1; j >= 0; j--) this.visit(entry.refs[j] as number);
    for (let j = entry.refs.length - 1; j >= 0; j--) this.place(entry.refs[j] as number);
    entry.state = "visited";
  }

  place(index: number): void {
    const entry = this.#entry(index);
    if (entry.state === "placed") return;
    entry.place = this.placed.length;
    entry.state = "placed";
    this.placed.push(entry);
  }

  #entry(index: number): Entry {
    const entry = this.#entries[index];
    if (entry === undefined) throw new CellError("cell/range", `no cell ${index} in the list`);
    return entry;
  }
}
