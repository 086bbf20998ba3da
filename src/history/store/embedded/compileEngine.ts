import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { lowerMemory } from "./lowerMemory.ts";
import type { CompiledEngine } from "./protocol.ts";

const pageBytes = 64 * 1024;
/**
 * What the engine begins with; it grows with its need. By itself it takes 128 MB, and while its files are made it copies
 * that several times, which is most of the memory that this takes.
 */
const firstPages = 512;

/**
 * What of the engine is used most is compiled again, better, while it runs; its large functions take tens of megabytes
 * for that, and every thread that does it keeps what it took. One at a time is as soon done, for they are few.
 */
const oneAtATime = "--wasm-num-compilation-tasks=1";

/** Compiles the built-in engine; a version that does not let its memory be chosen is taken as it is. */
export async function compileEngine(): Promise<CompiledEngine> {
  const program = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  const code = await readFile(join(program, "..", "pglite.wasm"));
  const isLowered = lowerMemory(code, firstPages);
  setFlagsFromString(oneAtATime);
  const module = await WebAssembly.compile(code);
  return { module, memoryBytes: isLowered ? firstPages * pageBytes : undefined };
}
