/** Runs work and returns the CPU time of this process, all threads together, independent of other load. */
export async function cpuSeconds<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly seconds: number }> {
  const before = process.cpuUsage();
  const value = await work();
  const { user, system } = process.cpuUsage(before);
  return { value, seconds: (user + system) / 1e6 };
}
