import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import type { PGliteOptions } from "@electric-sql/pglite";
import { lowerMemory } from "./lowerMemory.ts";
import type { CompiledEngine } from "./protocol.ts";

const pageBytes = 64 * 1024;
/**
 * The engine's initial memory; it grows as needed. The default is 128 MB, and creating the files copies it several
 * times, which is most of the memory this takes.
 */
const firstPages = 512;

/**
 * The engine's hot functions are compiled again with optimisations while it runs; large ones take tens of megabytes,
 * and every compiler thread keeps them. One thread is enough, because they are few.
 */
const oneAtATime = "--wasm-num-compilation-tasks=1";

/** Compiles the built-in engine; a version whose memory size cannot be changed is used as it is. */
export async function compileEngine(): Promise<CompiledEngine> {
  const program = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  const code = await readFile(join(program, "..", "pglite.wasm"));
  const isLowered = lowerMemory(code, firstPages);
  setFlagsFromString(oneAtATime);
  const module = await WebAssembly.compile(code);
  return { module, memoryBytes: isLowered ? firstPages * pageBytes : undefined };
}

/** Options of the engine that make it use precompiled code. */
export function engineOptions({ module, memoryBytes }: CompiledEngine): PGliteOptions {
  return { pgliteWasmModule: module, ...(memoryBytes !== undefined && { initialMemory: memoryBytes }) };
}
