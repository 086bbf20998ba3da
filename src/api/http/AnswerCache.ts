import { Lru, type LruCounters } from "../../lib/lru.ts";
import type { CacheRule } from "../declare/endpoint.ts";
import type { EncodedAnswer } from "./EncodedAnswer.ts";

export interface AnswerCacheOptions {
  /** Bytes for answers about the newest block. */
  readonly headBytes: number;
  /** Bytes for immutable answers. */
  readonly lastingBytes: number;
}

/** Where an answer is kept. */
export interface CacheSlot {
  readonly rule: CacheRule;
  readonly key: string;
  /** For answers that may come from private lite servers: callers without a key never get them. */
  readonly privateKey: string;
}

/** Whether a caller may see answers of private lite servers. */
export type AnswerAccess = "public" | "private";

/** The head epoch: any number that changes with every new block. */
export type HeadEpoch = () => number;

/**
 * Encoded answers. Those about the newest block are dropped at the first lookup after a new block. Only successes are
 * kept.
 */
export class AnswerCache {
  readonly #head: HeadEpoch;
  readonly #newest: Lru<string, EncodedAnswer>;
  readonly #lasting: Lru<string, EncodedAnswer>;
  #epoch: number;

  constructor({ headBytes, lastingBytes }: AnswerCacheOptions, head: HeadEpoch) {
    const sizeOf = (encoded: EncodedAnswer, key: string) => encoded.bytes + 2 * key.length;
    this.#head = head;
    this.#newest = new Lru({ maxBytes: headBytes, sizeOf });
    this.#lasting = new Lru({ maxBytes: lastingBytes, sizeOf });
    this.#epoch = head();
  }

  /** The current head epoch; read it before querying the chain, so that no answer is older than its epoch. */
  epoch(): number {
    const epoch = this.#head();
    if (epoch !== this.#epoch) {
      this.#epoch = epoch;
      this.#newest.clear();
    }
    return epoch;
  }

  /** An answer for a public caller is valid for all; one for a private caller only for private callers. */
  find({ rule, key, privateKey }: CacheSlot, access: AnswerAccess): EncodedAnswer | undefined {
    if (rule === "none") return undefined;
    if (rule === "head") this.epoch();
    const answers = rule === "head" ? this.#newest : this.#lasting;
    return access === "private" ? (answers.find(privateKey) ?? answers.find(key)) : answers.find(key);
  }

  /** The answer that `find` would find; nothing is counted. */
  peek({ rule, key, privateKey }: CacheSlot, access: AnswerAccess): EncodedAnswer | undefined {
    if (rule === "head") this.epoch();
    const answers = rule === "head" ? this.#newest : this.#lasting;
    return (access === "private" ? answers.peek(privateKey) : undefined) ?? answers.peek(key);
  }

  /**
   * Keeps an answer whose run began in this head epoch; an answer about the head is not kept when the epoch is over.
   */
  keep(slot: CacheSlot, access: AnswerAccess, epoch: number, encoded: EncodedAnswer): void {
    const { rule } = slot;
    const key = access === "private" ? slot.privateKey : slot.key;
    if (rule === "forever") this.#lasting.set(key, encoded.owned());
    else if (rule === "head" && epoch === this.epoch()) this.#newest.set(key, encoded.owned());
  }

  clear(): void {
    this.#newest.clear();
    this.#lasting.clear();
  }

  counters(): { readonly head: LruCounters; readonly lasting: LruCounters } {
    return { head: this.#newest.counters(), lasting: this.#lasting.counters() };
  }
}
