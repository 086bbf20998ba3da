import { throwIfAborted } from "../../lib/deadline.ts";
import { WaitQueue } from "../../lib/WaitQueue.ts";
import type { LiteError } from "../errors.ts";
import type { ServerHead } from "./health.ts";

/** The newest masterchain block that any server has reported; it never goes back. */
export class HeadTracker {
  readonly #moved = new WaitQueue();
  #head: ServerHead | undefined;
  #over: LiteError | undefined;

  /** The newest head, undefined before the first. */
  get newest(): ServerHead | undefined {
    return this.#head;
  }

  /** Accepts a head if it is newer; returns whether it was. */
  offer(head: ServerHead): boolean {
    if (this.#head !== undefined && head.block.seqno <= this.#head.block.seqno) return false;
    this.#head = head;
    this.#moved.admitAll();
    return true;
  }

  /**
   * Resolves with the first head after the given seqno; rejects with the signal's reason, or when the pool is closed.
   */
  async wait(afterSeqno: number, signal: AbortSignal): Promise<ServerHead> {
    for (;;) {
      throwIfAborted(signal);
      if (this.#over !== undefined) throw this.#over;
      if (this.#head !== undefined && this.#head.block.seqno > afterSeqno) return this.#head;
      await this.#moved.wait(signal);
    }
  }

  /**
   * The current head and each new one; a slow consumer sees only the newest. Ends when the pool is closed, or with the
   * signal.
   */
  async *changes(signal: AbortSignal): AsyncGenerator<ServerHead, void, void> {
    let seen = -1;
    for (;;) {
      const head = await this.#next(seen, signal);
      if (head === undefined) return;
      seen = head.block.seqno;
      yield head;
    }
  }

  end(reason: LiteError): void {
    this.#over ??= reason;
    this.#moved.admitAll();
  }

  async #next(afterSeqno: number, signal: AbortSignal): Promise<ServerHead | undefined> {
    try {
      return await this.wait(afterSeqno, signal);
    } catch (error) {
      if (this.#over !== undefined && error === this.#over) return undefined;
      throw error;
    }
  }
}
