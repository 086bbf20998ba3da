import { onAbort } from "../../lib/abort.ts";
import { toLatin1 } from "../../lib/bytes.ts";
import type { Clock } from "../../lib/clock.ts";
import { throwIfAborted } from "../../lib/deadline.ts";
import { isCoded } from "../../lib/errors.ts";
import { Inflight, type StartedWork } from "../../lib/inflight.ts";
import { Lifetime } from "../../lib/Lifetime.ts";
import type { Log } from "../../lib/log.ts";
import { closedBy, LiteError } from "../errors.ts";
import type { AskOptions, LiteServer } from "../server/LiteServer.ts";
import { noNeed } from "../tl/need.ts";
import type { PoolQuery } from "./attempt.ts";
import type { ServerHead } from "./health.ts";
import { HedgeBudget } from "./hedge.ts";
import { type FindHeld, findHeld } from "./oldestBlock.ts";
import { PinnedServer, type PinOptions } from "./PinnedServer.ts";
import type { PoolMember, PoolServer } from "./PoolMember.ts";
import type { PoolModules } from "./PoolModules.ts";
import { PoolWatch, type ServerAccess } from "./PoolWatch.ts";
import { Race, type RaceModules, type RaceResult } from "./Race.ts";
import { type SendModules, sendToSeveral } from "./sends.ts";
import type { PoolStatus } from "./status.ts";
import { judgeAnswer } from "./verdict.ts";

export interface LitePoolOptions {
  /** Concurrent queries per server; 24 by default, which leaves room for the pool's own queries. */
  readonly maxInFlight?: number;
  /** How many queries may wait for one server; 1024 by default. */
  readonly maxWaiting?: number;
  /** How many queries of the pool may be in flight; 10,000 by default. */
  readonly maxQueries?: number;
  /** The poll interval of each server's head, also while it is down; 500 ms by default. */
  readonly pollMs?: number;
  /** How long a server may take to report its head before it counts as down; 4 s by default. */
  readonly headTimeoutMs?: number;
  /** A server is behind when its newest block is this much older than the newest known one; 10 s by default. */
  readonly behindMs?: number;
  /** The share of queries that may be hedged with a second server; 0.05 by default. */
  readonly hedgeShare?: number;
  /** The least time before a second server is asked; 50 ms by default. */
  readonly hedgeFloorMs?: number;
  /** The number of servers that a message is sent to; 5 by default. */
  readonly maxSends?: number;
  /** How long sending continues after the first server has accepted a message; 10 s by default. */
  readonly sendTimeoutMs?: number;
  /** How often the oldest block of a server is determined; every hour by default. */
  readonly historyEveryMs?: number;
}

export interface LitePoolModules extends Pick<PoolModules, "clock" | "random" | "head"> {
  /** By default with `lookupBlock`. */
  readonly find?: FindHeld;
  readonly log?: Log;
}

interface AccessOption {
  /** Private includes the servers reserved for callers with a key; public by default. */
  readonly access?: ServerAccess;
}

/** Options of a connection in a pool: lost servers are detected, and retried, within two seconds. */
export const pooledConnection = {
  connectTimeoutMs: 1_200,
  pingEveryMs: 750,
  pingTimeoutMs: 750,
  backoffMs: 100,
  maxBackoffMs: 500,
} as const;

