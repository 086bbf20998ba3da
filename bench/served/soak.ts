import { setTimeout } from "node:timers/promises";
import { deploySelfCalling, post } from "../../kit/attacks/selfCallingContract.ts";
import type { BenchContext, Benchmark } from "../kit/benchmark.ts";
import { once } from "../kit/databases.ts";
import { type LoadCounts, runLoad } from "../load/loadClients.ts";
import { samplePaths } from "./samplePaths.ts";
import { withLocalServer } from "./serveLocal.ts";

const group = "soak";
/** An hour by default, reported every twelfth of it. */
const seconds = Number(process.env.TONGATE_BENCH_SECONDS ?? 3_600);
const parts = 12;
/** Parts that are not compared: caches fill in them. */
const warmParts = 2;

interface SoakResult {
  readonly errors: number;
  /** The last part divided by the first after warming up. */
  readonly memoryGrowth: number;
  readonly p99Growth: number;
}

/** One server with a local network under mixed load: memory and p99 of a plain client, part by part. */
const measureSoak = once(() =>
  withLocalServer([], async (server): Promise<SoakResult> => {
    const counts: LoadCounts = { requests: 0, events: 0, errors: [] };
    const stop = new AbortController();
    await waitForTransactions(server.origin);
    const loading = [runLoad(server.origin, counts, stop.signal), giveCoins(server.origin, counts, stop.signal)];
    const reports: { readonly megabytes: number; readonly p99: number }[] = [];
    for (let part = 0; part < parts; part++) {
      const { v2, v3, failures } = await samplePaths(server.origin, (seconds / parts) * 1000);
      const { residentBytes, liveBytes, worstPieceMs } = await server.measure();
      v2.addAll(v3);
      reports.push({ megabytes: residentBytes / 1e6, p99: v2.percentile(99) });
      process.stdout.write(
        `  ${Math.round(((part + 1) * seconds) / parts)} s: resident ${Math.round(residentBytes / 1e6)} MB, ` +
          `live ${Math.round(liveBytes / 1e6)} MB, p99 ${v2.percentile(99).toFixed(1)} ms, ` +
          `longest piece ${worstPieceMs.toFixed(1)} ms, ${counts.requests} requests, ` +
          `${counts.errors.length + failures} errors\n`,
      );
    }
    stop.abort();
    await Promise.all(loading);
    for (const [text, count] of countEqual(counts.errors)) process.stdout.write(`  ${count} × ${text}\n`);
    const [from, to] = [reports[warmParts], reports.at(-1)];
    return {
      errors: counts.errors.length,
      memoryGrowth: (to?.megabytes ?? 0) / (from?.megabytes ?? 0),
      p99Growth: (to?.p99 ?? 0) / (from?.p99 ?? 0),
    };
  }),
);

/** Two gifts a second: each is a trace of three transactions to an account that does not exist yet. */
async function giveCoins(origin: string, counts: LoadCounts, signal: AbortSignal): Promise<void> {
  for (let number = 1; !signal.aborted; number++) {
    const gift = post(`${origin}/localnet/faucet`, { address: deploySelfCalling(1, number).to, amount: "1" });
    await gift.catch((error: unknown) => counts.errors.push(`${error}`));
    await setTimeout(500);
  }
}

/** Errors by text without the numbers in it, most frequent first. */
function countEqual(errors: readonly string[]): readonly (readonly [text: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const error of errors) {
    const text = error.replace(/\d+/g, "…").slice(0, 200);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one);
}

async function waitForTransactions(origin: string): Promise<void> {
  const path = `${origin}/api/v3/transactions?limit=50`;
  while ((Object(await (await fetch(path)).json()).transactions ?? []).length < 50) await setTimeout(500);
}

function row(name: string, unit: string, mark: number, read: (of: SoakResult) => [number, number]): Benchmark {
  const measure = async () => {
    const [value, ratio] = read(await measureSoak());
    return { value, ratio };
  };
  return { name, group, unit, baseline: "the third part", mark, measure };
}

/** It needs an hour, so it runs only when it is named. */
export function soakBenchmarks({ leaveOut }: BenchContext): readonly Benchmark[] {
  if (!process.argv.includes(group)) {
    leaveOut(`${group}: runs only by its name; TONGATE_BENCH_SECONDS sets its duration (${seconds})`);
    return [];
  }
  return [
    row("requests without an error", "errors", 1, ({ errors }) => [errors, errors === 0 ? 1 : 0]),
    row("memory stays", "times", 0.9, ({ memoryGrowth }) => [memoryGrowth, 1 / memoryGrowth]),
    row("p99 stays", "times", 0.5, ({ p99Growth }) => [p99Growth, 1 / p99Growth]),
  ];
}
