import { onAbort } from "../../../lib/abort.ts";
import type { Clock } from "../../../lib/clock.ts";
import { throwIfAborted } from "../../../lib/deadline.ts";
import { Lifetime } from "../../../lib/Lifetime.ts";
import { FairQueue } from "../../../lib/sharing/FairQueue.ts";
import { WaitQueue } from "../../../lib/WaitQueue.ts";

/** How long readers may begin while a writer waits. */
const besideWriterMs = 50;
/** The same while a long reader is running, for which the writer waits anyway. */
const besideLongMs = 500;
/** A reader that has used more of the engine than this is a long one. */
const longMs = 100;

/** The caller of the service's own work. */
const ownCaller = "";

/** What a reader that begins again gets from its statements; nobody else sees it. */
const beginsAgain = "this reader starts again";

/** What statements get that a reader left behind. */
const hasEnded = "this reader has ended";

export interface ReaderOptions {
  /** Who the work is for. */
  readonly caller?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Runs one statement of a reader in its turn. */
export type InTurn = <T>(statement: () => Promise<T>) => Promise<T>;

/** Work that reads: it is in the snapshot from the turn of its first statement to its end. */
interface Reader {
  readonly caller: string;
  isLong: boolean;
  /** Whether it left the snapshot and begins again. */
  isRepeated: boolean;
  /** Whether its work has ended. */
  isEnded: boolean;
  /** Milliseconds of the engine. */
  usedMs: number;
  /** Present while it is in the snapshot. */
  presence?: { readonly end: () => void } | undefined;
}

interface WaitingStatement {
  readonly reader: Reader;
  readonly admit: () => void;
  readonly refuse: (reason: Error) => void;
}

/**
 * Shares an engine that has a single session. Readers share one snapshot, in which their statements take turns: next is
 * the caller that has used the engine least, and of its readers the one that has used it least, so that a short read
 * waits for one statement of a long one, not for all. One long reader at a time is in the snapshot: a second one leaves
 * it and begins again later, so that what it has read is not held in the meantime. A writer is alone: it waits for the
 * readers in the snapshot, and others may begin beside it for a short time only.
 */
export class Turns {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #endSnapshot: () => Promise<void>;
  readonly #writers = new WaitQueue();
  /** Statements of readers in the snapshot, and of those that may begin. */
  readonly #statements = new FairQueue<WaitingStatement>();
  /** First statements of readers that may not begin now. */
  readonly #newcomers = new Set<WaitingStatement>();
  /** First statements of long readers that begin again. */
  readonly #repeated = new FairQueue<WaitingStatement>();
  /** All that wait. */
  readonly #waiting = new Set<WaitingStatement>();
  /** Turns of writers, and readers in the snapshot, are its work. */
  readonly #lifetime = new Lifetime((reason) => reason);
  #writing: { readonly end: () => void } | undefined;
  #isBusy = false;
  #readers = 0;
  #hasSnapshot = false;
  #long: Reader | undefined;
  /** When a writer began to wait, or the last one ended. */
  #writerSinceMs = 0;

  /** `endSnapshot` is called with the engine free, after the last reader and before a writer. */
  constructor(clock: Pick<Clock, "monotonic">, endSnapshot: () => Promise<void>) {
    this.#clock = clock;
    this.#endSnapshot = endSnapshot;
  }

