import type { Caller } from "../declare/Caller.ts";
import { StreamRefusal } from "./StreamRefusal.ts";

/** The limits of one key, or of one address without a key. */
export interface StreamLimit {
  readonly connections: number;
  readonly addresses: number;
  /** Whether it may subscribe to everything. */
  readonly all: boolean;
}

const noLimit: StreamLimit = {
  connections: Number.POSITIVE_INFINITY,
  addresses: Number.POSITIVE_INFINITY,
  all: true,
};

/** Counts the connections of each caller; a closed connection frees its slot. */
export class StreamLimits {
  readonly #plans: ReadonlyMap<string, StreamLimit>;
  readonly #keyless: StreamLimit;
  readonly #taken = new Map<string, number>();

  constructor(plans: ReadonlyMap<string, StreamLimit>, keyless: StreamLimit) {
    this.#plans = plans;
    this.#keyless = keyless;
  }

  of(caller: Caller): StreamLimit {
    if (caller.kind === "open") return noLimit;
    return caller.kind === "key" ? (this.#plans.get(caller.plan) ?? this.#keyless) : this.#keyless;
  }

  /** Takes a slot and returns the function that frees it. */
  take(caller: Caller): () => void {
    if (caller.kind === "open") return () => {};
    const name = caller.kind === "key" ? `owner:${caller.owner}` : `address:${caller.address}`;
    const active = this.#taken.get(name) ?? 0;
    if (active >= this.of(caller).connections)
      throw new StreamRefusal(429, `connection limit reached: ${active} active connections`);
    this.#taken.set(name, active + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      const left = (this.#taken.get(name) ?? 1) - 1;
      if (left === 0) this.#taken.delete(name);
      else this.#taken.set(name, left);
    };
  }
}
