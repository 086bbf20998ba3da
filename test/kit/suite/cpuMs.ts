/**
 * How much of the processor this process has used, in milliseconds. Bounds on work are set on this and not on the time
 * that passes, which on a busy machine says nothing about the work.
 */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
