import { onAbort } from "../../../lib/abort.ts";
import type { Clock } from "../../../lib/clock.ts";
import { isCoded } from "../../../lib/errors.ts";
import type { Log } from "../../../lib/log.ts";
import type { Random } from "../../../lib/random.ts";
import { backoffMs } from "../../../lib/retry.ts";
import { HistoryError, withoutAddresses } from "../../errors.ts";
import type { Database, SqlOptions, SqlParam, SqlRow, SqlSession, TableLayout, WriterLock } from "../Database.ts";

export interface LateParts {
  readonly kind: Database["kind"];
  /**
   * Opens the database and checks that it can be used; failures of the other side are retried. The signal ends an
   * attempt at once.
   */
  open(signal: AbortSignal): Promise<Database>;
}

export interface LateModules {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** Condition of a database. */
export type DatabaseCondition =
  | { readonly kind: "opening" }
  | { readonly kind: "open" }
  | { readonly kind: "away"; readonly reason: string }
  | { readonly kind: "closed" };

const backoff = { firstMs: 500, factor: 2, maxMs: 10_000 };
/** Whether it may recover by itself. */
function isMendable(failure: unknown): boolean {
  return isCoded(failure) && failure.kind === "remote";
}

/** How long a look for changes by other processes counts. */
const watchedMs = 1_000;
/** How long an attempt to open takes before it is logged, again and again. */
const slowMs = 30_000;
/** How long a writer waits for another one before it is logged. */
const silentMs = 1_000;

/** A database that may not be available yet: everything else runs, and statements are refused until it is. */
export class DeferredDatabase implements Database {
  readonly kind: Database["kind"];
  readonly #parts: LateParts;
  readonly #modules: LateModules;
  readonly #closing = new AbortController();
  #opening = new AbortController();
  #state: { readonly kind: "open"; readonly database: Database } | Exclude<DatabaseCondition, { kind: "open" }> = {
    kind: "opening",
  };
  #trying: Promise<void> = Promise.resolve();
  readonly #waiting = new Set<() => void>();
  #waitsForWriter = false;
  #changes = 0;
  #isOnlyWriter = false;
  /** When somebody looked for changes by other processes. */
  #lookedAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: LateParts, modules: LateModules) {
    this.kind = parts.kind;
    this.#parts = parts;
    this.#modules = modules;
  }

  /**
   * Tries for this long, then continues in the background; throws a failure that a retry cannot fix, if it is known by
   * then.
   */
  async start(patienceMs: number): Promise<void> {
    const { clock } = this.#modules;
    let isLate = false;
    const first = this.#tryOnce();
    this.#trying = first.then((failure) => (isLate || isMendable(failure) ? this.#goOn(failure) : undefined));
    await new Promise<void>((resolve, reject) => {
      const cancelTimer = clock.timer(patienceMs, () => {
        isLate = true;
        resolve();
      });
      void first.then((failure) => {
        cancelTimer();
        if (failure === undefined || isLate || isMendable(failure)) resolve();
        else reject(failure);
      });
    });
  }

  condition(): DatabaseCondition {
    return this.#state.kind === "open" ? { kind: "open" } : this.#state;
  }

  get schema(): string | undefined {
    return this.#state.kind === "open" ? this.#state.database.schema : undefined;
  }

  get layout(): TableLayout | undefined {
    return this.#state.kind === "open" ? this.#state.database.layout : undefined;
  }

  get isPooled(): boolean {
    return this.#state.kind === "open" && this.#state.database.isPooled === true;
  }

  /** Whether the writer of this process waits for another process. */
  get waitsForWriter(): boolean {
    return this.#waitsForWriter;
  }

  async query(sql: string, params?: readonly SqlParam[], options?: SqlOptions): Promise<readonly SqlRow[]> {
    return this.#get().query(sql, params, options);
  }

  async read<T>(work: (session: SqlSession) => Promise<T>, options?: SqlOptions): Promise<T> {
    return this.#get().read(work, options);
  }

  async write<T>(work: (session: SqlSession) => Promise<T>): Promise<T> {
    const database = this.#get();
    return database.write(work).finally(() => this.#changes++);
  }

  async runAlone(sql: string): Promise<void> {
    const database = this.#get();
    return database.runAlone(sql).finally(() => this.#changes++);
  }

  /**
   * A number that differs after every change of the tables. While another process may change them and nobody looks for
   * that, the number differs on every call.
   */
  get changes(): number {
    const isWatched = this.#modules.clock.monotonic() - this.#lookedAtMs < watchedMs;
    if (!this.#isOnlyWriter && !isWatched) this.#changes++;
    return this.#changes;
  }

  /** Reports a check of the tables, and whether they changed since the last one. */
  noteLook(isChanged: boolean): void {
    this.#lookedAtMs = this.#modules.clock.monotonic();
    // A replica changes later than the writer does.
    const isKnown = this.#isOnlyWriter && !(this.#state.kind === "open" && this.#state.database.hasReplica === true);
    if (isChanged && !isKnown) this.#changes++;
  }

  /** Waits until there is a database; one without channels never notifies. */
  async listen(
    channel: string,
    onNotify: (payload: string) => void,
    signal: AbortSignal = this.#closing.signal,
  ): Promise<(() => Promise<void>) | undefined> {
    await this.#opened(signal);
    return this.#get().listen?.(channel, onNotify);
  }

  /** Also waits until there is a database. */
  async lockWriter(signal?: AbortSignal): Promise<WriterLock> {
    await this.#opened(signal);
    const { clock, log } = this.#modules;
    let cancelTimer: (() => void) | undefined;
    // A slow database is no other process: only a lock that is held says so.
    const onHeld = () => {
      cancelTimer ??= clock.timer(silentMs, () => {
        this.#waitsForWriter = true;
        log.info("another process writes this index; waiting until it stops");
      });
    };
    try {
      return this.#watchLock(await this.#get().lockWriter(signal, onHeld));
    } finally {
      cancelTimer?.();
      this.#waitsForWriter = false;
    }
  }

  /** Only this process writes while the lock is held. */
  #watchLock({ lost, release }: WriterLock): WriterLock {
    const end = () => {
      this.#isOnlyWriter = false;
    };
    this.#isOnlyWriter = !lost.aborted;
    const stopListening = onAbort(lost, end);
    return {
      lost,
      release: () => {
        stopListening();
        end();
        return release();
      },
    };
  }

  async close(): Promise<void> {
    const reason = new HistoryError("history/database", "the database is closed");
    this.#closing.abort(reason);
    // An attempt to open it may take long: nobody needs its result.
    this.#opening.abort(reason);
    await this.#trying;
    const state = this.#state;
    this.#state = { kind: "closed" };
    this.#wakeAll();
    if (state.kind === "open") await state.database.close();
  }

  /** Gives up an opening that is under way, too. */
  destroy(reason: Error): void {
    this.#closing.abort(reason);
    this.#opening.abort(reason);
    if (this.#state.kind === "open") this.#state.database.destroy?.(reason);
  }

  #get(): Database {
    const state = this.#state;
    if (state.kind === "open") return state.database;
    if (state.kind === "opening") throw new HistoryError("history/opening", "opening the database of the index");
    if (state.kind === "away")
      throw new HistoryError("history/away", `the database of the index cannot be used: ${state.reason}`);
    throw new HistoryError("history/database", "the database of the index cannot be used: it is closed");
  }

  /** Resolves when there is a database, or never will be. */
  #opened(signal: AbortSignal | undefined): Promise<void> {
    if (this.#state.kind === "open" || this.#state.kind === "closed") return Promise.resolve();
    return new Promise((resolve, reject) => {
      let stopListening = () => {};
      const wake = () => {
        stopListening();
        resolve();
      };
      this.#waiting.add(wake);
      stopListening = onAbort(signal, (reason) => {
        this.#waiting.delete(wake);
        reject(reason);
      });
    });
  }

  #wakeAll(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  async #tryOnce(): Promise<unknown> {
    const stopReporting = this.#reportSlow(1);
    try {
      const database = await this.#parts.open(this.#opening.signal);
      // From here on it is closed in order.
      this.#opening = new AbortController();
      this.#state = { kind: "open", database };
      this.#wakeAll();
      return undefined;
    } catch (error) {
      // Strangers read it in answers; the log has the whole.
      this.#state = { kind: "away", reason: withoutAddresses(reasonOf(error)) };
      return error;
    } finally {
      stopReporting();
    }
  }

  /** An attempt that neither ends nor fails has no reason to log, and an operator should know of it all the same. */
  #reportSlow(times: number): () => void {
    const { clock, log } = this.#modules;
    let cancel = clock.timer(slowMs, () => {
      log.warn("still opening the database of the index", { seconds: (times * slowMs) / 1_000 });
      cancel = this.#reportSlow(times + 1);
    });
    return () => cancel();
  }

  async #goOn(failure: unknown): Promise<void> {
    const { clock, random, log } = this.#modules;
    // An attempt that was ended by closing is no failure.
    if (failure === undefined || this.#closing.signal.aborted) return;
    let reported = reasonOf(failure);
    log.warn("the database of the index cannot be used", { reason: reported });
    for (let attempt = 1; ; attempt++) {
      try {
        await clock.sleep(backoffMs(backoff, attempt, random), this.#closing.signal);
      } catch {
        // Closed in the meantime.
        return;
      }
      const next = await this.#tryOnce();
      if (next === undefined) {
        log.info("the database of the index is available");
        return;
      }
      if (this.#closing.signal.aborted) return;
      const reason = reasonOf(next);
      // Logged once for each reason; the status page and /readyz report the current condition.
      if (reason !== reported) log.warn("the database of the index cannot be used", { reason });
      reported = reason;
    }
  }
}

function reasonOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
