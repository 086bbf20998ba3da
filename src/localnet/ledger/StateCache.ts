import type { Cell } from "../../cell/Cell.ts";

/**
 * States of blocks by root hash of the block. The last used ones are kept; of the others every hundredth, from which
 * those between are rebuilt on demand.
 */
export class StateCache {
  readonly #recent = new Map<string, Cell>();
  readonly #anchors = new Map<string, Cell>();
  readonly #keep: number;

  constructor(keep: number) {
    this.#keep = keep;
  }

  find(key: string): Cell | undefined {
    const found = this.#recent.get(key);
    if (found === undefined) return this.#anchors.get(key);
    // Used states stay: queries about old blocks must not evict the newest ones.
    this.#recent.delete(key);
    this.#recent.set(key, found);
    return found;
  }

  set(key: string, state: Cell, isAnchor: boolean): void {
    if (isAnchor) {
      this.#anchors.set(key, state);
      return;
    }
    this.#recent.set(key, state);
    if (this.#recent.size <= this.#keep) return;
    const [oldest] = this.#recent.keys();
    if (oldest !== undefined) this.#recent.delete(oldest);
  }
}
