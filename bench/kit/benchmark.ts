/** The result of one benchmark. */
export interface Measured {
  /** The subject's own result, in the unit. */
  readonly value: number;
  /** The subject's result divided by the baseline's: 2 is twice as good where more is better. */
  readonly ratio: number;
}

export interface TableCell {
  readonly row: string;
  readonly column: string;
  /** `ratio` is that to the baseline. */
  format(value: number, ratio: number): string;
}

/** One line of the report. */
export interface Benchmark {
  readonly name: string;
  readonly group: string;
  readonly unit: string;
  /** The name of the baseline, measured in the same run. */
  readonly baseline: string;
  /** The target ratio; none: the result is only shown. */
  readonly mark: number | undefined;
  /** Its place in a table that is printed at the end, as documents have it. */
  readonly cell?: TableCell;
  measure(): Promise<Measured>;
}

/** The context of a benchmark file that declares its benchmarks. */
export interface BenchContext {
  /** The folder of recorded chain data, if there is one. */
  readonly corpus: string | undefined;
  /** Reports why benchmarks are skipped. */
  leaveOut(reason: string): void;
}

/** The export `benchmarks` of a benchmark file. */
export type Benchmarks =
  | readonly Benchmark[]
  | ((context: BenchContext) => readonly Benchmark[] | Promise<readonly Benchmark[]>);

export interface BenchmarkDeclaration {
  readonly name: string;
  readonly group: string;
  readonly unit: string;
  /** The number of units per run, so that the value is units per second; one by default. */
  readonly amount?: number;
  readonly baseline: { readonly name: string; run(): unknown };
  readonly subject: { run(): unknown };
  readonly mark?: number;
}

/**
 * Declares a comparison: baseline and subject do the same work in turns; the ratio is how many times faster the subject
 * is.
 */
export function benchmark(declaration: BenchmarkDeclaration): Benchmark {
  const { name, group, unit, amount = 1, baseline, subject, mark } = declaration;
  const measure = async () => {
    const { subjectMs, ratio } = await race(baseline.run, subject.run);
    return { value: (amount * 1000) / subjectMs, ratio };
  };
  return { name, group, unit, baseline: baseline.name, mark, measure };
}

const roundMs = 60;
const warmUpMs = 250;
const rounds = { least: 3, max: 11, budgetMs: 12_000 };

/**
 * Both sides run in every round, so that a slower machine slows both; the median of the ratios is robust against single
 * disturbances.
 */
async function race(baseline: () => unknown, subject: () => unknown): Promise<{ subjectMs: number; ratio: number }> {
  const baselineRuns = await warmUp(baseline);
  const subjectRuns = await warmUp(subject);
  const subjectTimes: number[] = [];
  const ratios: number[] = [];
  const startedAt = performance.now();
  while (
    ratios.length < rounds.max &&
    (ratios.length < rounds.least || performance.now() - startedAt < rounds.budgetMs)
  ) {
    const baselineMs = await timeRuns(baseline, baselineRuns);
    const subjectMs = await timeRuns(subject, subjectRuns);
    subjectTimes.push(subjectMs);
    ratios.push(baselineMs / subjectMs);
  }
  return { subjectMs: median(subjectTimes), ratio: median(ratios) };
}

/** Runs until the engine has settled, and finds how many runs fill a round. */
async function warmUp(run: () => unknown): Promise<number> {
  let runs = 1;
  for (const startedAt = performance.now(); ; ) {
    const eachMs = await timeRuns(run, runs);
    runs = Math.max(1, Math.ceil(roundMs / Math.max(eachMs, 1e-6)));
    if (performance.now() - startedAt >= warmUpMs) return runs;
  }
}

/** Milliseconds a run takes, over this many runs. */
async function timeRuns(run: () => unknown, runs: number): Promise<number> {
  const startedAt = performance.now();
  for (let count = 0; count < runs; count++) {
    const outcome = run();
    if (outcome instanceof Promise) await outcome;
    sink.last = outcome;
  }
  return (performance.now() - startedAt) / runs;
}

/** Holds on to outcomes, so that the engine cannot leave out work whose outcome nobody looks at. */
const sink: { last: unknown } = { last: undefined };

/** The middle value; of an even count the higher of the two. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
