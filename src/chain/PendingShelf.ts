import type { Clock } from "../lib/clock.ts";
import type { Address } from "../model/Address.ts";
import type { Hash } from "../model/Hash.ts";
import type { SentMessage } from "./SentMessage.ts";

export interface ShelfBounds {
  /** How long a trace waits for the chain. */
  readonly expiryMs: number;
  readonly maxTraces: number;
  readonly maxBytes: number;
}

interface Kept<T> {
  readonly value: T;
  readonly accounts: ReadonlySet<Address>;
  readonly bytes: number;
  readonly expiresAtMs: number;
}

/** Traces by message and by account; the oldest go first, when their time is over and when there are too many. */
export class PendingShelf<T extends { readonly sent: SentMessage }> {
  readonly #bounds: ShelfBounds;
  readonly #clock: Clock;
  /** By normalized hash, the oldest first. */
  readonly #kept = new Map<Hash, Kept<T>>();
  readonly #normalized = new Map<Hash, Hash>();
  readonly #byAccount = new Map<Address, Set<Hash>>();
  #bytes = 0;

  constructor(bounds: ShelfBounds, clock: Clock) {
    this.#bounds = bounds;
    this.#clock = clock;
  }

  get size(): number {
    return this.#kept.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Keeps a trace, unless it alone weighs more than all together may. */
  put(value: T, accounts: Iterable<Address>, bytes: number): void {
    const { normalizedHash, hash } = value.sent;
    this.#remove(normalizedHash);
    this.#forgetOld();
    if (bytes > this.#bounds.maxBytes) return;
    const kept = { value, accounts: new Set(accounts), bytes, expiresAtMs: this.#nowMs() + this.#bounds.expiryMs };
    this.#kept.set(normalizedHash, kept);
    this.#normalized.set(hash, normalizedHash);
    this.#bytes += bytes;
    for (const account of kept.accounts) {
      const own = this.#byAccount.get(account);
      if (own === undefined) this.#byAccount.set(account, new Set([normalizedHash]));
      else own.add(normalizedHash);
    }
    this.#makeRoom();
  }

  /** By the normalized hash of the message, or its own. */
  find(hash: Hash): T | undefined {
    this.#forgetOld();
    return this.#kept.get(this.#normalized.get(hash) ?? hash)?.value;
  }

  listOf(account: Address): readonly T[] {
    this.#forgetOld();
    return [...(this.#byAccount.get(account) ?? [])].flatMap((hash) => this.#kept.get(hash)?.value ?? []);
  }

  /** Forgets this trace, and not another one of the same message. */
  drop(value: T): void {
    const { normalizedHash } = value.sent;
    if (this.#kept.get(normalizedHash)?.value === value) this.#remove(normalizedHash);
  }

  clear(): void {
    for (const hash of [...this.#kept.keys()]) this.#remove(hash);
  }

  #nowMs(): number {
    return this.#clock.monotonic();
  }

  #forgetOld(): void {
    const now = this.#nowMs();
    for (const [hash, { expiresAtMs }] of this.#kept) {
      if (expiresAtMs > now) return;
      this.#remove(hash);
    }
  }

  #makeRoom(): void {
    const { maxTraces, maxBytes } = this.#bounds;
    for (const hash of this.#kept.keys()) {
      if (this.#kept.size <= maxTraces && this.#bytes <= maxBytes) return;
      this.#remove(hash);
    }
  }

  #remove(normalizedHash: Hash): void {
    const kept = this.#kept.get(normalizedHash);
    if (kept === undefined) return;
    this.#kept.delete(normalizedHash);
    this.#normalized.delete(kept.value.sent.hash);
    this.#bytes -= kept.bytes;
    for (const account of kept.accounts) {
      const own = this.#byAccount.get(account);
      own?.delete(normalizedHash);
      if (own?.size === 0) this.#byAccount.delete(account);
    }
  }
}
