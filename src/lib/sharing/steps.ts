/** Long work in steps of about a millisecond or less. At every `yield` others may use the thread. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Does all steps without a pause, for work that is known to be short. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Asks before every further step: `next` returns undefined when it may begin at once, otherwise resolves when it may.
 */
export async function runInTurns<T>(steps: Steps<T>, next: () => Promise<void> | undefined): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const wait = next();
    if (wait !== undefined) await wait;
  }
}
