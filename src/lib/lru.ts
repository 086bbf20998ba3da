import { LibError } from "./errors.ts";
import { RecyclingMap } from "./memory/RecyclingMap.ts";

export interface LruOptions<K, V> {
  /** The largest total size of all entries. */
  readonly maxBytes: number;
  /** The size of an entry; called once, when it is set. */
  readonly sizeOf: (value: V, key: K) => number;
}

/** Counters since the cache was made, and its current content. */
export interface LruCounters {
  readonly hits: number;
  readonly misses: number;
  readonly evictions: number;
  readonly entries: number;
  readonly bytes: number;
}

/** An entry in the list of entries by last use. */
interface Entry<K, V> {
  readonly key: K;
  readonly value: V;
  readonly bytes: number;
  older: Entry<K, V> | undefined;
  newer: Entry<K, V> | undefined;
}

/** A cache bounded by bytes: when it is full, the least recently used entry is dropped. */
export class Lru<K, V> {
  readonly #options: LruOptions<K, V>;
  readonly #entries = new RecyclingMap<K, Entry<K, V>>();
  #oldest: Entry<K, V> | undefined;
  #newest: Entry<K, V> | undefined;
  #bytes = 0;
  #hits = 0;
  #misses = 0;
  #evictions = 0;

  constructor(options: LruOptions<K, V>) {
    this.#options = options;
  }

  /** The value, which becomes the most recently used, or `undefined`; hits and misses are counted. */
  find(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      this.#misses += 1;
      return undefined;
    }
    this.#hits += 1;
    if (entry !== this.#newest) {
      this.#takeOut(entry);
      this.#putLast(entry);
    }
    return entry.value;
  }

  /** The value or `undefined`, without any effect. */
  peek(key: K): V | undefined {
    return this.#entries.get(key)?.value;
  }

  /** Keeps the value; a value larger than the limit is not kept, and the value it replaces is dropped. */
  set(key: K, value: V): void {
    const bytes = this.#options.sizeOf(value, key);
    if (!(bytes >= 0)) throw new LibError("lib/range", `a cache entry cannot have ${bytes} bytes`);
    this.delete(key);
    if (bytes > this.#options.maxBytes) return;
    this.#evictDownTo(this.#options.maxBytes - bytes);
    const entry = { key, value, bytes, older: undefined, newer: undefined };
    this.#entries.set(key, entry);
    this.#putLast(entry);
    this.#bytes += bytes;
  }

  /** Deletes an entry; returns whether it was there. */
  delete(key: K): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#bytes -= entry.bytes;
    this.#takeOut(entry);
    return this.#entries.delete(key);
  }

  /** Deletes all entries; the counters continue. */
  clear(): void {
    this.#entries.clear();
    this.#oldest = undefined;
    this.#newest = undefined;
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
    while (this.#oldest !== undefined && this.#bytes > bytes) {
      this.delete(this.#oldest.key);
      this.#evictions += 1;
    }
  }

  #putLast(entry: Entry<K, V>): void {
    entry.older = this.#newest;
    if (this.#newest === undefined) this.#oldest = entry;
    else this.#newest.newer = entry;
    this.#newest = entry;
  }

  /** Unlinks the entry, so that a dropped entry does not keep others in memory. */
  #takeOut(entry: Entry<K, V>): void {
    const { older, newer } = entry;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    entry.older = undefined;
    entry.newer = undefined;
  }
}
