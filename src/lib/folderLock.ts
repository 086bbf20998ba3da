import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const fileName = "lock";

/** The result of locking a folder: it is ours until `release`, or another process (`pid`, if known) has it. */
export type TakenFolder =
  | { readonly kind: "taken"; release(): void }
  | { readonly kind: "held"; readonly pid: number | undefined };

/** Locks a folder against other processes with a file that names this process. */
export function takeFolder(folder: string): TakenFolder {
  const path = join(folder, fileName);
  const pid = findHolder(path);
  if (pid !== undefined) return { kind: "held", pid };
  rmSync(path, { force: true });
  try {
    writeFileSync(path, describe(process.pid), { flag: "wx" });
  } catch (error) {
    // Another process was faster; any other error is not about the lock.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return { kind: "held", pid: findHolder(path) };
  }
  return { kind: "taken", release: () => rmSync(path, { force: true }) };
}

/** The process that holds the lock of a folder. */
export function findFolderHolder(folder: string): number | undefined {
  return findHolder(join(folder, fileName));
}

/** The process that holds a lock; the lock of a process that has died is ignored. */
function findHolder(path: string): number | undefined {
  const text = findText(path);
  if (text === undefined) return undefined;
  const pid = Number.parseInt(text, 10);
  return Number.isInteger(pid) && isAlive(pid) && describe(pid) === text ? pid : undefined;
}

/** Identifies a process: process ids are reused, so the start time is part of the identity. */
function describe(pid: number): string {
  return `${pid} ${findStat(pid)?.[19] ?? "unknown"}\n`;
}

/** What Linux reports of a process, beginning with its state. */
function findStat(pid: number): readonly string[] | undefined {
  const stat = findText(`/proc/${pid}/stat`);
  // The process name is in parentheses and may contain spaces; fields are counted after it.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function findText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The file is missing or was removed in the meantime: no process is named.
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  // A killed process can be signalled until its parent asks for its exit code, and some parents never do.
  if (findStat(pid)?.[0] === "Z") return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
