import type { Benchmarks } from "./kit/benchmark.ts";
import { floodBenchmarks } from "./served/flood.ts";
import { soakBenchmarks } from "./served/soak.ts";

/** A server with a local network for minutes or hours: under attack, and under ordinary load. */
export const benchmarks: Benchmarks = (context) => [...floodBenchmarks(context), ...soakBenchmarks(context)];
