import type { AttackedProcess, Measurements } from "../../kit/attacks/attackedProcess.ts";
import { beginSelfCalling, deploySelfCalling, post } from "../../kit/attacks/selfCallingContract.ts";
import type { BenchContext, Benchmark } from "../kit/benchmark.ts";
import { once } from "../kit/databases.ts";
import { type PathSample, samplePaths } from "./samplePaths.ts";
import { withLocalServer } from "./serveLocal.ts";

const group = "flood";
const wantedMessages = Number(process.env.TONGATE_BENCH_MESSAGES ?? 300_000);
const idleMs = 20_000;
const sampleMs = 10_000;
const maxPieceMs = 50;
const maxMegabytes = 1_500;
/** The pace of blocks, and the one while messages become more. */
const paceMs = 1_000;
const fillMs = 200;

/** A local network with a contract that calls itself, until as many messages wait as are wanted. */
interface FloodResult {
  readonly idle: PathSample;
  readonly flooded: PathSample;
  readonly worstPieceMs: number;
  readonly highestBytes: number;
  /** Rounds until a transfer of another wallet was executed. */
  readonly rounds: number;
}

const measureFlood = once(() =>
  withLocalServer(["--demo", "off"], async (server): Promise<FloodResult> => {
    const { origin } = server;
    await samplePaths(origin, sampleMs);
    const idle = await samplePaths(origin, idleMs);
    process.stdout.write(`  idle: p95 of v2 and v3 ${percentiles(idle)} ms\n`);
    // The start of the program is no part of it.
    await server.measure();
    await beginSelfCalling(origin, 250);
    await setPace(origin, fillMs);
    const pieces = await untilWaiting(server);
    await setPace(origin, paceMs);
    await server.measure();
    const flooded = await samplePaths(origin, idleMs);
    const last = await server.measure();
    const rounds = await roundsOfTransfer(origin);
    const all = [...pieces, last];
    return {
      ...{ idle, flooded, rounds },
      worstPieceMs: Math.max(...all.map(({ worstPieceMs }) => worstPieceMs)),
      highestBytes: Math.max(...all.map(({ highestBytes }) => highestBytes)),
    };
  }),
);

async function untilWaiting(server: AttackedProcess): Promise<readonly Measurements[]> {
  const measured: Measurements[] = [];
  for (let waiting = 0; waiting < wantedMessages; ) {
    const sample = await samplePaths(server.origin, sampleMs);
    const measurements = await server.measure();
    waiting = await countWaiting(server.origin);
    measured.push(measurements);
    const { worstPieceMs, residentBytes } = measurements;
    process.stdout.write(
      `  ${waiting} waiting: longest piece ${worstPieceMs.toFixed(1)} ms, resident ${Math.round(residentBytes / 1e6)} MB, ` +
        `p95 of v2 and v3 ${percentiles(sample)} ms, ${sample.failures} failures\n`,
    );
  }
  return measured;
}

function percentiles({ v2, v3 }: PathSample): string {
  return [v2, v3].map((each) => each.percentile(95).toFixed(1)).join(" and ");
}

function setPace(origin: string, blockMs: number): Promise<void> {
  return post(`${origin}/localnet/blockTime`, { block_ms: blockMs });
}

async function countWaiting(origin: string): Promise<number> {
  const { result } = Object(await (await fetch(`${origin}/api/v2/getOutMsgQueueSize`)).json());
  const shards: readonly { readonly size: number }[] = result?.shards ?? [];
  return shards.reduce((sum, { size }) => sum + size, 0);
}

async function headOf(origin: string): Promise<number> {
  return Object(await (await fetch(`${origin}/api/v2/getMasterchainInfo`)).json()).result.last.seqno;
}

/** A gift of the faucet is a transfer of the giver's wallet: the answer comes when the wallet has sent it. */
async function roundsOfTransfer(origin: string): Promise<number> {
  const before = await headOf(origin);
  await post(`${origin}/localnet/faucet`, { address: deploySelfCalling(1, 1).to, amount: "1" });
  return (await headOf(origin)) - before;
}

function row(name: string, unit: string, baseline: string, limit: number, read: (of: FloodResult) => number) {
  const measure = async () => {
    const value = read(await measureFlood());
    return { value, ratio: limit / Math.max(value, 0.01) };
  };
  return { name, group, unit, baseline, mark: 1, measure } satisfies Benchmark;
}

const slower = (version: "v2" | "v3") =>
  row(`p95 of ${version} over idle`, "times", "3 times", 3, (of) => {
    return of.flooded[version].percentile(95) / of.idle[version].percentile(95);
  });

/** It needs minutes, so it runs only when it is named. */
export function floodBenchmarks({ leaveOut }: BenchContext): readonly Benchmark[] {
  if (!process.argv.includes(group)) {
    leaveOut(`${group}: runs only by its name; TONGATE_BENCH_MESSAGES sets how many wait (${wantedMessages})`);
    return [];
  }
  return [
    row("longest piece", "ms of CPU", `${maxPieceMs} ms`, maxPieceMs, (of) => of.worstPieceMs),
    slower("v2"),
    slower("v3"),
    row("answers other than 200", "answers", "none", 0.01, (of) => of.flooded.failures),
    row("rounds until another transfer", "rounds", "3 rounds", 3, ({ rounds }) => rounds),
    row("highest resident memory", "MB", `${maxMegabytes} MB`, maxMegabytes, (of) => of.highestBytes / 1e6),
  ];
}
