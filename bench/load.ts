import { setTimeout } from "node:timers/promises";
import type { Benchmark, Benchmarks } from "./kit/benchmark.ts";
import { once } from "./kit/databases.ts";
import { LoadStage } from "./load/LoadStage.ts";
import { type LoadCounts, runLoad } from "./load/loadClients.ts";

const group = "load";
/** How long the load lasts; ten minutes show whether memory grows. */
const seconds = Number(process.env.TONGATE_BENCH_SECONDS ?? 60);
const sampleMs = 2_000;

interface LoadResult {
  readonly counts: LoadCounts;
  readonly perSecond: number;
  /**
   * Resident memory in the last quarter, divided by that in the second quarter, of the indexer or answering process
   * that grew most.
   */
  readonly growth: number;
}

/** Two answering processes and one indexer on one PostgreSQL, behind a proxy that takes turns, under mixed load. */
const measureLoad = once(async (): Promise<LoadResult> => {
  const stage = await LoadStage.open();
  const counts: LoadCounts = { requests: 0, events: 0, errors: [] };
  const stop = new AbortController();
  const samples: ReadonlyMap<string, number>[] = [];
  try {
    const loading = runLoad(stage.origin, counts, stop.signal);
    const end = performance.now() + seconds * 1000;
    while (performance.now() < end) {
      await setTimeout(sampleMs);
      samples.push(stage.resident());
    }
    stop.abort();
    await loading;
    counts.errors.push(...stage.fallen());
  } finally {
    await stage.close();
  }
  const grown = growthOf(samples);
  for (const line of describe(counts, grown, samples)) process.stdout.write(`  ${line}\n`);
  // The network is only the source of blocks, and keeps its chain in memory.
  const measured = [...grown].filter(([name]) => name !== "network").map(([, growth]) => growth);
  return { counts, perSecond: counts.requests / seconds, growth: Math.max(...measured) };
});

function growthOf(samples: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const quarter = Math.floor(samples.length / 4);
  const names = [...(samples[0]?.keys() ?? [])];
  const median = (name: string, from: number) => {
    const part = samples.slice(from, from + quarter).map((sample) => sample.get(name) ?? 0);
    return part.toSorted((a, b) => a - b)[part.length >> 1] ?? 0;
  };
  return new Map(names.map((name) => [name, median(name, samples.length - quarter) / median(name, quarter)]));
}

function describe(
  counts: LoadCounts,
  grown: ReadonlyMap<string, number>,
  samples: readonly ReadonlyMap<string, number>[],
): readonly string[] {
  const megabytes = (name: string, at: number) => `${Math.round((samples.at(at)?.get(name) ?? 0) / 2 ** 20)} MB`;
  return [
    `${counts.requests} requests, ${counts.events} events, ${counts.errors.length} errors in ${seconds} s`,
    ...[...grown].map(
      ([name, growth]) =>
        `memory of ${name}: ${megabytes(name, 0)} at the start, ${megabytes(name, -1)} at the end, the last quarter ${growth.toFixed(2)} times the second`,
    ),
    ...counts.errors.slice(0, 10),
  ];
}

/** The named result of the one run that all of these share. */
function result(name: string, unit: string, mark: number, read: (result: LoadResult) => [number, number]): Benchmark {
  const measure = async () => {
    const [value, ratio] = read(await measureLoad());
    return { value, ratio };
  };
  return { name, group, unit, baseline: "none", mark, measure };
}

/** It needs minutes and several processes, so it runs only when it is named. */
export const benchmarks: Benchmarks = ({ leaveOut }) => {
  if (!process.argv.includes(group)) {
    leaveOut(`${group}: runs only by its name; TONGATE_BENCH_SECONDS sets its duration (${seconds})`);
    return [];
  }
  return [
    result("requests without an error", "errors", 1, ({ counts }) => [
      counts.errors.length,
      counts.errors.length === 0 ? 1 : 0,
    ]),
    result("memory stays", "times", 0.9, ({ growth }) => [growth, 1 / growth]),
    result("requests of four clients", "per second", 0, ({ perSecond }) => [perSecond, 1]),
  ];
};
