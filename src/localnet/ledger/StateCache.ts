import type { Cell } from "../../cell/Cell.ts";

/** Bounds of the recent states. */
export interface StateCacheOptions {
  /** The largest number of states. */
  readonly max: number;
  /**
   * This many of the newest are kept, whatever their size: followers of the chain read them, and remaking one takes
   * long.
   */
  readonly least: number;
  readonly maxBytes: number;
}

interface RecentState {
  readonly state: Cell;
  readonly bytes: number;
}

/**
 * States of blocks by root hash of the block. The last used ones are kept; of the others every hundredth, from which
 * those between are rebuilt on demand.
 */
export class StateCache {
  readonly #recent = new Map<string, RecentState>();
  readonly #anchors = new Map<string, Cell>();
  readonly #options: StateCacheOptions;
  /** Takes effect with the next state. */
  maxBytes: number;
  #bytes = 0;

  constructor(options: StateCacheOptions) {
    this.#options = options;
    this.maxBytes = options.maxBytes;
  }

  /** The weight of the recent states. */
  get bytes(): number {
    return this.#bytes;
  }

  find(key: string): Cell | undefined {
    const recentState = this.#recent.get(key);
    if (recentState === undefined) return this.#anchors.get(key);
    // Used states stay: queries about old blocks must not evict the newest ones.
    this.#recent.delete(key);
    this.#recent.set(key, recentState);
    return recentState.state;
  }

  /** Keeps a state that no other one leads to, such as the one of every hundredth block. */
  setAnchor(key: string, state: Cell): void {
    this.#anchors.set(key, state);
  }

  /** Keeps a state; `bytes` is the memory that it has for itself, and does not share with the state before it. */
  set(key: string, state: Cell, bytes: number): void {
    this.#drop(key);
    this.#recent.set(key, { state, bytes });
    this.#bytes += bytes;
    const { max, least } = this.#options;
    for (const oldest of this.#recent.keys()) {
      const { size } = this.#recent;
      if (size <= least || (size <= max && this.#bytes <= this.maxBytes)) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#recent.get(key)?.bytes ?? 0;
    this.#recent.delete(key);
  }
}
