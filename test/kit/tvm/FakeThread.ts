import type { Answer, Job } from "../../../src/tvm/engine/protocol.ts";
import type { Thread } from "../../../src/tvm/engine/Thread.ts";
import { TvmError } from "../../../src/tvm/errors.ts";
import { type Deferred, deferred } from "../suite/deferred.ts";

interface Running {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: Error) => void;
}

/** A thread whose runs end when the test says so. */
export class FakeThread implements Thread {
  readonly opened: Promise<void>;
  readonly jobs: Job[] = [];
  destroyedBy: Error | undefined;
  #isUsable = true;
  #running: Running | undefined;
  readonly #opening: Deferred = deferred();
  #failOpening: (reason: Error) => void = () => {};

  /** Opens at once unless told to wait for `open`. */
  constructor(opening: "at once" | "later" = "at once") {
    this.opened = new Promise((resolve, reject) => {
      this.#opening.promise.then(resolve);
      this.#failOpening = reject;
    });
    this.opened.catch(() => {});
    if (opening === "at once") this.open();
  }

  get isUsable(): boolean {
    return this.#isUsable && this.destroyedBy === undefined;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  open(): void {
    this.#opening.resolve();
  }

  run(job: Job): Promise<Answer> {
    if (this.destroyedBy !== undefined) return Promise.reject(this.destroyedBy);
    this.jobs.push(job);
    return new Promise((resolve, reject) => {
      this.#running = { resolve, reject };
    });
  }

  destroy(reason: Error): void {
    this.destroyedBy ??= reason;
    this.#failOpening(reason);
    this.#settle()?.reject(reason);
  }

  /** Ends the run with an answer that carries this text. */
  end(log = ""): void {
    this.#settle()?.resolve(fakeAnswer(log));
  }

  /** Ends the run as a machine does that breaks under it. */
  crash(): void {
    this.#isUsable = false;
    this.#settle()?.reject(new TvmError("tvm/crash", "broken by the test"));
  }

  /** The run ends well but leaves the thread too large. */
  wearOut(): void {
    this.#isUsable = false;
    this.end();
  }

  #settle(): Running | undefined {
    const running = this.#running;
    this.#running = undefined;
    return running;
  }
}

export function fakeAnswer(log = ""): Answer {
  return { output: {}, marks: { sawConfigRoot: false, missedLibrary: false }, log };
}

/** A job that no machine will see. */
export const fakeJob: Job = {
  kind: "getMethod",
  config: { key: "", boc: "" },
  previousBlocks: undefined,
  parameters: "",
  stack: "",
  wantsLog: false,
};
