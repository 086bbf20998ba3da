/** The most memory that this process held while something ran, in megabytes. */
export async function mostResident<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly megabytes: number }> {
  let most = process.memoryUsage.rss();
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 100);
  try {
    return { value: await work(), megabytes: most / 2 ** 20 };
  } finally {
    clearInterval(timer);
  }
}

/** Seconds of this process's own work, all threads together, however many others share the machine. */
export async function cpuSeconds<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly seconds: number }> {
  const before = process.cpuUsage();
  const value = await work();
  const { user, system } = process.cpuUsage(before);
  return { value, seconds: (user + system) / 1e6 };
}
