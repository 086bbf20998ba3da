import { throwIfAborted } from "../../lib/deadline.ts";
import type { HeavyCall } from "../crypto/heavyFunctions.ts";
import { TvmError } from "../errors.ts";
import { openMachine } from "../machine/interpreter/Machine.ts";
import type { MachineEnd, MachineInput } from "../machine/MachineRun.ts";
import type { HeavyAnswer } from "../thread/CryptoThread.ts";
import { loadRare } from "./loadRare.ts";
import type { RunLibraries } from "./RunLibraries.ts";
import type { QueueTicket, RunQueue } from "./RunQueue.ts";

/** Instructions of the first slice, and the least and most of later ones, which depend on how long they take. */
const firstSteps = 200;
const fewestSteps = 100;
const maxSteps = 20_000;

/** How long a slice should take. */
const sliceMs = 1;

export interface RunHost {
  readonly queue: RunQueue;
  /** Calls a function that takes milliseconds on another thread. */
  readonly compute: (ticket: QueueTicket, call: HeavyCall, signal: AbortSignal | undefined) => Promise<HeavyAnswer>;
  /** Time that one run may use; waiting for its turn or for libraries does not count. */
  readonly maxRunMs: number;
}

export type CodeInput = Omit<MachineInput, "findLibrary" | "heavy">;

/** Runs code to its end, slice by slice, at a place in the queue. */
export async function runCode(
  input: CodeInput,
  libraries: RunLibraries,
  { maxRunMs, compute }: Pick<RunHost, "maxRunMs" | "compute">,
  ticket: QueueTicket,
  signal: AbortSignal | undefined,
): Promise<MachineEnd> {
  const machine = openMachine(input, (hash) => libraries.find(hash));
  const entering = ticket.enterCode(input.code);
  if (entering !== undefined) await entering;
  let steps = firstSteps;
  let computed: HeavyAnswer | undefined;
  for (;;) {
    throwIfAborted(signal);
    const progress = machine.run(steps, computed);
    computed = undefined;
    if (progress.kind === "ended") return progress;
    if (ticket.usedMs > maxRunMs) throw new TvmError("tvm/timeout", `a run took more than ${maxRunMs} ms`);
    if (progress.kind === "budget") {
      const before = ticket.usedMs;
      const wait = ticket.next();
      const factor = sliceMs / (ticket.usedMs - before);
      steps = Math.round(Math.min(Math.max(steps * Math.min(factor, 4), fewestSteps), maxSteps));
      await wait;
    } else if (progress.kind === "wantsLibrary") {
      await ticket.wait(() => libraries.load(progress.hash));
    } else if (progress.kind === "wantsRare") {
      await ticket.wait(loadRare);
    } else {
      computed = await ticket.wait(() => compute(ticket, progress.call, signal));
      ticket.addComputed(computed.spentMs);
    }
  }
}
