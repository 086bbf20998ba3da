import { crcForm, writeBoc } from "../../../cell/boc.ts";
import type { Cell } from "../../../cell/Cell.ts";
import type { Hash } from "../../../model/Hash.ts";

/** The largest tree of cells that an answer carries, and how many bytes all of them take together. */
const maxCells = 256;
const maxBytes = 256 * 1024;

/** The cells that an answer names by hash, each once and as far as they fit. */
export class CellBag {
  readonly #cells = new Map<Hash, readonly [Cell, Uint8Array] | undefined>();
  #bytes = 0;

  /** Adds a cell; gives its hash. */
  add(cell: Cell): Hash {
    const hash = cell.hash();
    if (!this.#cells.has(hash)) this.#cells.set(hash, this.#pack(cell));
    return hash;
  }

  list(): (readonly [Cell, Uint8Array])[] {
    return [...this.#cells.values()].flatMap((each) => (each === undefined ? [] : [each]));
  }

  #pack(cell: Cell): readonly [Cell, Uint8Array] | undefined {
    if (this.#bytes >= maxBytes || !isSmall(cell)) return undefined;
    const bytes = writeBoc(cell, crcForm);
    this.#bytes += bytes.length;
    return [cell, bytes];
  }
}

/** Whether the cell has few cells below it; a shared one counts as often as it is referred to. */
function isSmall(root: Cell): boolean {
  const waiting = [root];
  for (let count = 0; waiting.length > 0; count++) {
    const cell = waiting.pop();
    if (cell === undefined || count >= maxCells) return false;
    waiting.push(...cell.refs());
  }
  return true;
}
