import { takeArrays } from "../lib/memory/takeArrays.ts";
import { runAtOnce, type Steps } from "../lib/sharing/steps.ts";
import { CellError } from "./base/errors.ts";
import type { Cell } from "./Cell.ts";

/**
 * The order in which a node writes the cells of a bag. Cells are first listed children before parents. Each then gets
 * a weight: how many cells lie below it, at most 255, cut down where a parent's share of 63 is too small for it. A
 * cell that cannot carry its children in its weight becomes a "stop" (weight 0): stops are laid out on their own, with
 * their hashes stored where the writer asks for it. The final order lists a cell's children next to each other.
 *
 * Cells are numbers here, in the order of the list, and what is known of them stands in flat arrays: an object for each
 * cell takes longer to make than all the rest.
 */
const share = 64;
const maxWeight = 255;

const maxRefs = 4;

/** What is left to do with a cell, and what is done. */
const work = { preview: 0, markSeen: 1, visit: 2, markVisited: 3, place: 4 } as const;
const workBits = 3;
const state = { fresh: 0, seen: 1, visited: 2, placed: 3 } as const;

/**
 * Cells that are looked at in one step: listing one may compute its hash, placing one is cheap, and copying one may
 * touch new memory in two places.
 */
const perStep = { listed: 1_000, placed: 10_000, copied: 1_000 } as const;

/** Cells that the first room of a large bag has; rooms are powers of two, because of their tables. */
const largeRoom = 512;

/** Nine words and three bytes. */
const bytesPerCell = 39;

/** What is known of cells, by their numbers. */
class Room {
  readonly size: number;
  readonly refs: Uint32Array;
  /** The first bits of their hashes. */
  readonly starts: Uint32Array;
  readonly shared: Uint8Array;
  readonly weights: Uint8Array;
  readonly states: Uint8Array;
  readonly placed: Uint32Array;
  readonly places: Uint32Array;
  /** One more than the number of a cell, at the first free place from where the first bits of its hash point to. */
  readonly table: Uint32Array;

  constructor(size: number) {
    this.size = size;
    const take = takeArrays(size * bytesPerCell);
    this.refs = take(Uint32Array, size * maxRefs);
    this.starts = take(Uint32Array, size);
    this.placed = take(Uint32Array, size);
    this.places = take(Uint32Array, size);
    this.table = take(Uint32Array, size * 2);
    this.shared = take(Uint8Array, size);
    this.weights = take(Uint8Array, size);
    this.states = take(Uint8Array, size);
  }

  clear(): void {
    this.shared.fill(0);
    this.states.fill(0);
    this.table.fill(0);
  }

  /** Twice as much room with the same cells, which are not placed yet. */
  *doubled(): Steps<Room> {
    const room = new Room(this.size * 2);
    for (let from = 0; from < this.size; from += perStep.copied) {
      if (from > 0) yield;
      room.#copy(this, from, Math.min(this.size, from + perStep.copied));
    }
    return room;
  }

  /** Memory takes longest where it is touched first: the entries of a step are all over the table. */
  #copy(room: Room, from: number, end: number): void {
    this.refs.set(room.refs.subarray(from * maxRefs, end * maxRefs), from * maxRefs);
    this.starts.set(room.starts.subarray(from, end), from);
    this.shared.set(room.shared.subarray(from, end), from);
    this.weights.set(room.weights.subarray(from, end), from);
    for (let number = from; number < end; number++) this.enter(number);
  }

  enter(number: number): void {
    const { table } = this;
    const mask = table.length - 1;
    let at = (this.starts[number] as number) & mask;
    while (table[at] !== 0) at = (at + 1) & mask;
    table[at] = number + 1;
  }
}

/**
 * Used again and again, because most bags are small and new arrays take longer than ordering them; one bag at a time.
 */
const smallRoom = new Room(64);

/** The distinct cells of a bag. Equal cells are one, also when they are different objects. */
export class CellOrder {
  /** Children before parents. */
  readonly cells: Cell[] = [];
  readonly roots: number[] = [];
  #room: Room;
  #placedCount = 0;

