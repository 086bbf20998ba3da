/** How many entries leave before it is worth a new table. */
const leastLeft = 64;

/**
 * A map, in the order of insertion, for what comes and goes with every request. The platform's own Map leaves in each table
 * that it gives up a way to the next one, for iterators; once a single one of these has been moved to the memory of
 * old things, all that follow it, with whatever was in them, are kept until the next full collection. Here the chain
 * is cut: a new Map takes the place of the old one now and then.
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

  /** Takes one entry out and tells whether it was there. */
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

  /** The value that has been here longest. */
  first(): V | undefined {
    const [value] = this.#entries.values();
    return value;
  }

  /** All values as they are now, whatever changes while they are looked at. */
  list(): V[] {
    return [...this.#entries.values()];
  }
}
