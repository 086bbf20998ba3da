import { readFileSync } from "node:fs";
import { runTolkCompiler } from "@ton/tolk-js";
import { readRoot } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { fromBase64 } from "../../../src/lib/bytes.ts";

export function compileTolk(path: string): Promise<Cell> {
  return compile(path, (name) => readFileSync(name, "utf8"));
}

/** Compiles files that are texts, by their names. */
export function compileTolkText(entry: string, texts: ReadonlyMap<string, string>): Promise<Cell> {
  return compile(entry, (name) => texts.get(name) ?? "");
}

async function compile(entrypointFileName: string, fsReadCallback: (name: string) => string): Promise<Cell> {
  const result = await runTolkCompiler({ entrypointFileName, fsReadCallback });
  if (result.status === "error") throw new Error(result.message);
  return readRoot(fromBase64(result.codeBoc64));
}