  /** The order is valid until the next bag is ordered. */
  static of(roots: readonly Cell[]): CellOrder {
    smallRoom.clear();
    const order = new CellOrder(smallRoom);
    runAtOnce(order.#fill(roots));
    return order;
  }

  /** For large bags; other bags may be ordered in the meantime. */
  static *inSteps(roots: readonly Cell[]): Steps<CellOrder> {
    const order = new CellOrder(new Room(largeRoom));
    yield* order.#fill(roots);
    return order;
  }

  private constructor(room: Room) {
    this.#room = room;
  }

  *#fill(roots: readonly Cell[]): Steps<void> {
    for (const root of roots) this.roots.push(yield* this.#add(root));
    yield* this.#limitWeights();
    yield* this.#markStops();
    for (const root of this.roots) yield* this.#run([todo(root, work.visit), todo(root, work.preview)]);
    for (const root of this.roots) this.#place(root);
  }

  /** The cell at an index of the bag. */
  at(index: number): number {
    return this.#room.placed[this.cells.length - 1 - index] as number;
  }

  /** The index of a cell in the bag. */
  indexOf(cell: number): number {
    return this.cells.length - 1 - (this.#room.places[cell] as number);
  }

  ref(cell: number, index: number): number {
    return this.#room.refs[cell * maxRefs + index] as number;
  }

  /** A stop: its hashes are stored when the writer stores inner hashes. */
  isStop(cell: number): boolean {
    return this.#room.weights[cell] === 0;
  }

  /** Whether the cell occurs more than once. */
  isShared(cell: number): boolean {
    return this.#room.shared[cell] === 1;
  }

  *#add(root: Cell): Steps<number> {
    const known = this.#meet(root);
    if (known >= 0) return known;
    const path = [root];
    /** The children found so far of all cells on the path, and how many each has. */
    const children: number[] = [];
    const counts = [0];
    for (;;) {
      const top = path.length - 1;
      const cell = path[top] as Cell;
      const count = counts[top] as number;
      let found: number;
      if (count < cell.refCount) {
        const child = cell.ref(count);
        counts[top] = count + 1;
        found = this.#meet(child);
        if (found < 0) {
          path.push(child);
          counts.push(0);
          continue;
        }
      } else {
        if (this.cells.length === this.#room.size) this.#room = yield* this.#room.doubled();
        found = this.#append(cell, children);
        if (found % perStep.listed === 0) yield;
        path.pop();
        counts.pop();
        if (path.length === 0) return found;
      }
      children.push(found);
    }
  }

  /** The number of a known cell, which is now shared, or -1. */
  #meet(cell: Cell): number {
    const start = cell.hashStart();
    const { table, starts, shared } = this.#room;
    const mask = table.length - 1;
    for (let at = start & mask; ; at = (at + 1) & mask) {
      const number = (table[at] as number) - 1;
      if (number < 0) return -1;
      if (starts[number] !== start || !(this.cells[number] as Cell).equals(cell)) continue;
      shared[number] = 1;
      return number;
    }
  }

  /** Lists a cell, whose children are taken off the end of `children`. */
  #append(cell: Cell, children: number[]): number {
    if (cell.isAbsent) throw new CellError("cell/pruned", "a cell that has not come", { data: { hash: cell.hash() } });
    const number = this.cells.length;
    const { refs, weights, starts } = this.#room;
    this.cells.push(cell);
    let weight = 1;
    for (let i = cell.refCount - 1; i >= 0; i--) {
      const child = children.pop() as number;
      refs[number * maxRefs + i] = child;
      weight += weights[child] as number;
    }
    weights[number] = Math.min(maxWeight, weight);
    starts[number] = cell.hashStart();
    this.#room.enter(number);
    return number;
  }

  /** From the roots down, no child keeps more weight than its part of the parent's share. */
  *#limitWeights(): Steps<void> {
    const { weights } = this.#room;
    for (let number = this.cells.length - 1; number >= 0; number--) {
      if (number % perStep.placed === 0) yield;
      const { refCount } = this.cells[number] as Cell;
      let left = share - 1;
      let heavy = 0;
      let heavyMask = 0;
      for (let j = 0; j < refCount; j++) {
        const weight = weights[this.ref(number, j)] as number;
        if (weight <= Math.floor((share - 1 + j) / refCount)) {
          left -= weight;
        } else {
          heavy++;
          heavyMask |= 1 << j;
        }
      }
      for (let j = 0; heavyMask >> j !== 0; j++) {
        if ((heavyMask & (1 << j)) === 0) continue;
        const child = this.ref(number, j);
        weights[child] = Math.min(weights[child] as number, Math.floor(left++ / heavy));
      }
    }
  }

  *#markStops(): Steps<void> {
    const { weights } = this.#room;
    for (let number = 0; number < this.cells.length; number++) {
      if (number % perStep.placed === 0) yield;
      const { refCount } = this.cells[number] as Cell;
      let sum = 1;
      for (let j = 0; j < refCount; j++) sum += weights[this.ref(number, j)] as number;
      weights[number] = sum <= (weights[number] as number) ? sum : 0;
    }
  }

  /** Does the tasks, the last one first, and those they add. */
  *#run(tasks: number[]): Steps<void> {
    let count = 0;
    for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
      if (++count % perStep.placed === 0) yield;
      const cell = Math.floor(task / (1 << workBits));
      const kind = task & ((1 << workBits) - 1);
      if (kind === work.preview) this.#preview(cell, tasks);
      else if (kind === work.visit) this.#visit(cell, tasks);
      else if (kind === work.place) this.#place(cell);
      else if (kind === work.markVisited) this.#room.states[cell] = state.visited;
      else if (this.#room.states[cell] === state.fresh) this.#room.states[cell] = state.seen;
    }
  }

  /** Searches for stops below the cell and visits those first, the last child first. */
  #preview(cell: number, tasks: number[]): void {
    if (this.#room.states[cell] !== state.fresh) return;
    tasks.push(todo(cell, work.markSeen));
    const { refCount } = this.cells[cell] as Cell;
    for (let i = 0; i < refCount; i++) {
      const child = this.ref(cell, i);
      tasks.push(todo(child, this.isStop(child) ? work.visit : work.preview));
    }
  }

  /** Numbers all children, and their children before them, the last child first. */
  #visit(cell: number, tasks: number[]): void {
    if ((this.#room.states[cell] as number) >= state.visited) return;
    tasks.push(todo(cell, work.markVisited));
    const { refCount } = this.cells[cell] as Cell;
    for (let i = 0; i < refCount; i++) tasks.push(todo(this.ref(cell, i), work.place));
    for (let i = 0; i < refCount; i++) tasks.push(todo(this.ref(cell, i), work.visit));
    if (this.isStop(cell)) tasks.push(todo(cell, work.preview));
  }

  #place(cell: number): void {
    if (this.#room.states[cell] === state.placed) return;
    this.#room.states[cell] = state.placed;
    this.#room.places[cell] = this.#placedCount;
    this.#room.placed[this.#placedCount] = cell;
    this.#placedCount++;
  }
}

function todo(cell: number, kind: number): number {
  return cell * (1 << workBits) + kind;
}
