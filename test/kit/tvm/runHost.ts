import { systemClock } from "../../../src/lib/clock.ts";
import { callHeavy } from "../../../src/tvm/crypto/heavyFunctions.ts";
import { RunQueue } from "../../../src/tvm/run/RunQueue.ts";
import type { RunHost } from "../../../src/tvm/run/runCode.ts";

/** Runs everything on the calling thread, with a generous time limit. */
export function makeRunHost(): RunHost {
  return {
    queue: new RunQueue(systemClock),
    compute: async (_place, call) => ({ value: callHeavy(call), spentMs: 0 }),
    maxRunMs: 120_000,
  };
}
