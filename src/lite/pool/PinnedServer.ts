import { orAborted } from "../../lib/abort.ts";
import { throwIfAborted } from "../../lib/deadline.ts";
import { isCoded } from "../../lib/errors.ts";
import { Lifetime } from "../../lib/Lifetime.ts";
import { closedBy, LiteError } from "../errors.ts";
import type { AskOptions, LiteServer } from "../LiteServer.ts";
import type { PoolMember } from "./PoolMember.ts";
import type { RaceResult } from "./Race.ts";

export interface PinOptions {
  /** Whether private servers may be chosen; what a query says of its own access is not looked at. */
  readonly access?: "public" | "private";
  /**
   * When another server may take over: only as long as nothing has been answered ("unanswered", by default), or
   * whenever the one that answered cannot, or has not got it ("always", for queries that all name their block, to which it does
   * not matter who answers).
   */
  readonly fallOver?: "unanswered" | "always";
}

type AskPool = (question: Uint8Array, options: AskOptions, only: PoolMember | undefined) => Promise<RaceResult>;

/**
 * One server of a pool, for queries that depend on one another. The first query goes where the pool would send it,
 * with all its help; whoever answers it is asked everything else. Later queries are neither hedged nor retried
 * elsewhere, except as `fallOver` says; the error then is that of the one server. Messages are sent as the pool sends them.
 * Closing ends only the pin: the pool belongs to others.
 */
export class PinnedServer implements LiteServer {
  readonly #askPool: AskPool;
  readonly #options: PinOptions;
  readonly #lifetime = new Lifetime(closedBy);
  #member: PoolMember | undefined;
  /** Names of all that were chosen, in that order: with most requests it is one. */
  #names: readonly string[] = [];
  #binding: Promise<unknown> | undefined;

  constructor(askPool: AskPool, options: PinOptions) {
    this.#askPool = askPool;
    this.#options = options;
  }

  /** Who has answered so far: one, unless another had to take over. */
  get serverNames(): readonly string[] {
    return this.#names;
  }

  async ask(question: Uint8Array, options: AskOptions): Promise<Uint8Array> {
    throwIfAborted(options.signal);
    const { access = "public" } = this.#options;
    let cancel: (reason: Error) => void = () => {};
    const destroyed = new Promise<never>((_, reject) => {
      cancel = reject;
    });
    const asked = () => Promise.race([this.#askPinned(question, { ...options, access }), destroyed]);
    return this.#lifetime.run(asked, (reason) => cancel(reason));
  }

  async close(): Promise<void> {
    await this.#lifetime.close(new LiteError("lite/closed", "the pinned server has been closed"));
  }

  destroy(reason: LiteError): void {
    this.#lifetime.destroy(reason);
  }

  async #askPinned(question: Uint8Array, options: AskOptions): Promise<Uint8Array> {
    // Only one query at a time chooses the server; what is asked meanwhile depends on its choice.
    while (this.#member === undefined && this.#binding !== undefined) await orAborted(this.#binding, options.signal);
    const member = this.#member;
    if (member === undefined) return this.#bind(question, options);
    const answered = await this.#askBound(question, options, member);
    return answered?.answer ?? this.#bind(question, options);
  }

  /** What the one server says; undefined when another may take over, and should. */
  async #askBound(question: Uint8Array, options: AskOptions, member: PoolMember): Promise<RaceResult | undefined> {
    const mayMove = this.#options.fallOver === "always";
    try {
      const answered = await this.#askPool(question, options, member);
      return mayMove && answered.kind === "serverError" ? undefined : answered;
    } catch (error) {
      if (mayMove && !options.signal.aborted && isCoded(error) && error.kind === "remote") return undefined;
      throw error;
    }
  }

  async #bind(question: Uint8Array, options: AskOptions): Promise<Uint8Array> {
    const asked = this.#askPool(question, options, undefined);
    const binding = asked.then(
      ({ member }) => {
        this.#member = member;
        if (!this.#names.includes(member.name)) this.#names = [...this.#names, member.name];
      },
      // Whoever asked is told; for those who wait it only means that there is no choice yet.
      () => {},
    );
    this.#binding = binding;
    try {
      return (await asked).answer;
    } finally {
      await binding;
      if (this.#binding === binding) this.#binding = undefined;
    }
  }
}
