import { readFileSync } from "node:fs";
import { runTolkCompiler } from "@ton/tolk-js";
import { readRoot } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { fromBase64 } from "../../../src/lib/bytes.ts";

export async function compileTolk(path: string): Promise<Cell> {
  const result = await runTolkCompiler({
    entrypointFileName: path,
    fsReadCallback: (name) => readFileSync(name, "utf8"),
  });
  if (result.status === "error") throw new Error(result.message);
  return readRoot(fromBase64(result.codeBoc64));
}
