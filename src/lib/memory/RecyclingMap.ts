/** The number of deletions after which a new table is made. */
const leastLeft = 64;

/**
 * A map in insertion order for entries that live as long as a request. When the platform's Map grows or shrinks, the
 * old table keeps a link to the new one, for iterators. Once one old table is in the old space of the heap, all later
 * tables and their entries survive until the next full collection. This class replaces the Map from time to time, which
 * breaks the chain.
 */
export class RecyclingMap<K, V> {
  #entries = new Map<K, V>();
  #left = 0;

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  set(key: K, value: V): void {
    this.#entries.set(key, value);
  }

  /** Deletes an entry; returns whether it was there. */
  delete(key: K): boolean {
    const isThere = this.#entries.delete(key);
    if (isThere) {
      this.#left += 1;
      if (this.#left >= leastLeft && this.#left >= 4 * this.#entries.size) {
        this.#entries = new Map(this.#entries);
        this.#left = 0;
      }
    }
    return isThere;
  }

  clear(): void {
    this.#entries = new Map();
    this.#left = 0;
  }

  /** The oldest value. */
  first(): V | undefined {
    const [value] = this.#entries.values();
    return value;
  }

  /** A copy of all values, safe to iterate while the map changes. */
  list(): V[] {
    return [...this.#entries.values()];
  }
}
