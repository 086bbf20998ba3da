import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type RecordedInterfaces, readFacts } from "../kit/contracts/corpusFacts.ts";
import { makeTrace, type RecordedTrace, type RecordedTransaction } from "../kit/model/corpusTrace.ts";
import { classify } from "../src/contracts/classify.ts";
import { type BenchContext, type Benchmark, benchmark } from "./kit/benchmark.ts";

interface TraceFile {
  readonly input: {
    readonly trace: RecordedTrace;
    readonly transactions: readonly RecordedTransaction[];
    readonly interfaces: RecordedInterfaces;
  };
}

/** All recorded traces with their recorded facts; the target is a thousand traces per second and core. */
export function benchmarks({ corpus, leaveOut }: BenchContext): readonly Benchmark[] {
  if (corpus === undefined) {
    leaveOut("no corpus");
    return [];
  }
  const inputs = readInputs(join(corpus, "traces"));
  const cases = inputs.map(({ trace, transactions, interfaces }) => ({
    trace: makeTrace(trace, transactions),
    facts: readFacts(interfaces),
  }));
  const texts = inputs.map((input) => JSON.stringify(input));
  return [
    benchmark({
      name: `classify ${cases.length} traces`,
      group: "actions",
      unit: "traces/s",
      amount: cases.length,
      baseline: { name: "JSON.parse of the traces", run: () => texts.map((text) => JSON.parse(text)).length },
      subject: { run: () => cases.map(({ trace, facts }) => classify(trace, facts)).length },
      mark: 0.2,
    }),
  ];
}

function readInputs(folder: string): TraceFile["input"][] {
  return readdirSync(folder)
    .filter((name) => name.includes("--"))
    .sort()
    .map((name) => (JSON.parse(readFileSync(join(folder, name), "utf8")) as TraceFile).input);
}
