import { commonPrefix } from "../../cell/BitReader.ts";
import type { Cell } from "../../cell/Cell.ts";

/** The cells a run has loaded, one handle each. Gas depends on whether a cell with the same hash was loaded before. */
export class LoadedCells {
  readonly #cells = new Set<Cell>();
  readonly #alike = new Map<number, Cell[]>();
  #step = 0;
  #sizeBefore = 0;

  add(cell: Cell, step: number): boolean {
    if (step !== this.#step) {
      this.#step = step;
      this.#sizeBefore = this.#cells.size;
    }
    if (this.#cells.has(cell)) return false;
    const key = fingerprint(cell);
    const alike = this.#alike.get(key);
    if (alike === undefined) this.#alike.set(key, [cell]);
    else if (alike.some((other) => isSame(other, cell))) return false;
    else alike.push(cell);
    this.#cells.add(cell);
    return true;
  }

  /** Makes everything permanent, before steps are counted by another machine. */
  commit(): this {
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

/** Whether two cells have the same hash; hashes are compared only where equal data has different references. */
function isSame(a: Cell, b: Cell): boolean {
  const { bitLength, refCount } = a;
  if (bitLength !== b.bitLength || refCount !== b.refCount || a.kind !== b.kind) return false;
  if (commonPrefix(a.bytes, a.dataAt * 8, b.bytes, b.dataAt * 8, bitLength) < bitLength) return false;
  for (let i = 0; i < refCount; i++) if (a.ref(i) !== b.ref(i)) return a.equals(b);
  return true;
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
