import { type Benchmark, type Measured, median } from "./kit/benchmark.ts";
import { DirectStage } from "./streaming/DirectStage.ts";
import { PlainStage } from "./streaming/PlainStage.ts";
import type { StreamStage } from "./streaming/StreamStage.ts";
import { measureServed } from "./streaming/servedDelay.ts";

const group = "streaming";

async function within<S extends StreamStage, T>(stage: S, work: (stage: S) => Promise<T>): Promise<T> {
  try {
    return await work(stage);
  } finally {
    await stage.close();
  }
}

interface Rates {
  readonly perSecond: number;
  /** Microseconds of CPU time of this process an event. */
  readonly cpu: number;
}

/** Sends blocks to this many connections, one as soon as the readers have the one before. */
async function measureRates(stage: StreamStage, connections: number): Promise<Rates> {
  await stage.open(connections);
  const blocks = Math.max(20, Math.ceil(8_000 / connections));
  await stage.run(Math.max(5, blocks / 4), connections);
  const cpu = process.cpuUsage();
  const seconds = await stage.run(blocks, connections);
  const { user, system } = process.cpuUsage(cpu);
  const events = blocks * connections;
  return { perSecond: events / seconds, cpu: (user + system) / events };
}

interface Round {
  readonly ours: Rates;
  readonly plain: Rates;
}

/** Two lines of the report come from the same rounds. */
const races = new Map<number, Promise<readonly Round[]>>();

function race(connections: number): Promise<readonly Round[]> {
  const known = races.get(connections) ?? measureRounds(connections);
  races.set(connections, known);
  return known;
}

/** Ours and the baseline in turns, so that a slower machine slows both. */
async function measureRounds(connections: number): Promise<readonly Round[]> {
  const rounds: Round[] = [];
  for (let round = 0; round < 3; round++) {
    const plain = await within(new PlainStage(), (stage) => measureRates(stage, connections));
    const ours = await within(new DirectStage(), (stage) => measureRates(stage, connections));
    rounds.push({ ours, plain });
  }
  return rounds;
}

async function measureEvents(connections: number): Promise<Measured> {
  const rounds = await race(connections);
  return {
    value: median(rounds.map(({ ours }) => ours.perSecond)),
    ratio: median(rounds.map(({ ours, plain }) => ours.perSecond / plain.perSecond)),
  };
}

async function measureCpu(connections: number): Promise<Measured> {
  const rounds = await race(connections);
  return {
    value: median(rounds.map(({ ours }) => ours.cpu)),
    ratio: median(rounds.map(({ ours, plain }) => plain.cpu / ours.cpu)),
  };
}

function measureMemory(): Promise<Measured> {
  return within(new DirectStage(), async (stage) => {
    const connections = 2_000;
    await stage.open(10);
    await stage.run(3, 10);
    const before = process.memoryUsage().rss;
    await stage.open(connections);
    await stage.run(3, connections + 10);
    const kilobytes = (process.memoryUsage().rss - before) / 1024 / connections;
    return { value: kilobytes, ratio: 50 / kilobytes };
  });
}

/** Events a second to 100 connections beside some that never read, against the same without them. */
async function measureBeside(idle: number): Promise<Measured> {
  const ratios: number[] = [];
  const rates: number[] = [];
  for (let round = 0; round < 3; round++) {
    const alone = await within(new DirectStage(), (stage) => measureRates(stage, 100));
    const beside = await within(new DirectStage(), async (stage) => {
      await stage.open(idle, false);
      // They have as much waiting as they may have before anything is measured.
      await stage.fill();
      return measureRates(stage, 100);
    });
    rates.push(beside.perSecond);
    ratios.push(beside.perSecond / alone.perSecond);
  }
  return { value: median(rates), ratio: median(ratios) };
}

const plain = "node:http, same bytes";

const rates = (connections: number): readonly Benchmark[] => [
  {
    name: `events to ${connections} connections`,
    ...{ group, unit: "events/s", baseline: plain, mark: 0.5 },
    measure: () => measureEvents(connections),
  },
  {
    name: `CPU of an event to ${connections} connections`,
    ...{ group, unit: "µs", baseline: plain, mark: 0.5 },
    measure: () => measureCpu(connections),
  },
];

export const benchmarks: readonly Benchmark[] = [
  // First, while the process has no garbage whose end would be taken for memory given back.
  {
    name: "memory of a connection",
    ...{ group, unit: "KB", baseline: "50 KB", mark: 1 },
    measure: measureMemory,
  },
  ...[1, 100, 2_000].flatMap(rates),
  {
    name: "events to 100 beside 20 that never read",
    ...{ group, unit: "events/s", baseline: "the same without them", mark: 0.9 },
    measure: () => measureBeside(20),
  },
  {
    name: "block to event, index included, p99",
    ...{ group, unit: "ms", baseline: "300 ms", mark: 1 },
    measure: () => measureServed(0),
  },
  {
    name: "the same beside 20 that never read",
    ...{ group, unit: "ms", baseline: "300 ms", mark: 1 },
    measure: () => measureServed(20),
  },
];
