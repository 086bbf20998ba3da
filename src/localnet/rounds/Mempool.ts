import type { Cell } from "../../cell/Cell.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";

/** An external message that waits for a block. */
export interface MempoolMessage {
  readonly hash: Hash;
  readonly cell: Cell;
  readonly dest: Address;
  /** Set for a control of the network's owner, which goes before all others: called when it leaves. */
  readonly onLeft?: ((outcome: "taken" | "dropped") => void) | undefined;
}

export interface MempoolOptions {
  /** 8192 by default. */
  readonly maxMessages?: number;
  /** Messages to one account; 256, like in nodes, by default. */
  readonly maxPerAccount?: number;
  /** How long a message may wait; ten minutes, like in nodes, by default. */
  readonly lifetimeMs?: number;
}

interface Entry extends MempoolMessage {
  readonly arrivedAtMs: number;
}

export type AddOutcome = "added" | "known" | "full";

/** External messages in the order of their arrival: bounded, each once. */
export class Mempool {
  readonly #options: Required<MempoolOptions>;
  readonly #clock: Clock;
  readonly #entries = new Map<Hash, Entry>();
  readonly #controls = new Map<Hash, MempoolMessage>();
  readonly #perAccount = new Map<Address, number>();

  constructor(options: MempoolOptions, clock: Clock) {
    this.#options = { maxMessages: 8192, maxPerAccount: 256, lifetimeMs: 600_000, ...options };
    this.#clock = clock;
  }

  get size(): number {
    return this.#entries.size + this.#controls.size;
  }

  /** Adds a control of the network's owner; there is room for every one that a caller waits for. */
  addControl(control: Required<MempoolMessage>): void {
    this.#controls.set(control.hash, control);
  }

  add(message: MempoolMessage): AddOutcome {
    if (this.#entries.has(message.hash)) return "known";
    this.#forgetOld();
    const { maxMessages, maxPerAccount } = this.#options;
    const ofAccount = this.#perAccount.get(message.dest) ?? 0;
    if (this.#entries.size >= maxMessages || ofAccount >= maxPerAccount) return "full";
    this.#entries.set(message.hash, { arrivedAtMs: this.#clock.monotonic(), ...message });
    this.#perAccount.set(message.dest, ofAccount + 1);
    return "added";
  }

  /** Controls, then the oldest messages, up to a number; they stay until they are removed. */
  list(max: number): readonly MempoolMessage[] {
    this.#forgetOld();
    const mempoolMessages: MempoolMessage[] = [...this.#controls.values()].slice(0, max);
    for (const entry of this.#entries.values()) {
      if (mempoolMessages.length >= max) break;
      mempoolMessages.push(entry);
    }
    return mempoolMessages;
  }

  has(hash: Hash): boolean {
    return this.#entries.has(hash) || this.#controls.has(hash);
  }

  /** Removes a message that a block has tried, or that makes every block fail. */
  remove(hash: Hash, outcome: "taken" | "dropped" = "taken"): void {
    const control = this.#controls.get(hash);
    this.#controls.delete(hash);
    control?.onLeft?.(outcome);
    const entry = this.#entries.get(hash);
    if (entry === undefined) return;
    this.#entries.delete(hash);
    const left = (this.#perAccount.get(entry.dest) ?? 1) - 1;
    if (left === 0) this.#perAccount.delete(entry.dest);
    else this.#perAccount.set(entry.dest, left);
  }

  clear(): void {
    this.#entries.clear();
    for (const hash of [...this.#controls.keys()]) this.remove(hash, "dropped");
    this.#perAccount.clear();
  }

  #forgetOld(): void {
    const oldest = this.#clock.monotonic() - this.#options.lifetimeMs;
    for (const { hash, arrivedAtMs } of this.#entries.values()) {
      if (arrivedAtMs > oldest) return;
      this.remove(hash);
    }
  }
}
