import type { Clock } from "../../lib/clock.ts";

const silentMs = 1_000;

/** Passes the work through; if it takes longer than a second, prints what it waits for, and how long it took. */
export async function reportIfSlow<T>(
  work: Promise<T>,
  what: string,
  { clock, tell }: { readonly clock: Clock; readonly tell: (text: string) => void },
): Promise<T> {
  const startedAt = clock.monotonic();
  let isTold = false;
  const cancelTimer = clock.timer(silentMs, () => {
    isTold = true;
    tell(`${what}…\n`);
  });
  try {
    return await work;
  } finally {
    cancelTimer();
    if (isTold) tell(`${what}: ${((clock.monotonic() - startedAt) / 1_000).toFixed(1)} s\n`);
  }
}
