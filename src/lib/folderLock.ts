import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const fileName = "lock";

/** What came of taking a folder: it is ours until `release`, or another process (`pid`, where it is known) has it. */
export type TakenFolder =
  | { readonly kind: "taken"; release(): void }
  | { readonly kind: "held"; readonly pid: number | undefined };

/** Keeps other processes out of a folder by a file that names this one. */
export function takeFolder(folder: string): TakenFolder {
  const path = join(folder, fileName);
  const pid = findHolder(path);
  if (pid !== undefined) return { kind: "held", pid };
  rmSync(path, { force: true });
  try {
    writeFileSync(path, describe(process.pid), { flag: "wx" });
  } catch (error) {
    // Another process was quicker by a moment; whatever else fails is not about the lock.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return { kind: "held", pid: findHolder(path) };
  }
  return { kind: "taken", release: () => rmSync(path, { force: true }) };
}

/** The process that keeps others out of a folder now. */
export function findFolderHolder(folder: string): number | undefined {
  return findHolder(join(folder, fileName));
}

/** The process that holds a lock; a lock whose process ended without a word holds nobody back. */
function findHolder(path: string): number | undefined {
  const text = findText(path);
  if (text === undefined) return undefined;
  const pid = Number.parseInt(text, 10);
  return Number.isInteger(pid) && isAlive(pid) && describe(pid) === text ? pid : undefined;
}

/** Names a process for good: numbers of processes are given out again, so the time it began belongs to the name. */
function describe(pid: number): string {
  const stat = findText(`/proc/${pid}/stat`);
  // Fields are counted behind the name, which may contain spaces and is in parentheses.
  const beganAt = stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "unknown";
  return `${pid} ${beganAt}\n`;
}

function findText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Not there, or gone meanwhile: both mean that nobody is named.
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is there all the same.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
