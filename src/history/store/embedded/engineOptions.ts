import type { PGliteOptions } from "@electric-sql/pglite";
import type { CompiledEngine } from "./protocol.ts";

/** The engine's own options by which it runs code that is compiled already. */
export function engineOptions({ module, memoryBytes }: CompiledEngine): PGliteOptions {
  return { pgliteWasmModule: module, ...(memoryBytes !== undefined && { initialMemory: memoryBytes }) };
}
