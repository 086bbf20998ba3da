import { setFlagsFromString } from "node:v8";
import type { Clock } from "../../lib/clock.ts";

/**
 * Flags of V8 in Node 20: a function is optimised after so many ticks of the profiler, plus one for each so many bytes of
 * bytecode; a smaller one after its first tick. V8 counts ticks during the start too, so hot functions are optimised as
 * soon as the flags have their defaults again. A higher `--interrupt-budget` saves as much, but then they come late.
 */
const flags = [
  { name: "ticks-before-optimization", atStart: 18, usual: 3 },
  { name: "bytecode-size-allowance-per-tick", atStart: 25, usual: 150 },
  { name: "max-bytecode-size-for-early-opt", atStart: 0, usual: 81 },
] as const;

/** Other versions do not have all of these flags, and V8 prints an error for an unknown one. */
const knownVersion = /^11\./;

/** CPU time until a process that indexes has run all of its usual code, also on a slow machine. */
const startCpuMs = 6_000;
const lookEveryMs = 500;

/** What the delay depends on. */
export interface OptimisationModules {
  readonly clock: Clock;
  readonly v8Version: string;
  /** CPU time of the process since its start. */
  cpuMs(): number;
  setFlag(flag: string): void;
}

export const systemOptimisation: Omit<OptimisationModules, "clock"> = {
  v8Version: process.versions.v8,
  cpuMs: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  setFlag: setFlagsFromString,
};

/**
 * Lets V8 optimise only the hottest functions while a process starts; returns a function that ends the delay. All code is
 * new at the start, and the optimising compiler takes half of the CPU time: 2.4 of 4.6 s for the first 4,500 transactions
 * of an index, and 0.7 of 3.4 s with the delay. A process that runs for long pays for the rest afterwards: the first
 * 36,000 transactions take 2 to 8 % more in all, and those after them the same.
 */
export function delayOptimisation({ clock, v8Version, cpuMs, setFlag }: OptimisationModules): () => Promise<void> {
  if (!knownVersion.test(v8Version) || cpuMs() >= startCpuMs) return async () => {};
  const set = (when: "atStart" | "usual") => {
    for (const flag of flags) setFlag(`--${flag.name}=${flag[when]}`);
  };
  const look = (): void => {
    if (cpuMs() >= startCpuMs) set("usual");
    else cancel = clock.timer(lookEveryMs, look);
  };
  set("atStart");
  let cancel = clock.timer(lookEveryMs, look);
  return async () => {
    cancel();
    set("usual");
  };
}
