import { throwIfAborted } from "../../lib/deadline.ts";
import type { HeavyCall } from "../crypto/heavyFunctions.ts";
import { TvmError } from "../errors.ts";
import { openMachine } from "../machine/interpreter/Machine.ts";
import type { MachineEnd, MachineInput } from "../machine/MachineRun.ts";
import type { HeavyAnswer } from "../thread/CryptoThread.ts";
import type { RunLibraries } from "./RunLibraries.ts";
import type { QueuePlace, RunQueue } from "./RunQueue.ts";

/** Instructions of the first slice, and the least and most of later ones, which depend on how long they take. */
const firstSteps = 200;
const fewestSteps = 100;
const mostSteps = 20_000;

/** How long a slice should take. */
const sliceMs = 1;

export interface RunHost {
  readonly queue: RunQueue;
  /** Calls a function that takes milliseconds on another thread. */
  readonly compute: (place: QueuePlace, call: HeavyCall, signal: AbortSignal | undefined) => Promise<HeavyAnswer>;
  /** Time that one run may use; waiting for its turn or for libraries does not count. */
  readonly maxRunMs: number;
}

export type CodeInput = Omit<MachineInput, "findLibrary" | "heavy">;

/** Runs code to its end, slice by slice, at a place in the queue. */
export async function runCode(
  input: CodeInput,
  libraries: RunLibraries,
  { maxRunMs, compute }: Pick<RunHost, "maxRunMs" | "compute">,
  place: QueuePlace,
  signal: AbortSignal | undefined,
): Promise<MachineEnd> {
  const machine = openMachine(input, (hash) => libraries.find(hash));
  const entering = place.enterCode(input.code);
  if (entering !== undefined) await entering;
  let steps = firstSteps;
  let computed: HeavyAnswer | undefined;
  for (;;) {
    throwIfAborted(signal);
    const progress = machine.run(steps, computed);
    computed = undefined;
    if (progress.kind === "ended") return progress;
    if (place.usedMs > maxRunMs) throw new TvmError("tvm/timeout", `a run took more than ${maxRunMs} ms`);
    if (progress.kind === "budget") {
      const before = place.usedMs;
      const wait = place.next();
      const factor = sliceMs / (place.usedMs - before);
      steps = Math.round(Math.min(Math.max(steps * Math.min(factor, 4), fewestSteps), mostSteps));
      await wait;
    } else if (progress.kind === "wantsLibrary") {
      await place.wait(() => libraries.load(progress.hash));
    } else {
      computed = await place.wait(() => compute(place, progress.call, signal));
      place.addComputed(computed.spentMs);
    }
  }
}
