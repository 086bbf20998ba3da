import type { ServerResponse } from "node:http";
import type { Clock } from "../../lib/clock.ts";
import { ApiError } from "../declare/errors.ts";

/** Shorter answers fit into what the system keeps for a connection. */
const smallBytes = 16_384;
/** How long an answer may be on its way before it may be given up for others. */
const graceMs = 5000;
/** How long a client may leave a large answer untouched; the system is asked twice, so it may be twice as long. */
const stallMs = 30_000;

export interface UnsentAnswersOptions {
  /** What answers that clients have not read yet may weigh together. */
  readonly maxBytes: number;
}

interface Answer {
  readonly length: number;
  readonly since: number;
}

/**
 * Large answers on their way out. Who asks for them and does not read would fill the memory: when there is no more room,
 * those that have been on their way longest are given up, and where all of them are young, no more are sent.
 */
export class UnsentAnswers {
  readonly #options: UnsentAnswersOptions;
  readonly #clock: Clock;
  /** In the order they were sent. */
  readonly #answers = new Map<ServerResponse, Answer>();
  #bytes = 0;

  constructor(options: UnsentAnswersOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  /** What is on its way now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts an answer that is about to be sent; throws "api/busy" where there is no room for it. */
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