/**
 * Many `LiteServer`s as one. A read goes to the best server, and to others when that one fails, is busy or late, sends
 * a bad proof or does not have the data. It rejects with the signal, or with `lite/none` when no server can answer. A
 * `liteServer.error` is an answer only when other servers would not help. Concurrent identical queries are sent once. A
 * message goes to several servers. See `pin` for queries that depend on one another.
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
  /** Queries of callers. */
  #queries = 0;
  #shared = 0;

  /** Makes a pool and starts polling its servers. The pool closes them when it is closed. */
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
      changed: watch.changed,
      members: ({ access }) => watch.allowed(access),
      newest: ({ access }) => watch.heads(access).newest,
      none: ({ access }, cause) => watch.none(access, cause),
    };
    const keep = (work: Promise<unknown>) => void this.#lifetime.finish(() => work);
    this.#send = { ...{ clock, random, maxSends, sendTimeoutMs, choose, keep }, changed: watch.changed };
  }

  async ask(query: Uint8Array, options: AskOptions): Promise<Uint8Array> {
    return (await this.#ask(query, options, undefined)).answer;
  }

  /** A `LiteServer` that stays with one server of the pool, for queries that depend on one another. */
  pin(options: PinOptions = {}): PinnedServer {
    return new PinnedServer((query, askOptions, only) => this.#ask(query, askOptions, only), options);
  }

  /** The newest masterchain block that any server has reported; it never goes back. `lite/none` before the first. */
  head({ access = "public" }: AccessOption = {}): ServerHead {
    const { newest } = this.#watch.heads(access);
    if (newest === undefined) throw this.#watch.none(access);
    return newest;
  }

  /** Resolves with the first head after the given seqno (−1: any); `lite/none` when the deadline is first. */
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

  /**
   * The current head and each later one; a slow consumer sees only the newest. Ends when the pool is closed; throws
   * with the signal.
   */
  heads(signal: AbortSignal, { access = "public" }: AccessOption = {}): AsyncGenerator<ServerHead, void, void> {
    return this.#watch.heads(access).changes(signal);
  }

  /** The servers one by one, for queries about what only some of them have. */
  get servers(): readonly Pick<PoolServer, "name" | "server">[] {
    return this.#watch.members;
  }

  /** The public status of the pool and of each server. */
  status(): PoolStatus {
    const head = this.#watch.heads("private").newest;
    const headAgeMs = head === undefined ? undefined : Math.max(this.#clock.now() - head.genUtime * 1_000, 0);
    return { head, headAgeMs, ...this.#budget.counters, shared: this.#shared, servers: this.#watch.status() };
  }

  async close(): Promise<void> {
    const reason = new LiteError("lite/closed", "the pool is closed");
    await this.#lifetime.close(reason);
    this.#watch.stop(reason);
    await Promise.all(this.#watch.members.map(({ server }) => server.close()));
  }

  destroy(reason: LiteError): void {
    this.#lifetime.destroy(reason);
    this.#watch.stop(reason);
    for (const { server } of this.#watch.members) server.destroy(reason);
  }

  async #ask(query: Uint8Array, options: AskOptions, only: PoolMember | undefined): Promise<RaceResult> {
    const { signal, access = "public" } = options;
    throwIfAborted(signal);
    this.#throwIfRefusing(access);
    const asking = this.#asking(query, options, access, only);
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
      throw new LiteError("lite/busy", `too many concurrent queries (limit ${this.#maxQueries})`);
    if (this.#watch.allowed(access).length === 0) throw this.#watch.none(access);
  }

  #asking(
    query: Uint8Array,
    { accept, need = noNeed }: AskOptions,
    access: ServerAccess,
    only: PoolMember | undefined,
  ): PoolQuery {
    // A head that a caller has seen must not be followed by an older one from a server that is behind.
    const newest = need.newest ? (this.#watch.heads(access).newest?.block.seqno ?? 0) : 0;
    const raised = newest > need.atLeast ? { ...need, atLeast: newest } : need;
    return { query, need: raised, accept, access, only };
  }

  /** Shares concurrent identical queries; each caller checks the answer itself, and asks alone when the check fails. */
  async #askShared(asking: PoolQuery, signal: AbortSignal): Promise<RaceResult> {
    throwIfAborted(signal);
    let leads = false;
    const lead = () => {
      leads = true;
      return this.#startAsking(asking);
    };
    const answered = await this.#inflight.shareStarted(keyOf(asking), lead, (react) => onAbort(signal, react));
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

/** Two queries are the same when an answer to one is valid for the other. */
function keyOf({ query, accept, access, only }: PoolQuery): string {
  return `${access} ${accept === undefined ? "unchecked" : "checked"} ${only?.name ?? ""} ${toLatin1(query)}`;
}
