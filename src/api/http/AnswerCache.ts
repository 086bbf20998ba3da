import { Lru, type LruCounters } from "../../lib/lru.ts";
import type { CacheRule } from "../declare/endpoint.ts";
import type { EncodedAnswer } from "./EncodedAnswer.ts";

export interface AnswerCacheOptions {
  /** What answers about the newest block may weigh together. */
  readonly headBytes: number;
  /** What answers that stay right may weigh together. */
  readonly lastingBytes: number;
}

/** Where an answer is kept. */
export interface CachePlace {
  readonly rule: CacheRule;
  readonly key: string;
}

/** Tells the newest block apart from all before: any number that changes with it. */
export type HeadEpoch = () => number;

/**
 * Finished answers. Those about the newest block live as long as it is the newest: the first look after a new block
 * finds them gone. Only successes come in here.
 */
export class AnswerCache {
  readonly #head: HeadEpoch;
  readonly #newest: Lru<string, EncodedAnswer>;
  readonly #lasting: Lru<string, EncodedAnswer>;
  #generation: number;

  constructor({ headBytes, lastingBytes }: AnswerCacheOptions, head: HeadEpoch) {
    const sizeOf = (finished: EncodedAnswer, key: string) => finished.bytes + 2 * key.length;
    this.#head = head;
    this.#newest = new Lru({ maxBytes: headBytes, sizeOf });
    this.#lasting = new Lru({ maxBytes: lastingBytes, sizeOf });
    this.#generation = head();
  }

  /** The generation now; read it before asking the chain, so that no answer is older than it says. */
  generation(): number {
    const generation = this.#head();
    if (generation !== this.#generation) {
      this.#generation = generation;
      this.#newest.clear();
    }
    return generation;
  }

  find({ rule, key }: CachePlace): EncodedAnswer | undefined {
    if (rule === "head") {
      this.generation();
      return this.#newest.find(key);
    }
    return rule === "forever" ? this.#lasting.find(key) : undefined;
  }

  /** Keeps an answer whose making began in the given generation; if that is over, an answer about it is not kept. */
  keep({ rule, key }: CachePlace, generation: number, finished: EncodedAnswer): void {
    if (rule === "forever") {
      this.#lasting.set(key, finished.owned());
    } else if (rule === "head" && generation === this.generation()) {
      this.#newest.set(key, finished.owned());
    }
  }

  clear(): void {
    this.#newest.clear();
    this.#lasting.clear();
  }

  counters(): { readonly head: LruCounters; readonly lasting: LruCounters } {
    return { head: this.#newest.counters(), lasting: this.#lasting.counters() };
  }
}
