import type { ServerResponse } from "node:http";
import type { Clock } from "../../../lib/clock.ts";
import { ApiError } from "../../declare/errors.ts";
import type { AnswerMemory } from "./AnswerWriter.ts";

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
  readonly text: object;
  readonly since: number;
}

/** A text that is in memory once, however many clients wait for it. */
interface HeldText {
  readonly length: number;
  readers: number;
}

/**
 * Memory of large answers that are being written or wait for their readers. Clients that do not read would fill the
 * memory: when the limit is reached, the oldest are dropped, and while all of them are recent, no more are sent.
 */
export class UnsentAnswers implements AnswerMemory {
  readonly #options: UnsentAnswersOptions;
  readonly #clock: Clock;
  /** In sending order. */
  readonly #answers = new Map<ServerResponse, Answer>();
  readonly #texts = new Map<object, HeldText>();
  #bytes = 0;

  constructor(options: UnsentAnswersOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  /** Bytes currently unsent. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Counts an answer before it is sent; throws "api/busy" if the limit is reached. Answers with the same text, which
   * may be a cached one, are counted once.
   */
  take(response: ServerResponse, length: number, text: object = response): void {
    if (length < smallBytes || response.destroyed) return;
    const held = this.#texts.get(text);
    if (held !== undefined) {
      held.readers++;
    } else {
      this.reserve(length);
      this.#texts.set(text, { length, readers: 1 });
    }
    this.#answers.set(response, { text, since: this.#clock.monotonic() });
    response.once("close", () => this.#forget(response));
    response.setTimeout(stallMs);
  }

  /** Counts memory; throws "api/busy" if the limit is reached. */
  reserve(bytes: number): void {
    if (!this.#hasRoom(bytes))
      throw new ApiError("api/busy", `too many unread answers (${this.#bytes} bytes); try again`);
    this.#bytes += bytes;
  }

  release(bytes: number): void {
    this.#bytes -= bytes;
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
    const answer = this.#answers.get(response);
    const held = answer && this.#texts.get(answer.text);
    this.#answers.delete(response);
    if (answer === undefined || held === undefined || --held.readers > 0) return;
    this.#texts.delete(answer.text);
    this.release(held.length);
  }
}
