import { gzipSync } from "node:zlib";
import type { Benchmark } from "../kit/benchmark.ts";
import { once } from "../kit/databases.ts";
import { bundleChecks } from "./browserReceiver.ts";

/**
 * What a page loads for a check: the chunks, with all that they import, and the kilobytes that they should have at
 * most.
 */
const stages: readonly (readonly [name: string, kilobytes: number | undefined, ...chunks: readonly string[]])[] = [
  ["the client without checks", 3.3, "client"],
  ["balances and states", 40, "checks"],
  ["code and data of accounts", undefined, "checks", "accounts"],
  ["get-methods", 80, "checks", "machine", "methods"],
  ["emulation", 95, "checks", "emulation"],
];

/** The code of the checks in browsers, besides the client itself. */
export function sizeBenchmarks(): readonly Benchmark[] {
  const bundle = once(() => bundleChecks("client"));
  return stages.map(([name, kilobytes, ...chunks]) => ({
    ...{ name: `${name}: code in a page, compressed`, group: "sizes", unit: "bytes" },
    ...(kilobytes === undefined ? { baseline: "—", mark: undefined } : { baseline: `${kilobytes} KB`, mark: 1 }),
    measure: async () => {
      const files = await bundle();
      const [client] = files;
      const codes = new Map(files.map(({ fileName, code }) => [fileName, code]));
      const isWanted = (fileName: string) => chunks.some((chunk) => fileName.startsWith(`check-${chunk}-`));
      const loaded = new Set([...codes.keys()].filter(isWanted));
      // What is imported is loaded as well; the client itself is there. What is loaded on demand is not counted.
      for (const fileName of loaded) {
        for (const [, imported = ""] of (codes.get(fileName) ?? "").matchAll(/from\s*["'`]\.\/([^"'`]+)["'`]/g))
          if (imported !== client?.fileName) loaded.add(imported);
      }
      const bytes = [...loaded].reduce((sum, each) => sum + gzipSync(codes.get(each) ?? "").length, 0);
      return { value: bytes, ratio: ((kilobytes ?? 0) * 1000) / bytes };
    },
  }));
}
