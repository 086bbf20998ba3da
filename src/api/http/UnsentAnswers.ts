import type { ServerResponse } from "node:http";
import type { Clock } from "../../lib/clock.ts";
import { ApiError } from "../declare/errors.ts";

/** Shorter answers fit into the system's send buffer. */
const smallBytes = 16_384;
/** How long an answer may be unsent before it may be dropped for others. */
const graceMs = 5000;
/** How long a client may leave a large answer unread; the state is checked twice, so it may be twice as long. */
const stallMs = 30_000;

export interface UnsentAnswersOptions {
  /** The maximum total size of unread answers. */
  readonly maxBytes: number;
}

interface Answer {
  readonly length: number;
  readonly since: number;
}

/**
 * Large unsent answers. Clients that do not read them would fill the memory: when the limit is reached, the oldest are
 * dropped, and while all of them are recent, no more are sent.
 */
export class UnsentAnswers {
  readonly #options: UnsentAnswersOptions;
  readonly #clock: Clock;
  /** In sending order. */
  readonly #answers = new Map<ServerResponse, Answer>();
  #bytes = 0;

  constructor(options: UnsentAnswersOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  /** Bytes currently unsent. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts an answer before it is sent; throws "api/busy" if the limit is reached. */
  take(response: ServerResponse, length: number): void {
    if (length < smallBytes || response.destroyed) return;
    if (!this.#hasRoom(length)) {
      throw new ApiError(
        "api/busy",
        `${this.#bytes} bytes of answers wait for their clients, as many as may be at once`,
      );
    }
    this.#answers.set(response, { length, since: this.#clock.monotonic() });
    this.#bytes += length;
    response.once("close", () => this.#forget(response));
    response.setTimeout(stallMs);
  }

  #hasRoom(length: number): boolean {
    const { maxBytes } = this.#options;
    const latest = this.#clock.monotonic() - graceMs;
    for (const [response, { since }] of this.#answers) {
      if (this.#bytes + length <= maxBytes || since > latest) break;
      this.#forget(response);
      response.destroy();
    }
    return this.#bytes === 0 || this.#bytes + length <= maxBytes;
  }

  #forget(response: ServerResponse): void {
    this.#bytes -= this.#answers.get(response)?.length ?? 0;
    this.#answers.delete(response);
  }
}
