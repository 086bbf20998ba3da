import type { LruOptions } from "./lru.ts";

/** In the place of that of `lru.ts`, for clients: a few entries of which nothing is counted. */
export class Lru<K, V> {
  readonly #options: LruOptions<K, V>;
  readonly #entries = new Map<K, { readonly value: V; readonly bytes: number }>();
  #bytes = 0;

  constructor(options: LruOptions<K, V>) {
    this.#options = options;
  }

  /** The value, which becomes the most recently used, or `undefined`. */
  find(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Keeps the value, and drops the least recently used ones for which there is no room. */
  set(key: K, value: V): void {
    const { maxBytes, sizeOf } = this.#options;
    const bytes = sizeOf(value, key);
    this.delete(key);
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) if (this.#bytes > maxBytes) this.delete(oldest);
  }

  delete(key: K): boolean {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }
}
