/**
 * CPU time of this process in milliseconds. Tests limit work by CPU time, because elapsed time on a busy machine says
 * nothing about the work.
 */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
