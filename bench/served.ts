import type { Benchmarks } from "./kit/benchmark.ts";
import { floodBenchmarks } from "./served/flood.ts";
import { heavyCallerBenchmarks } from "./served/heavyCaller.ts";
import { soakBenchmarks } from "./served/soak.ts";

/** Servers under attack, beside a heavy caller, and under ordinary load for minutes or hours. */
export const benchmarks: Benchmarks = (context) => [
  ...floodBenchmarks(context),
  ...heavyCallerBenchmarks,
  ...soakBenchmarks(context),
];
