const digits = 2;

/**
 * A map for very many entries by hashes, as hex text. When the platform's Map is full, it moves all entries to a new
 * table in one piece: 40 ms for some hundred thousand. Here they are spread over 256 tables, each of which moves few.
 */
export class SpreadMap<K extends string, V> {
  readonly #tables = new Map<string, Map<K, V>>();
  #size = 0;

  constructor(entries: Iterable<readonly [K, V]> = []) {
    for (const [key, value] of entries) this.set(key, value);
  }

  get size(): number {
    return this.#size;
  }

  get(key: K): V | undefined {
    return this.#tables.get(key.slice(0, digits))?.get(key);
  }

  set(key: K, value: V): void {
    const start = key.slice(0, digits);
    let table = this.#tables.get(start);
    if (table === undefined) {
      table = new Map();
      this.#tables.set(start, table);
    }
    const before = table.size;
    table.set(key, value);
    this.#size += table.size - before;
  }

  delete(key: K): void {
    if (this.#tables.get(key.slice(0, digits))?.delete(key) === true) this.#size -= 1;
  }

  /** In no particular order. */
  *[Symbol.iterator](): IterableIterator<readonly [K, V]> {
    for (const table of this.#tables.values()) yield* table;
  }
}
