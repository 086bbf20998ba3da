import type { Cell } from "../../cell/Cell.ts";

/**
 * The cells a run has loaded. Gas depends on whether a cell with the same hash was loaded before; hashes are computed only
 * when two different handles look alike.
 */
export class LoadedCells {
  readonly #cells = new Set<Cell>();
  readonly #alike = new Map<number, Cell[]>();

  #step = 0;
  #sizeBefore = 0;

  /** Adds a cell during a step; gives whether it is new. */
  add(cell: Cell, step: number): boolean {
    if (step !== this.#step) {
      this.#step = step;
      this.#sizeBefore = this.#cells.size;
    }
    if (this.#cells.has(cell)) return false;
    this.#cells.add(cell);
    const key = fingerprint(cell);
    const alike = this.#alike.get(key);
    if (alike === undefined) {
      this.#alike.set(key, [cell]);
      return true;
    }
    const isNew = !alike.some((other) => other.equals(cell));
    alike.push(cell);
    return isNew;
  }

  /** Makes everything permanent, before steps are counted by another machine. */
  settle(): this {
    this.#step = -1;
    return this;
  }

  /** Forgets what was added during a step, if that is the last step that added anything. */
  undo(step: number): void {
    if (step !== this.#step) return;
    for (const cell of [...this.#cells].slice(this.#sizeBefore)) {
      this.#cells.delete(cell);
      this.#alike.get(fingerprint(cell))?.pop();
    }
  }
}

/** Cheap to compute and equal for equal cells: form, depth and some of the data. */
function fingerprint(cell: Cell): number {
  const { bytes, dataAt, bitLength } = cell;
  let mixed = (bitLength << 4) ^ (cell.refCount << 1) ^ (cell.depth() << 16) ^ cell.kind;
  const whole = bitLength >>> 3;
  const step = whole > 16 ? whole >>> 4 : 1;
  for (let i = 0; i < whole; i += step) mixed = Math.imul(mixed ^ (bytes[dataAt + i] as number), 0x01000193);
  return mixed;
}
