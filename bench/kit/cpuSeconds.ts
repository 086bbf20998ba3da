/** Seconds of this process's own work, all threads together, however many others share the machine. */
export async function cpuSeconds<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly seconds: number }> {
  const before = process.cpuUsage();
  const value = await work();
  const { user, system } = process.cpuUsage(before);
  return { value, seconds: (user + system) / 1e6 };
}
