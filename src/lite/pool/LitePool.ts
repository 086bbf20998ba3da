import { onAbort } from "../../lib/abort.ts";
import type { Clock } from "../../lib/clock.ts";
import { throwIfAborted } from "../../lib/deadline.ts";
import { isCoded } from "../../lib/errors.ts";
import { Inflight, type StartedWork } from "../../lib/inflight.ts";
import { Lifetime } from "../../lib/Lifetime.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import { closedBy, LiteError } from "../errors.ts";
import type { AskOptions, LiteServer } from "../LiteServer.ts";
import { noNeed } from "../tl/need.ts";
import type { PoolQuery } from "./attempt.ts";
import type { FetchHead } from "./HeadPoller.ts";
import type { ServerHead } from "./health.ts";
import { HedgeBudget } from "./hedge.ts";
import { type FindHeld, findHeld } from "./oldestBlock.ts";
import { PinnedServer, type PinOptions } from "./PinnedServer.ts";
import type { PoolMember, PoolServer } from "./PoolMember.ts";
import { PoolWatch, type ServerAccess } from "./PoolWatch.ts";
import { Race, type RaceModules, type RaceResult } from "./Race.ts";
import { type SendModules, sendToSeveral } from "./sends.ts";
import type { PoolStatus } from "./status.ts";
import { judgeAnswer } from "./verdict.ts";

export interface LitePoolOptions {
  /** Queries one server is asked at the same time; 24 by default, which leaves room for the pool's own. */
  readonly maxInFlight?: number;
  /** Queries that may wait for one server; 1024 by default. */
  readonly maxWaiting?: number;
  /** Queries the pool may have in flight; 10,000 by default. */
  readonly maxQueries?: number;
  /** How often each server is asked for its head, also while it is down; 500 ms by default. */
  readonly pollMs?: number;
  /** How long a server may take to tell its head before it counts as down; 4 s by default. */
  readonly headTimeoutMs?: number;
  /** A server whose newest block is so much older than the newest known is behind; 10 s by default. */
  readonly behindMs?: number;
  /** Share of queries that may be asked of a second server for speed; 0.05 by default. */
  readonly hedgeShare?: number;
  /** A server is given at least this long before a second one is asked; 50 ms by default. */
  readonly hedgeFloorMs?: number;
  /** To how many servers a message goes; 5 by default. */
  readonly maxSends?: number;
  /** How long sending goes on after the first server took a message; 10 s by default. */
  readonly sendTimeoutMs?: number;
  /** How often it is found out how far back a server goes; every hour by default. */
  readonly historyEveryMs?: number;
}

export interface LitePoolModules {
  readonly clock: Clock;
  readonly random: Random;
  /** How a server's head is asked for and checked. */
  readonly head: FetchHead;
  /** How a masterchain block is found on a server; by `lookupBlock` when not given. */
  readonly find?: FindHeld;
  readonly log?: Log;
}

interface AccessOption {
  /** Private includes the servers kept for callers with a key; public by default. */
  readonly access?: ServerAccess;
}

/** The options of a connection that stands in a pool: lost servers are seen, and tried again, within two seconds. */
export const pooledConnection = {
  connectTimeoutMs: 1_200,
  pingEveryMs: 750,
  pingTimeoutMs: 750,
  backoffMs: 100,
  maxBackoffMs: 500,
} as const;

/**
 * Many `LiteServer`s as one. A read goes to the server that seems best and to others when that one fails, is busy, late,
 * sends a bad proof or has not got what is asked; it rejects with the signal, or with `lite/none` when no server is to be had. The error
 * `liteServer.error` is an answer only when asking others would not help. The same query asked by many at once is asked
 * once. A message goes to several servers. See `pin` for queries that depend on one another.
 */
