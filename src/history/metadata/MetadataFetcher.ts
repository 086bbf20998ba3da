import { onAbort, orAborted } from "../../lib/abort.ts";
import type { Clock } from "../../lib/clock.ts";
import { isCoded } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import { Slots } from "../../lib/sharing/Slots.ts";
import type { MetadataRequest } from "../queries/kit/History.ts";
import type { Database } from "../store/Database.ts";
import { type DocumentLocation, findDocumentLink, parseDocumentLink } from "./documentUrl.ts";
import { type DocumentLimits, type DocumentModules, documentLimits, fetchDocument } from "./fetchDocument.ts";
import { isSufficient } from "./mergeMetadata.ts";
import { loadSubjects, storeResolved, takeDue } from "./metadataRows.ts";
import { type FetchRetries, fetchRetries, type Outcome, type ResolvedRow, resolveOutcome } from "./resolveOutcome.ts";
import type { Subject, TokenKey } from "./Subject.ts";

export interface FetcherModules extends DocumentModules {
  readonly database: Pick<Database, "query" | "write">;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

export interface FetcherOptions {
  /** Whether documents are fetched, or only on-chain content is used. */
  readonly documents: "fetched" | "onchain";
  /** The gateway for `ipfs://`. */
  readonly ipfsGateway: string;
  readonly limits?: DocumentLimits;
  readonly retries?: FetchRetries;
  /** How many documents are fetched at the same time, in total and from one host. */
  readonly concurrency?: number;
  readonly perHost?: number;
  /** How many tokens may wait; others are queued when they are requested again. */
  readonly maxWaiting?: number;
  /** How often due rows are looked for. */
  readonly lookEveryMs?: number;
}

export interface FetcherCounters {
  readonly waiting: number;
  readonly running: number;
  readonly fetched: number;
  readonly failed: number;
}

const defaults = {
  limits: documentLimits,
  retries: fetchRetries,
  concurrency: 16,
  perHost: 2,
  maxWaiting: 10_000,
  lookEveryMs: 30_000,
};

/** How many tokens are read from the database at once. */
const together = 200;
/** How long to wait after a database failure. */
const againMs = 2_000;

/**
 * Fetches the documents of tokens: of requested tokens without one, and of tokens whose refresh is due. Nobody waits
 * for it, and failures are retried later.
 */
export class MetadataFetcher {
  readonly #modules: FetcherModules;
  readonly #options: FetcherOptions & typeof defaults;
  readonly #waiting = new Map<string, TokenKey>();
  /** In progress, or known to have no document. */
  readonly #busy = new Set<string>();
  readonly #fruitless = new Set<string>();
  /** By host. */
  readonly #hosts: Slots;
  readonly #counts = { fetched: 0, failed: 0 };
  #wake: () => void = () => {};

  constructor(modules: FetcherModules, options: FetcherOptions) {
    this.#modules = modules;
    this.#options = { ...defaults, ...options };
    this.#hosts = new Slots({ total: this.#options.concurrency, perKey: this.#options.perHost });
  }

