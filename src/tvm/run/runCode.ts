import type { Clock } from "../../lib/clock.ts";
import { throwIfAborted } from "../../lib/deadline.ts";
import type { TurnBudget } from "../../lib/TurnBudget.ts";
import { TvmError } from "../errors.ts";
import { openMachine } from "../machine/Machine.ts";
import type { MachineEnd, MachineInput } from "../machine/MachineRun.ts";
import type { RunLibraries } from "./RunLibraries.ts";

/** Instructions after which the clock is looked at: less than two milliseconds of ordinary ones. */
const stepsBetweenLooks = 10_000;

/** What a run on the calling thread takes from who runs it. */
export interface RunHost {
  readonly clock: Pick<Clock, "monotonic">;
  /** Shared by all runs of the thread, so that many short ones together leave others their turn. */
  readonly turns: TurnBudget;
  /** Time of the thread that one run may take; waiting for its turn or for libraries does not count. */
  readonly maxRunMs: number;
  /** Whether instructions of several milliseconds run here, or the run gives `"heavy"` in front of the first. */
  readonly heavy: "run" | "stop";
}

export type CodeInput = Omit<MachineInput, "findLibrary" | "heavy">;

/** Runs code to its end on the calling thread. */
export async function runCode(
  input: CodeInput,
  libraries: RunLibraries,
  host: RunHost,
  signal: AbortSignal | undefined,
): Promise<MachineEnd | "heavy"> {
  const machine = openMachine({ ...input, findLibrary: (hash) => libraries.find(hash), heavy: host.heavy });
  let spentMs = 0;
  for (;;) {
    throwIfAborted(signal);
    const startedMs = host.clock.monotonic();
    const progress = machine.run(stepsBetweenLooks);
    spentMs += host.clock.monotonic() - startedMs;
    if (progress.kind === "ended") return progress;
    if (progress.kind === "heavy") return "heavy";
    if (progress.kind === "wantsLibrary") await libraries.load(progress.hash);
    if (spentMs > host.maxRunMs) throw new TvmError("tvm/timeout", `a run took more than ${host.maxRunMs} ms`);
    await host.turns.yieldIfDue();
  }
}
