import { readFileSync } from "node:fs";
import { runTolkCompiler } from "@ton/tolk-js";
import { readRoot } from "../../../src/cell/boc.ts";
import type { CompiledListing, ListedFile } from "../../../src/contracts/abi/source/SourceMap.ts";
import { fromBase64 } from "../../../src/lib/bytes.ts";

/**
 * Compiles a file with what it imports, as the process of the compiler does; `undefined` for one that is imported only.
 */
export async function listTolk(
  entry: string,
  read: (name: string) => string = (name) => readFileSync(name, "utf8"),
): Promise<CompiledListing | undefined> {
  const files: ListedFile[] = [];
  let lineOffset = 20_000;
  const result = await runTolkCompiler({
    entrypointFileName: entry,
    withStackComments: true,
    withSrcLineComments: true,
    fsReadCallback: (name) => {
      const text = read(name);
      files.push({ name, text, lineOffset });
      const shifted = "\n".repeat(lineOffset) + text;
      lineOffset += text.split("\n").length;
      return shifted;
    },
  });
  if (result.status === "error") {
    if (result.message.includes("has no entrypoint")) return undefined;
    throw new Error(result.message);
  }
  return { code: readRoot(fromBase64(result.codeBoc64)), fift: result.fiftCode, files };
}
