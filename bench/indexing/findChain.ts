import { existsSync } from "node:fs";
import { join } from "node:path";
import type { BenchContext } from "../kit/benchmark.ts";

/**
 * The folder of a recorded chain: a long one of the corpus, or the short one of the tests, whose figures mean little.
 */
export function findChain(corpus: string | undefined, leaveOut: BenchContext["leaveOut"]): string {
  const long = join(corpus ?? "", "realnet");
  if (corpus !== undefined && existsSync(join(long, "index.json"))) return long;
  leaveOut("a long recorded chain needs the corpus; a chain of 229 transactions measures mostly the start");
  return join(process.cwd(), "test/fixtures/realnet/split");
}
