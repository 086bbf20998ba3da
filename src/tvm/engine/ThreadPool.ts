import { onAbort, orAborted } from "../../lib/abort.ts";
import type { Clock } from "../../lib/clock.ts";
import { throwIfAborted } from "../../lib/deadline.ts";
import type { Turn } from "../Executor.ts";
import { TvmError } from "../errors.ts";
import type { Answer, Job } from "./protocol.ts";
import type { Thread } from "./Thread.ts";

export interface ThreadPoolOptions {
  /** How many runs go on at the same time. */
  readonly maxThreads: number;
  /** How many more may wait for a thread. */
  readonly maxWaiting: number;
  /** How long a run may take once it has a thread. */
  readonly maxRunMs: number;
}

export interface ThreadPoolModules {
  readonly clock: Clock;
  openThread(): Thread;
}

/** What the pool does at this moment. */
export interface ThreadPoolCounters {
  readonly threads: number;
  readonly running: number;
  readonly waiting: number;
  /** Threads ended because a run took too long, broke them or left them too large. */
  readonly replaced: number;
}

interface Waiter {
  readonly admit: (thread: Thread) => void;
  readonly refuse: (reason: Error) => void;
}

/**
 * A run whose caller has left gets this long to end by itself before its thread is ended: starting a thread costs more
 * than most runs do.
 */
const graceMs = 50;

/** A thread that does not start within this time is given up. */
const maxOpenMs = 30_000;

/** Many threads as one: opened when needed, used again, replaced when they break or a run does not end in time. */
export class ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #modules: ThreadPoolModules;
  readonly #threads = new Set<Thread>();
  readonly #idle: Thread[] = [];
  readonly #line = new Set<Waiter>();
  readonly #firstLine = new Set<Waiter>();
  readonly #runs = new Set<Promise<unknown>>();
  #replaced = 0;
  #closed: Error | undefined;

  constructor(options: ThreadPoolOptions, modules: ThreadPoolModules) {
    this.#options = options;
    this.#modules = modules;
  }

  get counters(): ThreadPoolCounters {
    const running = this.#threads.size - this.#idle.length;
    return {
      threads: this.#threads.size,
      running,
      waiting: this.#line.size + this.#firstLine.size,
      replaced: this.#replaced,
    };
  }

  /**
   * Runs the job on a free thread. Rejects with `tvm/busy` when too many wait already, with `tvm/timeout` when the run
   * takes too long, or with the signal's reason as soon as it aborts.
   */
  async run(job: Job, signal?: AbortSignal, turn: Turn = "last", mostMs = this.#options.maxRunMs): Promise<Answer> {
    throwIfAborted(signal);
    if (this.#closed !== undefined) throw this.#closed;
    const run = this.#runInTurn(job, signal, turn, mostMs);
    this.#track(run);
    return orAborted(run, signal);
  }

  /** Takes no new runs, lets those that run or wait end, then ends the threads. */
  async close(): Promise<void> {
    this.#closed ??= new TvmError("tvm/closed", "the executor is closed");
    while (this.#runs.size > 0) await Promise.allSettled(this.#runs);
    this.destroy(this.#closed);
  }

  /** Ends everything at once with this reason. */
  destroy(reason: Error): void {
    this.#closed ??= reason;
    for (const waiter of [...this.#firstLine, ...this.#line]) waiter.refuse(reason);
    for (const thread of [...this.#threads]) {
      this.#threads.delete(thread);
      thread.destroy(reason);
    }
    this.#idle.length = 0;
  }

  async #runInTurn(job: Job, signal: AbortSignal | undefined, turn: Turn, mostMs: number): Promise<Answer> {
    const thread = await this.#take(signal, turn);
    return this.#supervise(thread, job, signal, Math.min(mostMs, this.#options.maxRunMs));
  }

  /** Resolves or rejects when the thread is free again or gone, however early its caller leaves. */
  async #supervise(thread: Thread, job: Job, signal: AbortSignal | undefined, maxRunMs: number): Promise<Answer> {
    const { clock } = this.#modules;
    const late = () => thread.destroy(new TvmError("tvm/crash", `a worker did not start within ${maxOpenMs} ms`));
    let cancelTimer = clock.timer(maxOpenMs, late);
    let stopListening = () => {};
    try {
      await thread.opened;
      cancelTimer();
      throwIfAborted(signal);
      const endsAt = clock.monotonic() + maxRunMs;
      const timeout = () => thread.destroy(new TvmError("tvm/timeout", `a run took more than ${maxRunMs} ms`));
      cancelTimer = clock.timer(maxRunMs, timeout);
      stopListening = onAbort(signal, (reason) => {
        cancelTimer();
        cancelTimer = clock.timer(Math.min(graceMs, endsAt - clock.monotonic()), () => thread.destroy(reason));
      });
      return await thread.run(job);
    } finally {
      cancelTimer();
      stopListening();
      this.#giveBack(thread);
    }
  }

  #take(signal: AbortSignal | undefined, turn: Turn): Promise<Thread> | Thread {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.isUsable) return idle;
      this.#remove(idle);
    }
    if (this.#threads.size < this.#options.maxThreads) return this.#open();
    const line = turn === "first" ? this.#firstLine : this.#line;
    if (turn === "last" && line.size >= this.#options.maxWaiting)
      throw new TvmError("tvm/busy", `${this.#options.maxWaiting} runs already wait`);
    return new Promise((resolve, reject) => {
      let stopListening = () => {};
      const leave = (how: () => void) => {
        line.delete(waiter);
        stopListening();
        how();
      };
      const waiter: Waiter = {
        admit: (thread) => leave(() => resolve(thread)),
        refuse: (reason) => leave(() => reject(reason)),
      };
      line.add(waiter);
      stopListening = onAbort(signal, waiter.refuse);
    });
  }

  #open(): Thread {
    const thread = this.#modules.openThread();
    this.#threads.add(thread);
    return thread;
  }

  /** Hands the thread, or a new one in the place of one that is no longer usable, to the first in line. */
  #giveBack(thread: Thread): void {
    if (!this.#threads.has(thread)) return;
    if (!thread.isUsable) this.#remove(thread);
    const [urgent] = this.#firstLine;
    const [usual] = this.#line;
    const next = urgent ?? usual;
    if (next !== undefined) next.admit(thread.isUsable ? thread : this.#open());
    else if (thread.isUsable) this.#idle.push(thread);
  }

  #remove(thread: Thread): void {
    this.#threads.delete(thread);
    this.#replaced += 1;
    thread.destroy(new TvmError("tvm/closed", "the thread is replaced"));
  }

  #track(run: Promise<unknown>): void {
    const forget = () => this.#runs.delete(run);
    this.#runs.add(run);
    run.then(forget, forget);
  }
}
