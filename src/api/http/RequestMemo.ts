import { Lru } from "../../lib/lru.ts";
import type { RequestArgs } from "../declare/requestArgs.ts";
import type { CacheSlot } from "./AnswerCache.ts";
import type { RpcItem } from "./jsonRpc.ts";

/** The size limit of each memo, and how long a request is remembered. */
const maxBytes = 4 << 20;
const maxLength = 1024;

/** A known request: the key of its answer, and the echoed values. */
export interface MemoEntry {
  readonly name: string;
  readonly slot: CacheSlot;
  readonly echo: string;
}

/** Requests by their exact text. Their meaning never changes, so entries do not expire. */
class Memory {
  readonly #seen = new Lru<string, MemoEntry>({
    maxBytes,
    sizeOf: ({ slot, echo }, words) => 2 * (words.length + slot.key.length + echo.length) + 200,
  });

  find(words: string): MemoEntry | undefined {
    return words.length > maxLength ? undefined : this.#seen.find(words);
  }

  add(words: string, memoEntry: MemoEntry): void {
    if (words.length <= maxLength) this.#seen.set(words, memoEntry);
  }
}

/** Where a request can be stored once the key of its answer is known. */
export interface Remember {
  readonly memory: Memory;
  readonly words: string;
  readonly echo: string;
}

/**
 * Known requests, so that a repeated one is not parsed: whole URLs, whole JSON-RPC bodies, and JSON-RPC methods with
 * their arguments. Each kind has its own memo, so that texts of different kinds are never confused.
 */
export class RequestMemo {
  readonly urls = new Memory();
  readonly bodies = new Memory();
  readonly methods = new Memory();
  #lastBody = "";

  /** A call that was seen before, perhaps with another id. */
  findCall({ asked, echo }: RpcItem): MemoEntry | undefined {
    const words = asked.kind === "call" ? plainWords(asked.method, asked.params) : undefined;
    const memoEntry = words === undefined ? undefined : this.methods.find(words);
    return memoEntry && { ...memoEntry, echo };
  }

  /** A body whose call is known: when it is repeated, the whole body is. */
  noteBody(body: string, memoEntry: MemoEntry): void {
    if (body === this.#lastBody) this.bodies.add(body, memoEntry);
    this.#lastBody = body;
  }

  /**
   * Clients that number their requests never send the same body twice; they are identified by method and arguments.
   * Repeated bodies are identified by the whole body from the second time on, without parsing.
   */
  ofRpc({ asked, echo }: RpcItem, body: string): Remember | undefined {
    const words = asked.kind === "call" ? plainWords(asked.method, asked.params) : undefined;
    if (words === undefined || body === this.#lastBody) return { memory: this.bodies, words: body, echo };
    this.#lastBody = body;
    return { memory: this.methods, words, echo: "" };
  }
}

/** One text for a method and its scalar arguments; each text has its length, so that the result is unambiguous. */
function plainWords(method: string, params: RequestArgs): string | undefined {
  let words = `${method.length}'${method}`;
  for (const [name, value] of Object.entries(params)) {
    if (typeof value === "object" && value !== null) return undefined;
    const text = String(value);
    words += `|${name.length}'${name}${(typeof value)[0]}${text.length}'${text}`;
  }
  return words;
}
