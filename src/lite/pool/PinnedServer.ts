import { orAborted } from "../../lib/abort.ts";
import { throwIfAborted } from "../../lib/deadline.ts";
import { isCoded } from "../../lib/errors.ts";
import { Lifetime } from "../../lib/Lifetime.ts";
import { closedBy, LiteError } from "../errors.ts";
import type { AskOptions, LiteServer } from "../server/LiteServer.ts";
import type { PoolMember } from "./PoolMember.ts";
import type { RaceResult } from "./Race.ts";

export interface PinOptions {
  /** Whether private servers may be chosen; the access of a single query is ignored. */
  readonly access?: "public" | "private";
  /**
   * When another server may take over: only before the first answer ("unanswered", the default), or whenever the chosen
   * server cannot answer or does not have the data ("always", for queries that all name their block, so that any server
   * gives the same answer).
   */
  readonly fallOver?: "unanswered" | "always";
}

type AskPool = (query: Uint8Array, options: AskOptions, only: PoolMember | undefined) => Promise<RaceResult>;

/**
 * One server of a pool, for queries that depend on one another. The first query is sent as the pool sends queries; the
 * server that answers it gets all further queries. These are neither hedged nor retried elsewhere, except as `fallOver`
 * says; an error is that of the one server. Messages are sent as the pool sends them. Closing ends only the pin, not
 * the pool.
 */
export class PinnedServer implements LiteServer {
  readonly #askPool: AskPool;
  readonly #options: PinOptions;
  readonly #lifetime = new Lifetime(closedBy);
  #member: PoolMember | undefined;
  /** Names of all chosen servers, in order; usually one. */
  #names: readonly string[] = [];
  #binding: Promise<unknown> | undefined;

  constructor(askPool: AskPool, options: PinOptions) {
    this.#askPool = askPool;
    this.#options = options;
  }

  /** The servers that have answered: one, unless another had to take over. */
  get serverNames(): readonly string[] {
    return this.#names;
  }

  async ask(query: Uint8Array, options: AskOptions): Promise<Uint8Array> {
    throwIfAborted(options.signal);
    const { access = "public" } = this.#options;
    let cancel: (reason: Error) => void = () => {};
    const destroyed = new Promise<never>((_, reject) => {
      cancel = reject;
    });
    const asked = () => Promise.race([this.#askPinned(query, { ...options, access }), destroyed]);
    return this.#lifetime.run(asked, (reason) => cancel(reason));
  }

  async close(): Promise<void> {
    await this.#lifetime.close(new LiteError("lite/closed", "the pinned server is closed"));
  }

  destroy(reason: LiteError): void {
    this.#lifetime.destroy(reason);
  }

  async #askPinned(query: Uint8Array, options: AskOptions): Promise<Uint8Array> {
    // Only one query at a time chooses the server; concurrent ones wait for its choice.
    while (this.#member === undefined && this.#binding !== undefined) await orAborted(this.#binding, options.signal);
    const member = this.#member;
    if (member === undefined) return this.#bind(query, options);
    const answered = await this.#askBound(query, options, member);
    return answered?.answer ?? this.#bind(query, options);
  }

  /** The answer of the chosen server; undefined when another should take over. */
  async #askBound(query: Uint8Array, options: AskOptions, member: PoolMember): Promise<RaceResult | undefined> {
    const mayMove = this.#options.fallOver === "always";
    try {
      const answered = await this.#askPool(query, options, member);
      return mayMove && answered.kind === "serverError" ? undefined : answered;
    } catch (error) {
      if (mayMove && !options.signal.aborted && isCoded(error) && error.kind === "remote") return undefined;
      throw error;
    }
  }

  async #bind(query: Uint8Array, options: AskOptions): Promise<Uint8Array> {
    const pool = this.#askPool(query, options, undefined);
    const binding = pool.then(
      ({ member }) => {
        this.#member = member;
        if (!this.#names.includes(member.name)) this.#names = [...this.#names, member.name];
      },
      // The caller gets the error; for waiting queries it only means that there is no choice yet.
      () => {},
    );
    this.#binding = binding;
    try {
      return (await pool).answer;
    } finally {
      await binding;
      if (this.#binding === binding) this.#binding = undefined;
    }
  }
}
