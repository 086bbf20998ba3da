/** The last one comes when the terminal is closed. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Resolves when the process is asked to stop; a second request ends it at once, as it would have without us. */
export function waitForStop(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      for (const signal of signals) process.off(signal, stop);
      resolve();
    };
    for (const signal of signals) process.on(signal, stop);
  });
}
