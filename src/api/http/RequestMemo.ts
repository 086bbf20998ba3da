import { Lru } from "../../lib/lru.ts";
import type { CachePlace } from "./AnswerCache.ts";
import type { RpcItem } from "./jsonRpc.ts";
import type { RequestArgs } from "./requestArgs.ts";

/** What each memory may weigh, and how long a question is worth remembering. */
const maxBytes = 4 << 20;
const maxLength = 1024;

/** A question that was read before: where its answer is kept, and what the answer repeats. */
export interface MemoEntry {
  readonly name: string;
  readonly place: CachePlace;
  readonly echo: string;
}

/** Questions by the very words they were asked in. What they ask for never changes, so nothing here grows old. */
class Memory {
  readonly #seen = new Lru<string, MemoEntry>({
    maxBytes,
    sizeOf: ({ place, echo }, words) => 2 * (words.length + place.key.length + echo.length) + 200,
  });

  find(words: string): MemoEntry | undefined {
    return words.length > maxLength ? undefined : this.#seen.find(words);
  }

  add(words: string, seen: MemoEntry): void {
    if (words.length <= maxLength) this.#seen.set(words, seen);
  }
}

/** Where a question can be remembered, once it is known where its answer is kept. */
export interface Remember {
  readonly memory: Memory;
  readonly words: string;
  readonly echo: string;
}

/**
 * The questions asked before, so that asking again costs no reading: whole URLs, whole bodies of JSON-RPC, and JSON-RPC
 * methods with their arguments. Each has a memory of its own, so that words of one kind never pass for another.
 */
export class RequestMemo {
  readonly urls = new Memory();
  readonly bodies = new Memory();
  readonly methods = new Memory();
  #lastBody = "";

  /**
   * Clients that number their requests never send the same body twice; they are known by method and arguments. Those
   * that do send the same one are known by the whole body from its second time on, and then it is not even parsed.
   */
  ofRpc({ asked, echo }: RpcItem, body: string): Remember | undefined {
    const words = asked.kind === "question" ? plainWords(asked.method, asked.params) : undefined;
    if (words === undefined || body === this.#lastBody) return { memory: this.bodies, words: body, echo };
    this.#lastBody = body;
    return { memory: this.methods, words, echo: "" };
  }
}

/** One text for a method and its arguments, where those are single words; text bears its length, so nothing is mixed up. */
function plainWords(method: string, params: RequestArgs): string | undefined {
  let words = `${method.length}'${method}`;
  for (const [name, value] of Object.entries(params)) {
    if (typeof value === "object" && value !== null) return undefined;
    const text = String(value);
    words += `|${name.length}'${name}${(typeof value)[0]}${text.length}'${text}`;
  }
  return words;
}
