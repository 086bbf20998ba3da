import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";

/** The name of the marker, beside the folder of the files. */
export const fileName = "opened";

/**
 * A file beside a database that is open. One that is left from another start of the machine means that the machine ended
 * before the database was closed: what the engine had written since may be lost in part, because it does not sync.
 */
export interface CrashMarker {
  /** Whether the machine ended while the database was open. */
  readonly isAfterCrash: boolean;
  /** Called when the database is closed: its files are on the disk, and the marker goes. */
  clear(): void;
}

/** Puts the marker down, on the disk, before anything is written. */
export function placeMarker(folder: string, boot: string = readBoot()): CrashMarker {
  const path = join(folder, fileName);
  const left = findText(path);
  const openedAtMs = left === undefined ? 0 : statSync(path).mtimeMs;
  const file = openSync(path, "w", 0o600);
  writeSync(file, boot);
  fsyncSync(file);
  const startedAtMs = openedAtMs > 0 ? openedAtMs : statSync(path).mtimeMs;
  closeSync(file);
  return {
    isAfterCrash: left !== undefined && left !== boot,
    clear: () => {
      syncChanged(join(folder, "database"), startedAtMs);
      rmSync(path, { force: true });
    },
  };
}

/** Which start of the machine this is; empty where the system does not say, and then no crash is seen. */
function readBoot(): string {
  return findText("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
}

/** Times of files may be rounded. */
const slackMs = 2_000;

function syncChanged(files: string, sinceMs: number): void {
  for (const name of readdirSync(files, { recursive: true, encoding: "utf8" })) {
    const path = join(files, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.mtimeMs < sinceMs - slackMs) continue;
    const file = openSync(path, "r");
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }
}

function findText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // It is not there: nothing is known.
    return undefined;
  }
}
