import type { Benchmark } from "../kit/benchmark.ts";
import { once } from "../kit/databases.ts";
import { cpuOf, measureProcesses, type ProcessesPass } from "./measureProcesses.ts";

const group = "processes";
const processCounts = [1, 2, 4, 8];
/** Near-linear: a transaction costs several processes at most a quarter more than one. */
const leastEfficiency = 0.8;

/**
 * A chain of the local network, indexed by 1, 2, 4 and 8 processes. Where there are fewer cores than processes, rates
 * say nothing: the CPU time that a transaction takes in all processes and in the database shows what sharing the work
 * costs.
 */
export function processMarks(): readonly Benchmark[] {
  const run = once(() => measureProcesses(processCounts));
  const took: Benchmark = {
    ...{ name: `ingest with ${processCounts.join(", ")} processes: measured in`, group, unit: "s", mark: undefined },
    baseline: "at most 600",
    measure: async () => {
      const { seconds } = await run();
      return { value: seconds, ratio: 600 / seconds };
    },
  };
  const costOfOne = (pass: ProcessesPass) => pass.processSeconds / pass.transactions;
  return processCounts.flatMap((count): readonly Benchmark[] => {
    const of = async (programs: number): Promise<ProcessesPass> => {
      const pass = (await run()).passes.get(programs);
      if (pass === undefined) throw new Error(`${programs} processes were not measured`);
      return pass;
    };
    /** Less is better, and one process in the same run is the baseline. */
    const compared = (name: string, read: (pass: ProcessesPass) => number, mark?: number): Benchmark => ({
      ...{ name: `ingest with ${count} processes, ${name}`, group, unit: "µs/tx", mark, baseline: "one process" },
      measure: async () => {
        const value = read(await of(count));
        return { value: value * 1e6, ratio: read(await of(1)) / value };
      },
    });
    const rate = ({ transactions, seconds }: ProcessesPass) => transactions / seconds;
    return [
      ...(count === processCounts[0] ? [took] : []),
      {
        ...{ name: `ingest with ${count} processes`, group, unit: "tx/s", mark: undefined },
        baseline: `${count} times one process`,
        measure: async () => {
          const value = rate(await of(count));
          return { value, ratio: value / (count * rate(await of(1))) };
        },
      },
      {
        ...{ name: `ingest with ${count} processes, CPU of one core`, group, unit: "tx/s", mark: 1 },
        baseline: "at least 3000; 480 to 1,350 before",
        measure: async () => {
          const value = 1 / costOfOne(await of(count));
          return { value, ratio: value / 3_000 };
        },
      },
      compared("CPU of the processes", costOfOne),
      compared("CPU of the database", (pass) => pass.databaseSeconds / pass.transactions),
      compared("CPU in all", (pass) => cpuOf(pass) / pass.transactions, leastEfficiency),
    ];
  });
}
