import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LocalnetError } from "../errors.ts";

const fileName = "lock";

/** Keeps other processes out of a folder until the function given back is called; refuses while another has it. */
export function lockFolder(folder: string): () => void {
  const path = join(folder, fileName);
  const own = describe(process.pid);
  const holder = findHolder(path);
  if (holder !== undefined)
    throw new LocalnetError("localnet/locked", `${folder} is in use by process ${holder}`, { data: { pid: holder } });
  rmSync(path, { force: true });
  try {
    writeFileSync(path, own, { flag: "wx" });
  } catch (cause) {
    throw new LocalnetError("localnet/locked", `${folder} was taken by another process just now`, { cause });
  }
  return () => rmSync(path, { force: true });
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
