import type { VmLogMarks } from "./vmLog.ts";

/** A configuration as the machine reads it; `boc` is left out when the worker already has what `key` stands for. */
export interface ConfigText {
  readonly key: string;
  readonly boc: string | undefined;
}

interface AnyJob {
  readonly config: ConfigText;
  /** JSON, as the machine takes it. */
  readonly parameters: string;
  /** Whether the log is to be handed back, not only what its marks are. */
  readonly wantsLog: boolean;
}

/** A get-method; cells are base64 bags. */
export interface GetMethodJob extends AnyJob {
  readonly kind: "getMethod";
  readonly stack: string;
}

/** A transaction; the message is empty for a tick or a tock, which the parameters tell. */
export interface TransactionJob extends AnyJob {
  readonly kind: "transaction";
  readonly verbosity: number;
  readonly libraries: string;
  readonly account: string;
  readonly message: string;
}

export type Job = GetMethodJob | TransactionJob;

/** What a worker is told: to run, or that a configuration will not be named again. */
export type Order = { readonly kind: "run"; readonly job: Job } | { readonly kind: "forget"; readonly key: string };

/** How a run ended: the fields of the machine's answer, except the log. */
export interface Answer {
  readonly output: Readonly<Record<string, unknown>>;
  readonly marks: VmLogMarks;
  /** Empty when it was not wanted. */
  readonly log: string;
}

/** What a worker tells: that it can run, how a run ended, or that its machine broke and must not be used again. */
export type Reply =
  | { readonly kind: "ready" }
  | { readonly kind: "ended"; readonly answer: Answer; readonly memoryBytes: number }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "broken"; readonly reason: string };

/** What a worker is started with. */
export interface WorkerStart {
  readonly module: WasmModule;
}
