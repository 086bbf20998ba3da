/**
 * Work on nested values of any depth: it waits for inner work with `call`, and `runNested` keeps waiting work in a list
 * instead of on the call stack.
 */
export type Nested<T> = Generator<Nested<unknown>, T, unknown>;

/** The result of inner work, used as `yield* call(work)`. */
export function* call<T>(work: Nested<T>): Nested<T> {
  // The kit's one cast: `runNested` resumes a yielded work with that work's own result.
  return (yield work) as T;
}

export function runNested<T>(work: Nested<T>): T {
  const waiting: Nested<unknown>[] = [work];
  let result: unknown;
  for (let top = waiting.at(-1); top !== undefined; top = waiting.at(-1)) {
    const step = top.next(result);
    if (step.done === true) {
      waiting.pop();
      result = step.value;
    } else {
      waiting.push(step.value);
      result = undefined;
    }
  }
  // The last one to finish is `work` itself.
  return result as T;
}
