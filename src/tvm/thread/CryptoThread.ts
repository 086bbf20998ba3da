import { Worker } from "node:worker_threads";
import { onAbort } from "../../lib/abort.ts";
import type { Clock } from "../../lib/clock.ts";
import { throwIfAborted } from "../../lib/deadline.ts";
import { FairQueue } from "../../lib/sharing/FairQueue.ts";
import { cryptoWorkerUrl } from "../crypto/cryptoWorkerUrl.ts";
import type { HeavyCall } from "../crypto/heavyFunctions.ts";
import { TvmError } from "../errors.ts";

export interface HeavyAnswer {
  readonly value: unknown;
  readonly spentMs: number;
}

interface WaitingCall {
  readonly caller: string;
  readonly call: HeavyCall;
  readonly resolve: (answer: HeavyAnswer) => void;
  readonly reject: (reason: Error) => void;
}

/** A thread that computes one call after another, fairly between callers. It starts with the first call. */
export class CryptoThread {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #queue = new FairQueue<WaitingCall>();
  #worker: Worker | undefined;
  #current: WaitingCall | undefined;
  #startedMs = 0;

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  /** Computes; rejects when the signal aborts, although a call that has begun is computed to its end. */
  async call(caller: string, call: HeavyCall, signal?: AbortSignal): Promise<HeavyAnswer> {
    throwIfAborted(signal);
    return new Promise((resolve, reject) => {
      const waiting: WaitingCall = {
        ...{ caller, call, reject },
        resolve: (answer) => {
          stopListening();
          resolve(answer);
        },
      };
      const stopListening = onAbort(signal, (reason) => {
        this.#queue.delete(caller, waiting);
        reject(reason);
      });
      this.#queue.add(caller, waiting, 0);
      this.#next();
    });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #next(): void {
    if (this.#current !== undefined) return;
    this.#current = this.#queue.take();
    // An idle thread does not keep the process alive.
    if (this.#current === undefined) return void this.#worker?.unref();
    this.#worker ??= this.#open();
    this.#worker.ref();
    this.#startedMs = this.#clock.monotonic();
    this.#worker.postMessage(this.#current.call);
  }

  #open(): Worker {
    const worker = new Worker(cryptoWorkerUrl);
    worker.on("message", ({ value }: Pick<HeavyAnswer, "value">) => {
      const done = this.#current;
      const spentMs = this.#clock.monotonic() - this.#startedMs;
      this.#current = undefined;
      if (done !== undefined) this.#queue.charge(done.caller, spentMs);
      done?.resolve({ value, spentMs });
      this.#next();
    });
    worker.on("error", (cause) => this.#fail(worker, new TvmError("tvm/crash", "a crypto thread failed", { cause })));
    worker.on("exit", () => this.#fail(worker, new TvmError("tvm/crash", "a crypto thread ended")));
    return worker;
  }

  /** The running call fails; the next one starts another thread. */
  #fail(worker: Worker, reason: Error): void {
    // A thread that failed also ends, and another one may be at work by then.
    if (worker !== this.#worker) return;
    const failed = this.#current;
    this.#worker = undefined;
    this.#current = undefined;
    failed?.reject(reason);
    this.#next();
  }
}
