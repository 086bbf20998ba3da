/** The last one is sent when the terminal closes. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Resolves at the first stop signal; a second one ends the process immediately. */
export function waitForStop(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      for (const signal of signals) process.off(signal, stop);
      resolve();
    };
    for (const signal of signals) process.on(signal, stop);
  });
}
