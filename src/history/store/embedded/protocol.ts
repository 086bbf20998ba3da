/** The engine's code, compiled once for all threads that run it, and the memory it begins with. */
export interface CompiledEngine {
  /** A module of WebAssembly. */
  readonly module: object;
  /** Unset: as much as the engine takes by itself. */
  readonly memoryBytes: number | undefined;
}

/** How the thread of the built-in engine is started. */
export interface ThreadStart {
  readonly engine: CompiledEngine;
  /** The folder of its files. */
  readonly folder: string;
}

/** What the thread is told, one thing at a time. */
export type ThreadOrder =
  | { readonly kind: "query"; readonly sql: string; readonly params: readonly (string | null)[] }
  | { readonly kind: "run"; readonly sql: string }
  /** The bytes are all of their buffer, which is handed over. */
  | { readonly kind: "copy"; readonly sql: string; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "close" };

/** Rows as text, with the names of the columns and PostgreSQL's numbers for their types. */
export interface TextRows {
  readonly columns: readonly { readonly name: string; readonly type: number }[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** What the thread answers: `ready` once, then one reply for each order. */
export type ThreadReply =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly found: TextRows | undefined }
  | { readonly kind: "failed"; readonly code: string | undefined; readonly message: string }
  /** The last word: the thread ends. */
  | { readonly kind: "broken"; readonly code: string | undefined; readonly message: string };