  /** Runs the work alone; rejects with the reason of the signal when that comes first. */
  async write<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.#lifetime.throwIfEnded();
    if (this.#writers.length === 0) this.#writerSinceMs = this.#clock.monotonic();
    const turn = this.#writers.wait(signal);
    // A writer that leaves keeps nobody waiting.
    turn.catch(() => this.#dispatch());
    this.#dispatch();
    await turn;
    try {
      return await work();
    } finally {
      this.#writerSinceMs = this.#clock.monotonic();
      this.#writing?.end();
      this.#free();
    }
  }

  /**
   * Runs work that reads one snapshot, each statement in its turn. Long work may be run again from its beginning; then
   * its first outcome is ignored.
   */
  async read<T>(work: (inTurn: InTurn) => Promise<T>, options: ReaderOptions = {}): Promise<T> {
    const { caller = ownCaller, signal } = options;
    for (let isLong = false; ; isLong = true) {
      const reader: Reader = { caller, isLong, isRepeated: false, isEnded: false, usedMs: 0 };
      try {
        const value = await work((statement) => this.#run(reader, statement, signal));
        if (!reader.isRepeated) return value;
      } catch (error) {
        if (!reader.isRepeated) throw error;
      } finally {
        this.#leave(reader);
      }
    }
  }

  /** Rejects all that wait to begin; resolves when the others have ended. */
  async close(reason: Error): Promise<void> {
    const closed = this.#lifetime.close(reason);
    const first = this.#lifetime.reason ?? reason;
    this.#writers.refuseAll(first);
    for (const waiting of this.#waiting) if (waiting.reader.presence === undefined) waiting.refuse(first);
    await closed;
  }

  async #run<T>(reader: Reader, statement: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    throwIfAborted(signal);
    if (reader.presence === undefined) this.#lifetime.throwIfEnded();
    if (!reader.isLong && reader.usedMs > longMs) this.#makeLong(reader);
    if (reader.isRepeated) throw new Error(beginsAgain);
    if (reader.isEnded) throw new Error(hasEnded);
    await this.#wait(reader, signal);
    const startedMs = this.#clock.monotonic();
    try {
      return await statement();
    } finally {
      const usedMs = this.#clock.monotonic() - startedMs;
      reader.usedMs += usedMs;
      this.#statements.charge(reader.caller, usedMs);
      this.#repeated.charge(reader.caller, usedMs);
      this.#free();
    }
  }

  /** Gives the place of the long reader to this one, or makes it begin again when the place is taken. */
  #makeLong(reader: Reader): void {
    if (this.#long === undefined && this.#mayBegin(besideLongMs)) {
      reader.isLong = true;
      this.#long = reader;
      return;
    }
    reader.isRepeated = true;
    this.#refuse(reader, beginsAgain);
  }

  /** Refuses the statements of a reader that wait. */
  #refuse(reader: Reader, reason: string): void {
    for (const waiting of this.#waiting) if (waiting.reader === reader) waiting.refuse(new Error(reason));
  }

  #wait(reader: Reader, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      let stopListening = () => {};
      const leave = () => {
        this.#waiting.delete(waiting);
        stopListening();
      };
      const waiting: WaitingStatement = {
        reader,
        admit: () => {
          leave();
          resolve();
        },
        refuse: (reason) => {
          leave();
          for (const queue of [this.#statements, this.#repeated]) queue.delete(reader.caller, waiting);
          this.#newcomers.delete(waiting);
          reject(reason);
        },
      };
      this.#waiting.add(waiting);
      this.#enqueue(waiting);
      stopListening = onAbort(signal, waiting.refuse);
      this.#dispatch();
    });
  }

  #enqueue(waiting: WaitingStatement): void {
    const { caller, usedMs, presence, isLong } = waiting.reader;
    if (presence !== undefined) this.#statements.add(caller, waiting, usedMs);
    else if (isLong) this.#repeated.add(caller, waiting, usedMs);
    else this.#newcomers.add(waiting);
  }

  /** Beside a long reader, one that has just had its turn may first ask for the next: a request has several. */
  #free(): void {
    const free = () => {
      this.#isBusy = false;
      this.#dispatch();
    };
    if (this.#long !== undefined && this.#readers > 1) setImmediate(free);
    else free();
  }

  #dispatch(): void {
    if (this.#isBusy) return;
    const next = this.#takeStatement();
    if (next !== undefined) {
      this.#isBusy = true;
      this.#enter(next.reader);
      next.admit();
    } else if (this.#readers === 0 && this.#hasSnapshot) {
      this.#isBusy = true;
      this.#hasSnapshot = false;
      const { end } = this.#lifetime.begin();
      void this.#endSnapshot().finally(() => {
        end();
        this.#free();
      });
    } else if (this.#readers === 0 && this.#writers.length > 0) {
      this.#isBusy = true;
      // The turn begins when it is given: a close between this moment and the work itself waits for the work.
      this.#writing = this.#lifetime.begin();
      this.#writers.admit();
    }
  }

  /** The next statement; one of a reader that may not begin now goes back. */
  #takeStatement(): WaitingStatement | undefined {
    if (this.#mayBegin()) this.#admitReaders();
    for (;;) {
      const next = this.#statements.take();
      if (next === undefined || next.reader.presence !== undefined || this.#mayBegin()) return next;
      if (next.reader === this.#long) this.#long = undefined;
      this.#enqueue(next);
    }
  }

  #admitReaders(): void {
    for (const waiting of this.#newcomers) this.#statements.add(waiting.reader.caller, waiting, 0);
    this.#newcomers.clear();
    const long = this.#long === undefined ? this.#repeated.take() : undefined;
    if (long === undefined) return;
    this.#long = long.reader;
    this.#statements.add(long.reader.caller, long, 0);
  }

  /** Whether a reader may begin: without a writer, or for a short time beside one. */
  #mayBegin(limitMs = this.#long === undefined ? besideWriterMs : besideLongMs): boolean {
    return this.#writers.length === 0 || this.#clock.monotonic() - this.#writerSinceMs < limitMs;
  }

  #enter(reader: Reader): void {
    if (reader.presence !== undefined) return;
    reader.presence = this.#lifetime.begin();
    this.#readers += 1;
    this.#hasSnapshot = true;
  }

  /**
   * Work that fails may leave statements behind, which it ran at the same time: one that entered the snapshot now would
   * never leave it, and no writer would have a turn again.
   */
  #leave(reader: Reader): void {
    reader.isEnded = true;
    this.#refuse(reader, hasEnded);
    if (this.#long === reader) this.#long = undefined;
    if (reader.presence === undefined) return;
    reader.presence.end();
    reader.presence = undefined;
    this.#readers -= 1;
    this.#dispatch();
  }
}
