import { CellKind } from "./base/CellKind.ts";
import { Cell, type CellStorage, type CellWatch, hashAll } from "./Cell.ts";
import { significantLevels } from "./internal/levels.ts";

/** A cell whose reading is recorded, and the record. */
export interface Visits {
  /** Read through this one; all cells reached from it are recorded too. */
  readonly root: Cell;
  /** The cells that were opened, as cells of the original tree. */
  readonly opened: ReadonlySet<Cell>;
}

/** Records which cells are opened, to make a proof of exactly those. */
export function watchVisits(root: Cell): Visits {
  const watcher = new VisitWatcher();
  return { root: watcher.watched(root), opened: watcher.seen };
}

class VisitWatcher implements CellStorage, CellWatch {
  readonly seen = new Set<Cell>();
  readonly #originals: Cell[] = [];
  readonly #watched = new Map<Cell, Cell>();
  readonly #byHandle = new Map<Cell, Cell>();

  watched(original: Cell): Cell {
    const known = this.#watched.get(original);
    if (known !== undefined) return known;
    const { bytes, dataAt, bitLength, kind, levelMask, refCount } = original;
    const index = this.#originals.push(original) - 1;
    const handle = new Cell(
      bytes,
      dataAt,
      bitLength,
      kind,
      levelMask,
      refCount,
      this,
      index,
      undefined,
      undefined,
      this,
    );
    this.#watched.set(original, handle);
    this.#byHandle.set(handle, original);
    return handle;
  }

  opened(handle: Cell): void {
    const original = this.#byHandle.get(handle);
    if (original !== undefined) this.seen.add(original);
  }

  child(index: number, ref: number): Cell {
    return this.watched(this.#original(index).ref(ref));
  }

  depth(index: number, slot: number): number {
    const original = this.#original(index);
    return original.depth(significantLevels(original.levelMask)[slot]);
  }

  hash(index: number): Uint8Array {
    const original = this.#original(index);
    // A pruned branch has the hashes of its lower levels in its data: only its own has a slot.
    if (original.kind === CellKind.pruned) return original.hashBytes();
    return Buffer.concat(significantLevels(original.levelMask).map((level) => original.hashBytes(level)));
  }

  lowestHash(index: number): Uint8Array {
    return this.#original(index).hashBytes(0);
  }

  hashOffset(): number {
    return 0;
  }

  latest(index: number): Cell {
    return this.watched(this.#original(index).latest());
  }

  hashAll(indices: readonly number[]): void {
    hashAll(indices.map((index) => this.#original(index)));
  }

  #original(index: number): Cell {
    return this.#originals[index] as Cell;
  }
}
