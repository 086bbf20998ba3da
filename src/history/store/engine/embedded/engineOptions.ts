import type { PGliteOptions } from "@electric-sql/pglite";
import type { CompiledEngine } from "./protocol.ts";

/** Options of the engine that make it use precompiled code. */
export function engineOptions({ module, memoryBytes }: CompiledEngine): PGliteOptions {
  return { pgliteWasmModule: module, ...(memoryBytes !== undefined && { initialMemory: memoryBytes }) };
}