export class LitePool implements LiteServer {
  readonly #watch: PoolWatch;
  readonly #budget: HedgeBudget;
  readonly #race: RaceModules;
  readonly #send: SendModules;
  readonly #maxQueries: number;
  readonly #clock: Clock;
  readonly #inflight = new Inflight<string, RaceResult>();
  readonly #lifetime = new Lifetime(closedBy);
  /** Queries that callers wait for. */
  #queries = 0;
  #shared = 0;

  /** Makes a pool and starts to ask its servers for their heads. It closes them when it is closed. */
  static open(servers: readonly PoolServer[], modules: LitePoolModules, options: LitePoolOptions = {}): LitePool {
    const pool = new LitePool(servers, modules, options);
    pool.#watch.start();
    return pool;
  }

  private constructor(servers: readonly PoolServer[], modules: LitePoolModules, options: LitePoolOptions) {
    const { clock, random, head, find = findHeld, log } = modules;
    const { maxInFlight = 24, maxWaiting = 1_024, maxQueries = 10_000, pollMs = 500 } = options;
    const { headTimeoutMs = 4_000, behindMs = 10_000, historyEveryMs = 3_600_000 } = options;
    const { hedgeShare = 0.05, hedgeFloorMs = 50, maxSends = 5, sendTimeoutMs = 10_000 } = options;
    const watched = { maxInFlight, maxWaiting, pollMs, headTimeoutMs, behindMs, historyEveryMs };
    const watch = new PoolWatch(servers, { clock, random, head, find, log }, watched);
    const budget = new HedgeBudget(hedgeShare);
    const choose = (asking: PoolQuery, missed: boolean) => watch.choose(asking, missed);
    this.#watch = watch;
    this.#budget = budget;
    this.#clock = clock;
    this.#maxQueries = maxQueries;
    this.#race = {
      ...{ clock, random, budget, hedgeFloorMs, choose },
      bell: watch.bell,
      members: ({ access }) => watch.allowed(access),
      newest: ({ access }) => watch.heads(access).newest,
      none: ({ access }, cause) => watch.none(access, cause),
    };
    const keep = (work: Promise<unknown>) => void this.#lifetime.finish(() => work);
    this.#send = { ...{ clock, random, maxSends, sendTimeoutMs, choose, keep }, bell: watch.bell };
  }

  async ask(question: Uint8Array, options: AskOptions): Promise<Uint8Array> {
    return (await this.#ask(question, options, undefined)).answer;
  }

  /** A `LiteServer` that stays with one server of the pool, for queries that depend on one another. */
  pin(options: PinOptions = {}): PinnedServer {
    return new PinnedServer((question, asked, only) => this.#ask(question, asked, only), options);
  }

  /** The newest masterchain block that any server has told of; it never goes back. `lite/none` before the first. */
  head({ access = "public" }: AccessOption = {}): ServerHead {
    const { newest } = this.#watch.heads(access);
    if (newest === undefined) throw this.#watch.none(access);
    return newest;
  }

  /** Resolves with the first head after the given seqno (−1: any); `lite/none` when the deadline comes first. */
  async waitHead(
    afterSeqno: number,
    signal: AbortSignal,
    { access = "public" }: AccessOption = {},
  ): Promise<ServerHead> {
    try {
      return await this.#watch.heads(access).wait(afterSeqno, signal);
    } catch (error) {
      const plight = isCoded(error, "lib/deadline")
        ? this.#watch.findPlight({ need: noNeed, access }, error)
        : undefined;
      throw plight ?? error;
    }
  }

  /** The head now and each later one; who is slow sees only the newest. Ends when the pool is closed; throws with the signal. */
  heads(signal: AbortSignal, { access = "public" }: AccessOption = {}): AsyncGenerator<ServerHead, void, void> {
    return this.#watch.heads(access).changes(signal);
  }

  /** What people may be shown of the pool and of each server. */
  status(): PoolStatus {
    const head = this.#watch.heads("private").newest;
    const headAgeMs = head === undefined ? undefined : Math.max(this.#clock.now() - head.genUtime * 1_000, 0);
    return { head, headAgeMs, ...this.#budget.counters, shared: this.#shared, servers: this.#watch.status() };
  }

  async close(): Promise<void> {
    const reason = new LiteError("lite/closed", "the pool has been closed");
    await this.#lifetime.close(reason);
    this.#watch.stop(reason);
    await Promise.all(this.#watch.members.map(({ server }) => server.close()));
  }

  destroy(reason: LiteError): void {
    this.#lifetime.destroy(reason);
    this.#watch.stop(reason);
    for (const { server } of this.#watch.members) server.destroy(reason);
  }

  async #ask(question: Uint8Array, options: AskOptions, only: PoolMember | undefined): Promise<RaceResult> {
    const { signal, access = "public" } = options;
    throwIfAborted(signal);
    this.#throwIfRefusing(access);
    const asking = this.#asking(question, options, access, only);
    this.#queries += 1;
    try {
      return await this.#lifetime.finish(() => this.#askShared(asking, signal));
    } catch (error) {
      throw (isCoded(error, "lib/deadline") && signal.aborted && this.#watch.findPlight(asking, error)) || error;
    } finally {
      this.#queries -= 1;
    }
  }

  #throwIfRefusing(access: ServerAccess): void {
    this.#lifetime.throwIfEnded();
    if (this.#queries >= this.#maxQueries)
      throw new LiteError("lite/busy", `${this.#maxQueries} queries are already in flight`);
    if (this.#watch.allowed(access).length === 0) throw this.#watch.none(access);
  }

  #asking(
    question: Uint8Array,
    { accept, need = noNeed }: AskOptions,
    access: ServerAccess,
    only: PoolMember | undefined,
  ): PoolQuery {
    // What a caller once heard of the head must not be taken back by a server that is a little behind.
    const newest = need.newest ? (this.#watch.heads(access).newest?.block.seqno ?? 0) : 0;
    return { query: question, need: { ...need, atLeast: Math.max(need.atLeast, newest) }, accept, access, only };
  }

  /** Joins those who ask the same; each still checks the answer for itself, and asks alone when it does not stand. */
  async #askShared(asking: PoolQuery, signal: AbortSignal): Promise<RaceResult> {
    let leads = false;
    const lead = () => {
      leads = true;
      return this.#startAsking(asking);
    };
    const answered = await this.#inflight.shareStarted(keyOf(asking), lead, signal);
    if (leads) return answered;
    this.#shared += 1;
    const { kind } = judgeAnswer(answered.answer, { ...asking.need, newest: false }, asking.accept);
    return kind === "badProof" || kind === "nonsense" ? this.#askServers(asking, signal) : answered;
  }

  async #askServers(asking: PoolQuery, signal: AbortSignal): Promise<RaceResult> {
    const { outcome, cancel } = this.#startAsking(asking);
    const stopListening = onAbort(signal, cancel);
    try {
      return await outcome;
    } finally {
      stopListening();
    }
  }

  #startAsking(asking: PoolQuery): StartedWork<RaceResult> {
    if (asking.need.kind === "send") {
      const sending = new AbortController();
      const cancel = (reason: Error) => sending.abort(reason);
      return {
        outcome: this.#lifetime.finish(() => sendToSeveral(asking, this.#send, sending.signal), cancel),
        cancel,
      };
    }
    const race = new Race(asking, this.#race);
    const cancel = (reason: Error) => race.end(reason);
    return { outcome: this.#lifetime.finish(() => race.run(), cancel), cancel };
  }
}

/** Queries are the same when an answer to one would do for the other. */
function keyOf({ query: question, accept, access, only }: PoolQuery): string {
  const bytes = Buffer.from(question.buffer, question.byteOffset, question.byteLength).toString("latin1");
  return `${access} ${accept === undefined ? "believed" : "checked"} ${only?.name ?? ""} ${bytes}`;
}
