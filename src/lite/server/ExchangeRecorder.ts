import { toBase64 } from "../../lib/bytes.ts";
import { isCoded } from "../../lib/errors.ts";
import { LiteError } from "../errors.ts";
import { serverError } from "../tl/liteRecords.ts";
import { encode } from "../tl/types.ts";
import type { AskOptions, LiteServer } from "./LiteServer.ts";
import type { RecordBudget } from "./RecordBudget.ts";

/** One query and its answer, as their bytes. */
export interface Exchange {
  readonly query: Uint8Array;
  readonly answer: Uint8Array;
  /** Both in base64, where they are at hand. */
  readonly texts?: readonly [query: string, answer: string] | undefined;
}

/**
 * A `LiteServer` that keeps the exchanges with another one, each query once: whoever has them can compute again what
 * was computed from them. A query without an answer is not kept. With a budget their bytes are counted until `release`:
 * an answer for which there is no room rejects with "lite/record-size" or "lite/record-full".
 */
export class ExchangeRecorder implements LiteServer {
  /** The server behind it, for queries that are not kept. */
  readonly server: LiteServer;
  readonly #budget: RecordBudget | undefined;
  readonly #exchanges = new Map<string, Exchange>();
  #bytes = 0;
  #isReleased = false;

  constructor(server: LiteServer, budget?: RecordBudget) {
    this.server = server;
    this.#budget = budget;
  }

  /** In the order of the first answers. */
  get exchanges(): readonly Exchange[] {
    return [...this.#exchanges.values()];
  }

  async ask(query: Uint8Array, options: AskOptions): Promise<Uint8Array> {
    try {
      const answer = await this.server.ask(query, options);
      this.add({ query, answer });
      return answer;
    } catch (error) {
      // Some servers throw the error that another server has answered.
      if (isCoded(error, "lite/server")) {
        const { serverCode: code, serverMessage: message = "" } = error.data;
        this.add({ query, answer: encode(serverError.boxed, { code, message }) });
      }
      throw error;
    }
  }

  /** Keeps an exchange whose value came from a cache. */
  add(exchange: Exchange): void {
    const key = exchange.texts?.[0] ?? toBase64(exchange.query);
    // What was still on its way when the recording ended is not needed any more.
    if (this.#isReleased || this.#exchanges.has(key)) return;
    if (this.#budget !== undefined) this.#hold(exchange, this.#budget);
    this.#exchanges.set(key, exchange);
  }

  /** Ends the recording; its bytes no longer count. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    for (const { answer } of this.#exchanges.values()) this.#budget?.release(answer);
  }

  #hold({ query, answer }: Exchange, budget: RecordBudget): void {
    const bytes = this.#bytes + query.length + answer.length;
    if (bytes > budget.maxBytes)
      throw new LiteError("lite/record-size", `a recording of more than ${budget.maxBytes} bytes`);
    budget.hold(answer);
    this.#bytes = bytes;
  }

  close(): Promise<void> {
    return this.server.close();
  }

  destroy(reason: LiteError): void {
    this.server.destroy(reason);
  }
}
