import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** A process, and where its number means it. */
export interface ProcessSpace {
  readonly pid: number;
  /** Process ids are reused, so the start time is part of the identity. */
  readonly startedAt: string;
  /** The running system: its sockets reach all its processes. */
  readonly boot: string;
  /** The namespace of process numbers. */
  readonly pids: string;
  readonly host: string;
}

/** This process. */
export function ownSpace(): ProcessSpace {
  return {
    pid: process.pid,
    startedAt: startOf(process.pid),
    boot: find(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()) ?? hostname(),
    pids: find(() => readlinkSync("/proc/self/ns/pid")) ?? "",
    host: hostname(),
  };
}

/** Whether a process of the same namespace lives. */
export function isProcessAlive({ pid, startedAt }: Pick<ProcessSpace, "pid" | "startedAt">): boolean {
  // A killed process can be signalled until its parent asks for its exit code, and some parents never do.
  if (findStat(pid)?.[0] === "Z" || startOf(pid) !== startedAt) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function startOf(pid: number): string {
  return findStat(pid)?.[19] ?? "unknown";
}

/** What Linux reports of a process, beginning with its state. */
function findStat(pid: number): readonly string[] | undefined {
  const stat = find(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  // The process name is in parentheses and may contain spaces; fields are counted after it.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function find<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    // Not Linux, or no such process.
    return undefined;
  }
}
