/**
 * Applies `make` to the items of a generator as they come, in order; at most this many results wait to be taken. When
 * the consumer leaves, the generator is ended.
 */
export async function* decodeAhead<T, R>(
  items: AsyncGenerator<T, void, void>,
  max: number,
  make: (item: T) => R | Promise<R>,
): AsyncGenerator<R, void, void> {
  type Step = { readonly value: R } | undefined;
  const pull = async (): Promise<Step> => {
    const step = await items.next();
    return step.done ? undefined : { value: await make(step.value) };
  };
  const waiting: Promise<Step>[] = [];
  const fill = (): void => {
    while (waiting.length < max) {
      const step = pull();
      // The consumer gets a failure in its turn; until then it must not count as an unhandled rejection.
      step.catch(() => {});
      waiting.push(step);
    }
  };
  try {
    for (;;) {
      fill();
      const step = await waiting.shift();
      if (step === undefined) return;
      yield step.value;
    }
  } finally {
    // Not awaited: a generator that waits for the next block ends with its signal.
    items.return().catch(() => {});
  }
}
