import { Worker } from "node:worker_threads";
import { isCoded } from "../../../../lib/errors.ts";
import { Lifetime } from "../../../../lib/Lifetime.ts";
import { HistoryError } from "../../../errors.ts";
import { databaseError } from "../../databaseErrors.ts";
import { databaseWorkerUrl } from "./databaseWorkerUrl.ts";
import { explainFailure } from "./explainFailure.ts";
import type { EngineRows, ThreadReply, ThreadRequest, ThreadStart } from "./protocol.ts";

/** The memory of a request that is transferred, not copied. */
function listBytes(request: ThreadRequest): ArrayBuffer[] {
  if (request.kind === "several") return request.statements.flatMap(listBytes);
  return request.kind === "copy" ? [request.bytes.buffer] : [];
}

interface Waiting {
  readonly resolve: (found: EngineRows | undefined) => void;
  readonly reject: (reason: Error) => void;
}

/** Garbage of each request is small: a larger young generation would only take memory. */
const resourceLimits = { maxYoungGenerationSizeMb: 6 };

/** The thread of the built-in engine. It takes one request at a time; when the thread ends, the request fails. */
export class EngineThread {
  readonly opened: Promise<void>;
  /** Resolves when the thread has ended. */
  readonly gone: Promise<void>;
  readonly #worker: Worker;
  /** The request in progress is its work. */
  readonly #lifetime = new Lifetime((reason) => reason);
  readonly #files: string;
  #waiting: Waiting | undefined;

  constructor(start: ThreadStart) {
    this.#files = start.folder;
    // The thread gets nothing of the process's environment; the engine's warnings and notices are not logged.
    this.#worker = new Worker(databaseWorkerUrl, { workerData: start, resourceLimits, stdout: true, stderr: true });
    this.opened = this.#answer().then(() => {});
    // The opener gets the failure; others need not listen.
    this.opened.catch(() => {});
    this.#worker.on("message", (reply: ThreadReply) => this.#hear(reply));
    this.#worker.on("error", (cause) => {
      this.#end(explainFailure(cause, this.#files));
    });
    this.gone = new Promise((resolve) => {
      this.#worker.on("exit", () => {
        this.#end(new HistoryError("history/database", "the thread of the built-in database ended"));
        resolve();
      });
    });
  }

  /** Whether the thread accepts requests. */
  get isAlive(): boolean {
    return this.#lifetime.isOpen;
  }

  send(request: ThreadRequest): Promise<EngineRows | undefined> {
    const answer = this.#answer();
    if (this.isAlive) this.#worker.postMessage(request, listBytes(request));
    return answer;
  }

  /** Ends the thread at once; the request in progress fails with this reason. Uncommitted changes are lost. */
  async destroy(reason: Error): Promise<void> {
    this.#end(reason);
    await this.#worker.terminate();
  }

  #answer(): Promise<EngineRows | undefined> {
    const answered = (): Promise<EngineRows | undefined> =>
      new Promise((resolve, reject) => {
        this.#waiting = { resolve, reject };
      });
    return this.#lifetime.run(answered, (reason) => this.#waiting?.reject(reason));
  }

  #hear(reply: ThreadReply): void {
    if (reply.kind === "broken") {
      this.#end(databaseError(reply, "the thread of the built-in database ended"));
      return;
    }
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (reply.kind === "failed") waiting?.reject(this.#explain(reply));
    else waiting?.resolve(reply.kind === "done" ? reply.found : undefined);
  }

  /** An error without a state was thrown inside the engine, and a damaged page names no way out. */
  #explain(reply: { readonly code: string | undefined; readonly message: string }): Error {
    const error = databaseError(reply, "a statement");
    const isOfFiles = reply.code === undefined || isCoded(error, "history/damaged") || isCoded(error, "history/denied");
    return isOfFiles ? explainFailure(reply, this.#files) : error;
  }

  #end(reason: Error): void {
    this.#lifetime.destroy(reason);
    this.#waiting = undefined;
  }
}
