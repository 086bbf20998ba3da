import type { Steps } from "../../../src/lib/sharing/steps.ts";

/** Does all steps; also gives how often they paused. */
export function listSteps<T>(steps: Steps<T>): { readonly value: T; readonly pauses: number } {
  for (let pauses = 0; ; pauses++) {
    const step = steps.next();
    if (step.done === true) return { value: step.value, pauses };
  }
}