  /** Requests documents of tokens; returns at once. */
  want(wanted: readonly MetadataRequest[]): void {
    for (const { address, type } of wanted) {
      if (type === "jetton_wallets") continue;
      const key = { address, type };
      const name = nameOf(key);
      const isKnown = this.#busy.has(name) || this.#fruitless.has(name);
      if (!isKnown && this.#waiting.size < this.#options.maxWaiting) this.#waiting.set(name, key);
    }
    this.#wake();
  }

  counters(): FetcherCounters {
    return { waiting: this.#waiting.size + this.#hosts.waiting, running: this.#hosts.taken, ...this.#counts };
  }

  /** Works until the signal aborts; waits for an unavailable database. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#modules;
    let lookAtMs = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      let maxMs = this.#options.lookEveryMs;
      try {
        if (clock.monotonic() >= lookAtMs) {
          await this.#lookForDue();
          lookAtMs = clock.monotonic() + this.#options.lookEveryMs;
        }
        if (!this.#isFull()) await this.#takeWaiting(signal);
        if (this.#waiting.size > 0 && !this.#isFull()) continue;
      } catch (error) {
        maxMs = againMs;
        log.debug("token metadata cannot be read; retrying", { error });
      }
      await this.#pause(Math.min(maxMs, Math.max(lookAtMs - clock.monotonic(), againMs)), signal);
    }
    await this.#hosts.idle();
  }

  /** Whether enough documents are queued for a while. */
  #isFull(): boolean {
    return this.#hosts.waiting >= this.#options.concurrency * 32;
  }

  /** Waits until a token is requested, a document is done, or the poll interval is over. */
  #pause(maxMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      let stopListening = () => {};
      const cancelTimer = this.#modules.clock.timer(maxMs, () => this.#wake());
      this.#wake = () => {
        cancelTimer();
        stopListening();
        this.#wake = () => {};
        resolve();
      };
      stopListening = onAbort(signal, () => this.#wake());
    });
  }

  async #lookForDue(): Promise<void> {
    const now = this.#now();
    const { maxMs } = this.#options.limits;
    const takenUntil = now + Math.ceil(maxMs / 1000) * 10;
    this.want(await takeDue(this.#modules.database, { now, takenUntil, max: together }));
  }

  async #takeWaiting(signal: AbortSignal): Promise<void> {
    const keys = [...this.#waiting.values()].slice(0, together);
    if (keys.length === 0) return;
    const subjects = await loadSubjects(this.#modules.database, keys);
    for (const key of keys) this.#waiting.delete(nameOf(key));
    const resolved: ResolvedRow[] = [];
    for (const subject of subjects) {
      const found = this.#begin(subject, signal);
      if (found !== undefined) resolved.push(found);
    }
    await storeResolved(this.#modules.database, resolved);
  }

  /** Stores what needs no document; fetches documents for the rest. */
  #begin(subject: Subject, signal: AbortSignal): ResolvedRow | undefined {
    const link = findDocumentLink(subject.content);
    if (link === undefined) return this.#resolve(subject, { kind: "none" });
    if (this.#options.documents === "onchain") {
      if (isSufficient(subject.type, subject.content)) return this.#resolve(subject, { kind: "none" });
      this.#passOver(nameOf(subject));
      return undefined;
    }
    try {
      this.#send(subject, parseDocumentLink(link, this.#options.ipfsGateway), signal);
      return undefined;
    } catch (error) {
      if (!isCoded(error, "history/document")) throw error;
      return this.#fail(subject, error, true);
    }
  }

  #send(subject: Subject, location: DocumentLocation, signal: AbortSignal): void {
    const name = nameOf(subject);
    this.#busy.add(name);
    const work = async () => {
      try {
        if (!signal.aborted)
          await storeResolved(this.#modules.database, [await this.#fetch(subject, location, signal)]);
      } catch (error) {
        // Nothing was written: the token will be requested again or is due again.
        if (!signal.aborted) this.#modules.log.debug("token metadata could not be stored", { error });
      } finally {
        this.#busy.delete(name);
        this.#wake();
      }
    };
    void this.#hosts.run(work, { key: location.url.host });
  }

  async #fetch(subject: Subject, location: DocumentLocation, signal: AbortSignal): Promise<ResolvedRow> {
    try {
      const document = await orAborted(fetchDocument(location, this.#options.limits, this.#modules, signal), signal);
      this.#counts.fetched++;
      return this.#resolve(subject, { kind: "fetched", document });
    } catch (error) {
      if (signal.aborted || !isCoded(error, "history/document")) throw error;
      return this.#fail(subject, error, false);
    }
  }

  #fail(subject: Subject, error: Error, isFinal: boolean): ResolvedRow {
    this.#counts.failed++;
    const { address, type, attempts } = subject;
    this.#modules.log.debug("a token document could not be fetched", {
      address,
      type,
      attempt: attempts + 1,
      reason: error.message,
    });
    return this.#resolve(subject, { kind: "failed", isFinal });
  }

  #resolve(subject: Subject, outcome: Outcome): ResolvedRow {
    return resolveOutcome(subject, outcome, this.#now(), this.#modules.random, this.#options.retries);
  }

  /** A token that is requested repeatedly would be read repeatedly; the oldest entries are forgotten. */
  #passOver(name: string): void {
    this.#fruitless.add(name);
    const [oldest] = this.#fruitless;
    if (this.#fruitless.size > this.#options.maxWaiting && oldest !== undefined) this.#fruitless.delete(oldest);
  }

  #now(): number {
    return Math.floor(this.#modules.clock.now() / 1000);
  }
}

function nameOf({ address, type }: TokenKey): string {
  return `${type} ${address}`;
}
