import type { VmLogMarks } from "./vmLog.ts";

/** Something as the machine reads it; `boc` is left out when the worker already has what `key` stands for. */
export interface NamedText {
  readonly key: string;
  readonly boc: string | undefined;
}

interface AnyJob {
  readonly config: NamedText;
  /** Blocks that code may ask for; none for a get-method that is not told any. */
  readonly previousBlocks: NamedText | undefined;
  /** JSON, as the machine takes it, but without the previous blocks. */
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

/** What a worker keeps by name between jobs. */
export type Kept = "config" | "previousBlocks";

/** What a worker is told: to run, or that something it keeps will not be named again. */
export type Order =
  | { readonly kind: "run"; readonly job: Job }
  | { readonly kind: "forget"; readonly what: Kept; readonly key: string };

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
