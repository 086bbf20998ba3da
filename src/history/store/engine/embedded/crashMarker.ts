import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type FileSystem, systemFiles } from "../../../../lib/files/FileSystem.ts";

/** The name of the marker, beside the folder of the files. */
export const fileName = "opened";

/** What the marker needs of the system. */
export interface MarkerModules {
  /** Which start of the machine this is; empty where the system does not say, and then no crash is seen. */
  readonly boot: string;
  readonly files: FileSystem;
}

/** The modules of this machine. */
export function systemMarker(): MarkerModules {
  return { boot: findText("/proc/sys/kernel/random/boot_id")?.trim() ?? "", files: systemFiles };
}

/**
 * Whether the machine ended while the database of a folder was open: a marker from another start of the machine was
 * left. The engine does not sync, so that any part of what it wrote may be missing, also without a bad page.
 */
export function isAfterCrash(folder: string, { boot }: Pick<MarkerModules, "boot">): boolean {
  const left = findText(join(folder, fileName));
  return left !== undefined && left !== boot;
}

/**
 * Puts the marker down, on the disk, before anything is written; returns what takes it away when the database is
 * closed.
 */
export function placeMarker(folder: string, { boot, files }: MarkerModules): () => void {
  const path = join(folder, fileName);
  // One of this start was left by a killed process, since when its files are not synced either.
  const sinceMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  const marker = files.open(path, "w");
  try {
    const bytes = Buffer.from(boot);
    marker.write(bytes, 0, bytes.length, 0);
    marker.sync();
  } finally {
    marker.close();
  }
  files.syncFolder(folder);
  const startedAtMs = sinceMs ?? statSync(path).mtimeMs;
  return () => {
    syncChanged(join(folder, "database"), startedAtMs, files);
    files.remove(path);
    files.syncFolder(folder);
  };
}

/** Times of files may be rounded. */
const slackMs = 2_000;

/** Syncs files, then folders, which have the names of new ones. */
function syncChanged(top: string, sinceMs: number, files: FileSystem): void {
  const changed = ["", ...readdirSync(top, { recursive: true, encoding: "utf8" })].flatMap((name) => {
    const path = join(top, name);
    const found = statSync(path, { throwIfNoEntry: false });
    const isChanged = found !== undefined && found.mtimeMs >= sinceMs - slackMs;
    return isChanged ? [{ path, isFolder: found.isDirectory() }] : [];
  });
  for (const { path, isFolder } of changed) if (!isFolder) syncFile(path, files);
  for (const { path, isFolder } of changed) if (isFolder) files.syncFolder(path);
  files.syncFolder(dirname(top));
}

function syncFile(path: string, files: FileSystem): void {
  const file = files.open(path, "r");
  try {
    file.sync();
  } finally {
    file.close();
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
