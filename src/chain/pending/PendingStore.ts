import type { CancelTimer, Clock } from "../../lib/clock.ts";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { SentMessage } from "../SentMessage.ts";

export interface PendingStoreLimits {
  /** How long a trace is kept. */
  readonly expiryMs: number;
  readonly maxTraces: number;
  readonly maxBytes: number;
}

interface StoredEntry<T> {
  readonly value: T;
  readonly accounts: ReadonlySet<Address>;
  readonly bytes: number;
  readonly expiresAtMs: number;
}

/** Traces by message and by account; the oldest are dropped when they expire and when there are too many. */
export class PendingStore<T extends { readonly sent: SentMessage }> {
  readonly #bounds: PendingStoreLimits;
  readonly #clock: Clock;
  /** By normalized hash, the oldest first. */
  readonly #kept = new Map<Hash, StoredEntry<T>>();
  readonly #normalized = new Map<Hash, Hash>();
  readonly #byAccount = new Map<Address, Set<Hash>>();
  readonly #onGone: (value: T) => void;
  #bytes = 0;
  #cancelExpiry: CancelTimer | undefined;

  /** Calls `onGone` for every trace that is dropped by age or for lack of space. */
  constructor(bounds: PendingStoreLimits, clock: Clock, onGone: (value: T) => void = () => {}) {
    this.#bounds = bounds;
    this.#clock = clock;
    this.#onGone = onGone;
  }

  get size(): number {
    return this.#kept.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Keeps a trace, unless it alone is larger than the limit; a trace that replaces another of the same message keeps
   * its age.
   */
  put(value: T, accounts: Iterable<Address>, bytes: number): void {
    const { normalizedHash, hash } = value.sent;
    this.#forgetOld();
    const earlier = this.#kept.get(normalizedHash);
    if (bytes > this.#bounds.maxBytes) {
      this.remove(normalizedHash);
      this.#onGone(value);
      return;
    }
    if (earlier !== undefined) this.#forgetPlaces(normalizedHash, earlier);
    const expiresAtMs = earlier?.expiresAtMs ?? this.#nowMs() + this.#bounds.expiryMs;
    const kept = { value, accounts: new Set(accounts), bytes, expiresAtMs };
    // In the place of the earlier one, so that the oldest stay first.
    this.#kept.set(normalizedHash, kept);
    this.#normalized.set(hash, normalizedHash);
    this.#bytes += bytes;
    for (const account of kept.accounts) {
      const own = this.#byAccount.get(account);
      if (own === undefined) this.#byAccount.set(account, new Set([normalizedHash]));
      else own.add(normalizedHash);
    }
    this.#makeRoom();
    this.#watchExpiry();
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

  list(): readonly T[] {
    this.#forgetOld();
    return [...this.#kept.values()].map(({ value }) => value);
  }

  /** Deletes this trace, but not another one of the same message; returns whether it was there. */
  drop(value: T): boolean {
    const { normalizedHash } = value.sent;
    const isThere = this.#kept.get(normalizedHash)?.value === value;
    if (isThere) this.remove(normalizedHash);
    return isThere;
  }

  /** Deletes the trace of a message. */
  remove(normalizedHash: Hash): void {
    const kept = this.#kept.get(normalizedHash);
    if (kept === undefined) return;
    this.#kept.delete(normalizedHash);
    this.#forgetPlaces(normalizedHash, kept);
  }

  clear(): void {
    this.#cancelExpiry?.();
    this.#cancelExpiry = undefined;
    for (const hash of [...this.#kept.keys()]) this.remove(hash);
  }

  #nowMs(): number {
    return this.#clock.monotonic();
  }

  /** Drops expired traces; returns the time until the next one expires, if there is one. */
  #forgetOld(): number | undefined {
    const now = this.#nowMs();
    for (const [hash, { expiresAtMs, value }] of this.#kept) {
      if (expiresAtMs > now) return expiresAtMs - now;
      this.remove(hash);
      this.#onGone(value);
    }
    return undefined;
  }

  /** Traces expire by a timer, also without requests. */
  #watchExpiry(): void {
    if (this.#cancelExpiry !== undefined) return;
    const waitMs = this.#forgetOld();
    if (waitMs === undefined) return;
    this.#cancelExpiry = this.#clock.timer(waitMs, () => {
      this.#cancelExpiry = undefined;
      this.#watchExpiry();
    });
  }

  #makeRoom(): void {
    const { maxTraces, maxBytes } = this.#bounds;
    for (const [hash, { value }] of this.#kept) {
      if (this.#kept.size <= maxTraces && this.#bytes <= maxBytes) return;
      this.remove(hash);
      this.#onGone(value);
    }
  }

  #forgetPlaces(normalizedHash: Hash, kept: StoredEntry<T>): void {
    this.#normalized.delete(kept.value.sent.hash);
    this.#bytes -= kept.bytes;
    for (const account of kept.accounts) {
      const own = this.#byAccount.get(account);
      own?.delete(normalizedHash);
      if (own?.size === 0) this.#byAccount.delete(account);
    }
  }
}
