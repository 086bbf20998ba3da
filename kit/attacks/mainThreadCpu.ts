import { readFileSync } from "node:fs";

const path = `/proc/self/task/${process.pid}/schedstat`;

/**
 * Milliseconds of CPU that the main thread has used: time that other processes take from it does not count. Systems
 * without this file of the kernel count all threads together.
 */
export function mainThreadCpuMs(): number {
  try {
    // The kernel brings the file up to date at its ticks, 4 ms apart, and whenever somebody asks for the usage.
    process.cpuUsage();
    return Number(readFileSync(path, "utf8").split(" ", 1)[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e3;
  }
}
