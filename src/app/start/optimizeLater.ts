import { setFlagsFromString } from "node:v8";
import { type CancelTimer, type Clock, systemClock } from "../../lib/clock.ts";

/** How much bytecode a function runs before it is considered for all optimizations. */
const budgetBytes = { start: 528_000, default: 67_584 };
/** The CPU time of a process, all threads together, during which its functions are optimized later. */
const startSeconds = 5;
const checkEveryMs = 1_000;

/** The flags of the start and of the time after it. */
export interface OptimizationFlags {
  readonly start: string;
  readonly default: string;
}

/** The flags for a version of V8; `undefined` for one whose default was not found to be too early. */
export function optimizationFlags(version: string): OptimizationFlags | undefined {
  if (!version.startsWith("11.")) return undefined;
  return { start: `--interrupt-budget=${budgetBytes.start}`, default: `--interrupt-budget=${budgetBytes.default}` };
}

export interface OptimizationModules {
  readonly clock: Pick<Clock, "timer">;
  readonly flags: OptimizationFlags | undefined;
  readonly setFlag: (flag: string) => void;
  /** The CPU time that the process has used. */
  readonly usedSeconds: () => number;
}

const systemModules: OptimizationModules = {
  clock: systemClock,
  flags: optimizationFlags(process.versions.v8),
  setFlag: setFlagsFromString,
  usedSeconds: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  },
};

/**
 * Optimizes hot functions later while a process starts, until the returned function is called at the latest. By default
 * a process that has just started spends half of its CPU time in threads that mostly optimize functions, some of them
 * again, because too few of their values were seen the first time. Afterwards the default is better: with a larger
 * budget, functions that are called rarely would stay slow for the next ten seconds of work. Later versions of V8, in
 * Node 22 and after, have another budget and a compiler between, so that this may go with Node 20.
 */
export function optimizeLater({ clock, flags, setFlag, usedSeconds }: OptimizationModules = systemModules): () => void {
  if (flags === undefined || usedSeconds() >= startSeconds) return () => {};
  let cancel: CancelTimer = () => {};
  const check = (): void => {
    if (usedSeconds() < startSeconds) cancel = clock.timer(checkEveryMs, check);
    else setFlag(flags.default);
  };
  setFlag(flags.start);
  check();
  return () => {
    cancel();
    setFlag(flags.default);
  };
}
