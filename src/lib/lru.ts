import { LibError } from "./libErrors.ts";

export interface LruOptions<K, V> {
  /** What all entries together may weigh. */
  readonly maxBytes: number;
  /** What one entry weighs; asked once, when it is set. */
  readonly sizeOf: (value: V, key: K) => number;
}

/** What a cache did since it was made, and what it holds now. */
export interface LruCounters {
  readonly hits: number;
  readonly misses: number;
  readonly evictions: number;
  readonly entries: number;
  readonly bytes: number;
}

interface Entry<V> {
  readonly value: V;
  readonly bytes: number;
}

/** A cache bounded by bytes: when it is full, what was used longest ago goes first. */
export class Lru<K, V> {
  readonly #options: LruOptions<K, V>;
  /** In the order of use: a Map keeps the order of insertion, so a used entry is inserted anew. */
  readonly #entries = new Map<K, Entry<V>>();
  #bytes = 0;
  #hits = 0;
  #misses = 0;
  #evictions = 0;

  constructor(options: LruOptions<K, V>) {
    this.#options = options;
  }

  /** The value, now the most recently used, or `undefined`; both are counted. */
  find(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      this.#misses += 1;
      return undefined;
    }
    this.#hits += 1;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Keeps the value; one that alone weighs more than the bound is not kept, and neither is what it replaces. */
  set(key: K, value: V): void {
    const bytes = this.#options.sizeOf(value, key);
    if (!(bytes >= 0)) {
      throw new LibError("lib/range", `an entry of a cache cannot weigh ${bytes} bytes`);
    }
    this.delete(key);
    if (bytes > this.#options.maxBytes) {
      return;
    }
    this.#evictDownTo(this.#options.maxBytes - bytes);
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
  }

  /** Forgets one entry and tells whether there was one. */
  delete(key: K): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      return false;
    }
    this.#bytes -= entry.bytes;
    return this.#entries.delete(key);
  }

  /** Forgets all entries; the counters of use go on. */
  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  counters(): LruCounters {
    return {
      hits: this.#hits,
      misses: this.#misses,
      evictions: this.#evictions,
      entries: this.#entries.size,
      bytes: this.#bytes,
    };
  }

  #evictDownTo(bytes: number): void {
    for (const key of this.#entries.keys()) {
      if (this.#bytes <= bytes) {
        return;
      }
      this.delete(key);
      this.#evictions += 1;
    }
  }
}
