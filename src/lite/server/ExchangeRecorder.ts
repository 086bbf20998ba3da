import { toBase64 } from "../../lib/bytes.ts";
import { isCoded } from "../../lib/errors.ts";
import type { LiteError } from "../errors.ts";
import { serverError } from "../tl/liteRecords.ts";
import { encode } from "../tl/types.ts";
import type { AskOptions, LiteServer } from "./LiteServer.ts";

/** One query and its answer, as their bytes. */
export interface Exchange {
  readonly query: Uint8Array;
  readonly answer: Uint8Array;
}

/**
 * A `LiteServer` that keeps the exchanges with another one, each query once: whoever has them can compute again what was
 * computed from them. A query without an answer is not kept.
 */
export class ExchangeRecorder implements LiteServer {
  /** The server behind it, for queries that are not kept. */
  readonly server: LiteServer;
  readonly #exchanges = new Map<string, Exchange>();

  constructor(server: LiteServer) {
    this.server = server;
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
    const key = toBase64(exchange.query);
    if (!this.#exchanges.has(key)) this.#exchanges.set(key, exchange);
  }

  close(): Promise<void> {
    return this.server.close();
  }

  destroy(reason: LiteError): void {
    this.server.destroy(reason);
  }
}
