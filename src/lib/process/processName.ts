import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** The running system and the container, in which a process id means one process; empty where that is unknown. */
function findSpace(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8);
    return `@${boot}.${readlinkSync("/proc/self/ns/pid").replaceAll(/\D/g, "")}`;
  } catch {
    // Not Linux, or without /proc: others then wait until the process has been silent for long enough.
    return "";
  }
}

/** Names this process among those of all machines. */
export function processName(): string {
  return `${hostname()}:${process.pid}${findSpace()}`;
}

/** Whether the process of a name that begins so has ended; false where that cannot be known from here. */
export function isProcessGone(name: string): boolean {
  const [, pid, space] = /:(\d+)(@\S+)/.exec(name) ?? [];
  if (pid === undefined || space !== findSpace()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
