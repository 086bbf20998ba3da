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
  /** For answers that may come from private lite servers: callers without a key never see them. */
  readonly privateKey: string;
}

/** Whether a caller may see answers of private lite servers. */
export type AnswerAccess = "public" | "private";

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

  /** What was made for a public caller is good for everybody; what was made for a private one, for private callers. */
  find({ rule, key, privateKey }: CachePlace, access: AnswerAccess): EncodedAnswer | undefined {
    if (rule === "none") return undefined;
    if (rule === "head") this.generation();
    const answers = rule === "head" ? this.#newest : this.#lasting;
    return access === "private" ? (answers.find(privateKey) ?? answers.find(key)) : answers.find(key);
  }

  /** Keeps an answer whose making began in the given generation; if that is over, an answer about it is not kept. */
  keep(place: CachePlace, access: AnswerAccess, generation: number, finished: EncodedAnswer): void {
    const { rule } = place;
    const key = access === "private" ? place.privateKey : place.key;
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
