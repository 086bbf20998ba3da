import { Worker } from "node:worker_threads";
import { TvmError } from "../errors.ts";
import type { Answer, Job, Kept, NamedText, Order, Reply, WorkerStart } from "./protocol.ts";
import type { Thread } from "./Thread.ts";
import { workerUrl } from "./workerUrl.ts";

/**
 * How many configurations a worker keeps, and how many lists of previous blocks; each configuration comes in two forms,
 * and few networks are served by one process.
 */
const maxKept = 8;

/** The machine's memory never shrinks: after an unusually large run the thread is replaced. */
const maxMemoryBytes = 256 * 1024 * 1024;

/** For the script side of a worker: answers and logs pass through it. */
const resourceLimits = { maxOldGenerationSizeMb: 512 };

interface Waiting<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (reason: Error) => void;
}

type State =
  | { readonly kind: "usable" }
  | { readonly kind: "worn" }
  | { readonly kind: "dead"; readonly reason: Error };

/** A worker thread of the platform as a `Thread`. */
export class WorkerThread implements Thread {
  readonly opened: Promise<void>;
  #worker: Worker | undefined;
  /** What the worker has, in the order of use. */
  readonly #kept: Readonly<Record<Kept, Set<string>>> = { config: new Set(), previousBlocks: new Set() };
  #state: State = { kind: "usable" };
  #opening: Waiting<void> | undefined;
  #running: Waiting<Answer> | undefined;

  /** The worker is started when its machine is there. */
  constructor(machine: Promise<WasmModule>) {
    this.opened = new Promise((resolve, reject) => {
      this.#opening = { resolve, reject };
    });
    this.opened.catch(() => {});
    machine.then(
      (module) => this.#start(module),
      (cause) => this.#die(crashed("it cannot be compiled", cause)),
    );
  }

  get isUsable(): boolean {
    return this.#state.kind === "usable";
  }

  run(job: Job): Promise<Answer> {
    if (this.#state.kind === "dead") return Promise.reject(this.#state.reason);
    return new Promise((resolve, reject) => {
      this.#running = { resolve, reject };
      // Only a run keeps the process alive, not a worker that waits for one.
      this.#worker?.ref();
      const config = this.#introduce("config", job.config);
      const previousBlocks = job.previousBlocks && this.#introduce("previousBlocks", job.previousBlocks);
      this.#order({ kind: "run", job: { ...job, config, previousBlocks } });
    });
  }

  destroy(reason: Error): void {
    this.#die(reason);
    void this.#worker?.terminate();
  }

  #start(module: WasmModule): void {
    if (this.#state.kind === "dead") return;
    const start: WorkerStart = { module };
    const worker = new Worker(workerUrl, { workerData: start, execArgv: [], env: {}, resourceLimits });
    worker.on("message", (reply: Reply) => this.#hear(reply));
    worker.on("error", (cause) => this.#die(crashed(cause.message, cause)));
    worker.on("exit", (code) => this.#die(crashed(`it ended with code ${code}`)));
    this.#worker = worker;
  }

  #order(order: Order): void {
    this.#worker?.postMessage(order);
  }

  /** Leaves a text out when the worker has it; forgets the one used longest ago for a new one. */
  #introduce(what: Kept, text: NamedText): NamedText {
    const kept = this.#kept[what];
    const isKnown = kept.delete(text.key);
    kept.add(text.key);
    const [oldest] = kept;
    if (oldest !== undefined && kept.size > maxKept) {
      kept.delete(oldest);
      this.#order({ kind: "forget", what, key: oldest });
    }
    return isKnown ? { key: text.key, boc: undefined } : text;
  }

  #hear(reply: Reply): void {
    switch (reply.kind) {
      case "ready":
        this.#worker?.unref();
        this.#opening?.resolve();
        return;
      case "ended":
        if (reply.memoryBytes > maxMemoryBytes && this.isUsable) this.#state = { kind: "worn" };
        this.#settle()?.resolve(reply.answer);
        return;
      case "refused":
        this.#settle()?.reject(new TvmError("tvm/input", `the machine refuses its input: ${reply.reason}`));
        return;
      case "broken":
        this.destroy(crashed(reply.reason));
        return;
    }
  }

  #settle(): Waiting<Answer> | undefined {
    const running = this.#running;
    this.#running = undefined;
    this.#worker?.unref();
    return running;
  }

  #die(reason: Error): void {
    if (this.#state.kind === "dead") return;
    this.#state = { kind: "dead", reason };
    this.#opening?.reject(reason);
    this.#settle()?.reject(reason);
  }
}

function crashed(why: string, cause?: unknown): TvmError {
  return new TvmError("tvm/crash", `the machine of a worker broke: ${why}`, { cause });
}
