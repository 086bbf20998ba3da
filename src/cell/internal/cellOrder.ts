import type { Cell } from "../Cell.ts";

/**
 * The order in which a node writes the cells of a bag. Cells are first listed children before parents. Each then gets
 * a weight: how many cells lie below it, at most 255, cut down where a parent's share of 63 is too small for it. A
 * cell that cannot carry its children in its weight becomes a "stop" (weight 0): stops are laid out on their own, with
 * their hashes stored where the writer asks for it. The final order lists a cell's children next to each other.
 */
const share = 64;
const mostWeight = 255;

/** A cell of the bag. */
export interface OrderedCell {
  readonly cell: Cell;
  readonly children: readonly OrderedCell[];
  /** Its index in the final order. */
  readonly place: number;
  /** A stop: its hashes are stored when the writer stores inner hashes. */
  readonly isStop: boolean;
  readonly isRoot: boolean;
  /** Occurs more than once. */
  readonly isShared: boolean;
}

class Entry implements OrderedCell {
  readonly cell: Cell;
  readonly children: readonly Entry[];
  /** Another cell with the same first hash bits. */
  readonly alike: Entry | undefined;
  weight: number;
  isRoot = false;
  isShared = false;
  state: "new" | "seen" | "visited" | "placed" = "new";
  place = -1;

  constructor(cell: Cell, children: readonly Entry[], alike: Entry | undefined) {
    this.cell = cell;
    this.children = children;
    this.alike = alike;
    let weight = 1;
    for (let i = 0; i < children.length; i++) weight += (children[i] as Entry).weight;
    this.weight = Math.min(mostWeight, weight);
  }

  get isStop(): boolean {
    return this.weight === 0;
  }
}

/** The roots and all cells below them in the order of the node, last cell first: the caller writes from the end. */
export function orderCells(roots: readonly Cell[]): { cells: OrderedCell[]; roots: OrderedCell[] } {
  const list = new CellList();
  const rootEntries = roots.map((root) => list.add(root));
  for (const root of rootEntries) root.isRoot = true;
  limitWeights(list.entries);
  markStops(list.entries);
  return { cells: placeAll(rootEntries), roots: rootEntries };
}

const noChildren: readonly Entry[] = [];

/** All distinct cells, children before parents. Equal cells are one entry, also when they are different objects. */
class CellList {
  readonly entries: Entry[] = [];
  /** By the first bits of the hash, which are nearly always sufficient. */
  readonly #byHash = new Map<number, Entry>();

  add(root: Cell): Entry {
    const known = this.#meet(root);
    if (known !== undefined) return known;
    const path = [root];
    /** The children found so far of all cells on the path, and how many each has. */
    const children: Entry[] = [];
    const counts = [0];
    for (;;) {
      const top = path.length - 1;
      const cell = path[top] as Cell;
      const count = counts[top] as number;
      let found: Entry | undefined;
      if (count < cell.refCount) {
        const child = cell.ref(count);
        counts[top] = count + 1;
        found = this.#meet(child);
        if (found === undefined) {
          path.push(child);
          counts.push(0);
          continue;
        }
      } else {
        found = this.#append(cell, count === 0 ? noChildren : children.splice(children.length - count));
        path.pop();
        counts.pop();
        if (path.length === 0) return found;
      }
      children.push(found);
    }
  }

  /** The entry of a known cell, which is now shared. */
  #meet(cell: Cell): Entry | undefined {
    const known = this.#find(cell);
    if (known !== undefined) known.isShared = true;
    return known;
  }

  #find(cell: Cell): Entry | undefined {
    for (let entry = this.#byHash.get(cell.hashStart()); entry !== undefined; entry = entry.alike)
      if (entry.cell.equals(cell)) return entry;
    return undefined;
  }

  #append(cell: Cell, children: readonly Entry[]): Entry {
    const start = cell.hashStart();
    const entry = new Entry(cell, children, this.#byHash.get(start));
    this.entries.push(entry);
    this.#byHash.set(start, entry);
    return entry;
  }
}

/** From the roots down, no child keeps more weight than its part of the parent's share. */
function limitWeights(entries: readonly Entry[]): void {
  for (let i = entries.length - 1; i >= 0; i--) {
    const { children } = entries[i] as Entry;
    let left = share - 1;
    let heavy = 0;
    let heavyMask = 0;
    for (let j = 0; j < children.length; j++) {
      const { weight } = children[j] as Entry;
      if (weight <= Math.floor((share - 1 + j) / children.length)) {
        left -= weight;
      } else {
        heavy++;
        heavyMask |= 1 << j;
      }
    }
    for (let j = 0; heavyMask >> j !== 0; j++) {
      if ((heavyMask & (1 << j)) === 0) continue;
      const child = children[j] as Entry;
      child.weight = Math.min(child.weight, Math.floor(left++ / heavy));
    }
  }
}

function markStops(entries: readonly Entry[]): void {
  for (const entry of entries) {
    let sum = 1;
    for (const child of entry.children) sum += child.weight;
    entry.weight = sum <= entry.weight ? sum : 0;
  }
}

/** The remaining work on an entry; the last task is the next one. */
interface Tasks {
  readonly entries: Entry[];
  readonly works: Work[];
}

type Work = (entry: Entry, tasks: Tasks, placed: Entry[]) => void;

function placeAll(roots: readonly Entry[]): Entry[] {
  const placed: Entry[] = [];
  for (const root of roots) run(root, [visit, preview], placed);
  for (const root of roots) place(root, { entries: [], works: [] }, placed);
  return placed;
}

/** Runs the tasks, the last one first, and those they add. */
function run(root: Entry, works: readonly Work[], placed: Entry[]): void {
  const tasks: Tasks = { entries: works.map(() => root), works: [...works] };
  for (let work = tasks.works.pop(); work !== undefined; work = tasks.works.pop())
    work(tasks.entries.pop() as Entry, tasks, placed);
}

function later({ entries, works }: Tasks, entry: Entry, work: Work): void {
  entries.push(entry);
  works.push(work);
}

/** Searches for stops below the entry and visits those first, the last child first. */
function preview(entry: Entry, tasks: Tasks): void {
  if (entry.state !== "new") return;
  later(tasks, entry, markSeen);
  for (const child of entry.children) later(tasks, child, child.weight === 0 ? visit : preview);
}

function markSeen(entry: Entry): void {
  if (entry.state === "new") entry.state = "seen";
}

/** Numbers all children, and their children before them, the last child first. */
function visit(entry: Entry, tasks: Tasks): void {
  if (entry.state === "visited" || entry.state === "placed") return;
  later(tasks, entry, markVisited);
  for (const child of entry.children) later(tasks, child, place);
  for (const child of entry.children) later(tasks, child, visit);
  if (entry.weight === 0) later(tasks, entry, preview);
}

function markVisited(entry: Entry): void {
  entry.state = "visited";
}

const place: Work = (entry, _tasks, placed) => {
  if (entry.state === "placed") return;
  entry.place = placed.length;
  entry.state = "placed";
  placed.push(entry);
};
