/** The engine's code, compiled once for all threads, and its initial memory. */
export interface CompiledEngine {
  /** A module of WebAssembly. */
  readonly module: object;
  /** The engine's default when absent. */
  readonly memoryBytes: number | undefined;
}

/** How the thread of the built-in engine is started. */
export interface ThreadStart {
  readonly engine: CompiledEngine;
  /** The folder of its files. */
  readonly folder: string;
  /** How many files it may have open at a time. */
  readonly maxFiles: number;
}

/** A statement for the engine. */
export type EngineStatement =
  | {
      readonly kind: "query";
      readonly sql: string;
      readonly params: readonly (string | null)[];
      /** Whether the engine keeps the parsed statement and its plan for the next time. */
      readonly isKept: boolean;
    }
  | { readonly kind: "run"; readonly sql: string }
  /** The bytes fill their buffer, which is transferred. */
  | { readonly kind: "copy"; readonly sql: string; readonly bytes: Uint8Array<ArrayBuffer> };

/**
 * Requests to the thread, one at a time. Of several statements none runs after one that failed, and the rows are those
 * of the last one.
 */
export type ThreadRequest =
  | EngineStatement
  | { readonly kind: "several"; readonly statements: readonly EngineStatement[] }
  | { readonly kind: "close" };

/** Rows as the engine wrote them, with the names and type ids of their columns. */
export interface EngineRows {
  readonly columns: readonly { readonly name: string; readonly type: number }[];
  /** The whole answer, which fills its buffer; it is transferred. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Replies of the thread: `ready` once, then one for each request. */
export type ThreadReply =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly found: EngineRows | undefined }
  | { readonly kind: "failed"; readonly code: string | undefined; readonly message: string }
  /** The last reply: the thread ends. */
  | { readonly kind: "broken"; readonly code: string | undefined; readonly message: string };
