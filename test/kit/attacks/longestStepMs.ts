import { mainThreadCpuMs } from "../../../kit/attacks/mainThreadCpu.ts";
import type { Steps } from "../../../src/lib/sharing/steps.ts";

/** Does all steps; the CPU of the longest one in milliseconds. */
export function longestStepMs(steps: Steps<unknown>): number {
  for (let longest = 0; ; ) {
    const before = mainThreadCpuMs();
    const { done } = steps.next();
    longest = Math.max(longest, mainThreadCpuMs() - before);
    if (done === true) return longest;
  }
}
