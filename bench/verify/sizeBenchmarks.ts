import { gzipSync } from "node:zlib";
import type { Benchmark } from "../kit/benchmark.ts";
import { once } from "../kit/databases.ts";
import { bundleChecks } from "./browserReceiver.ts";

/** What a page loads for a check: the chunks, and the kilobytes that they should have at most, compressed. */
const stages: readonly (readonly [name: string, kilobytes: number, ...chunks: readonly string[]])[] = [
  ["balances and states", 40, "cells", "checks"],
  ["get-methods", 80, "cells", "checks", "shared", "machine"],
  ["emulation", 95, "cells", "checks", "shared", "machine", "emulation"],
];

/** The code of the checks in browsers, besides the client itself. */
export function sizeBenchmarks(): readonly Benchmark[] {
  const bundle = once(() => bundleChecks("client"));
  return stages.map(([name, kilobytes, ...chunks]) => ({
    ...{ name: `${name}: code in a page, compressed`, group: "verify", unit: "bytes" },
    ...{ baseline: `${kilobytes} KB`, mark: 1 },
    measure: async () => {
      const files = await bundle();
      const isWanted = (fileName: string) => chunks.some((chunk) => fileName.startsWith(`check-${chunk}-`));
      const wanted = files.filter(({ fileName }) => isWanted(fileName));
      const bytes = wanted.reduce((sum, { code }) => sum + gzipSync(code).length, 0);
      return { value: bytes, ratio: (kilobytes * 1000) / bytes };
    },
  }));
}
