import type { Log } from "../../lib/log.ts";
import { type BlockId, formatBlockId } from "../../model/block/BlockId.ts";
import type { Caller } from "../access/Caller.ts";

/** What an endpoint may know of the request it answers, and where it notes how it came to its answer. */
export interface RequestContext {
  /** Stands in the answer's `X-Request-Id` and in every line of the log about it. */
  readonly id: string;
  readonly caller: Caller;
  /** Aborts at the request's deadline, or when the client has left. */
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly notes: AnswerNotes;
}

/** How an answer was made: the data of `@extra` and of the trace headers. */
export class AnswerNotes {
  readonly #servers = new Set<number>();
  readonly #steps: { readonly name: string; readonly ms: number }[] = [];
  readonly #headers: string[] = [];
  #block: BlockId | undefined;
  #verified: boolean | undefined;
  #mayBeKept = true;

  /** Notes the index of a lite server that was asked. */
  askedServer(index: number): void {
    this.#servers.add(index);
  }

  /** Notes the masterchain block of the answer; the last one counts. */
  atBlock(block: BlockId): void {
    this.#block = block;
  }

  /** Notes whether the answer was proved. */
  checkedProofs(verified: boolean): void {
    this.#verified = verified;
  }

  /** Notes how long a part of the work took. */
  took(name: string, ms: number): void {
    this.#steps.push({ name, ms });
  }

  /** Adds a header to the answer, for something the body has no place for. */
  addHeader(name: string, value: string): void {
    this.#headers.push(name, value);
  }

  /** The answer is right now, but another may be better soon: it is not cached. */
  doNotKeep(): void {
    this.#mayBeKept = false;
  }

  get mayBeKept(): boolean {
    return this.#mayBeKept;
  }

  /** Indices of the lite servers, in the form of `@extra`. */
  get servers(): string {
    return this.#servers.size === 0 ? "_" : [...this.#servers].join(",");
  }

  /** Names and values after one another, as the answer carries them always. */
  get headers(): readonly string[] {
    return this.#headers;
  }

  /** Names and values of the trace headers, for requests that ask for them. */
  whyHeaders(): string[] {
    const steps = this.#steps.map(({ name, ms }) => `${name};dur=${Math.round(ms * 1000) / 1000}`);
    return [
      ...(this.#servers.size === 0 ? [] : ["X-Tongate-Server", this.servers]),
      ...(this.#block === undefined ? [] : ["X-Tongate-Block", formatBlockId(this.#block)]),
      ...(this.#verified === undefined ? [] : ["X-Tongate-Verified", String(this.#verified)]),
      ...(steps.length === 0 ? [] : ["Server-Timing", steps.join(", ")]),
    ];
  }
}
