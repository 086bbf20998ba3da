/**
 * What `make` gives for items of a generator, in order, made as soon as they come: up to so many wait to be taken. When
 * the taker leaves, the generator is ended.
 */
export async function* decodeAhead<T, R>(
  items: AsyncGenerator<T, void, void>,
  most: number,
  make: (item: T) => R,
): AsyncGenerator<R, void, void> {
  type Step = { readonly value: R } | undefined;
  const pull = async (): Promise<Step> => {
    const step = await items.next();
    return step.done ? undefined : { value: make(step.value) };
  };
  const waiting: Promise<Step>[] = [];
  const fill = (): void => {
    while (waiting.length < most) {
      const step = pull();
      // A failure is told when its turn comes; until then it must not count as unheard.
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
    // Not waited for: a generator that waits for the next block ends with its signal.
    items.return().catch(() => {});
  }
}
