import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A small file system that can run full. */
export interface SmallDisk {
  readonly folder: string;
  /** Fills all free space. */
  fill(): void;
  /** Frees it again. */
  free(): void;
  close(): void;
}

/** Why this process may not mount it; `undefined` if it may. */
export function findMountRefusal(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "tongate-disk-"));
  const refusal = mount(folder, 1);
  unmount(folder);
  return refusal;
}

/** Whether a process may mount it in its own namespace, as a mapped root. */
export function mayUnshare(): boolean {
  return spawnSync("unshare", [...ownNamespace, "true"]).status === 0;
}

/** Options that run a command in such a namespace, which ends with the command. */
export const ownNamespace = ["--user", "--map-root-user", "--mount"];

/** Mounts a file system in memory. */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), "tongate-disk-"));
  const refusal = mount(folder, megabytes);
  if (refusal !== undefined) throw new Error(refusal);
  const filler = join(folder, "filler");
  return {
    folder,
    fill: () => fill(filler),
    free: () => rmSync(filler, { force: true }),
    close: () => unmount(folder),
  };
}

function mount(folder: string, megabytes: number): string | undefined {
  const options = ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=755`, "tongate", folder];
  const { status, stderr, error } = spawnSync("mount", options, { encoding: "utf8" });
  if (status === 0) return undefined;
  const [line = ""] = (error?.message ?? stderr).replaceAll(folder, "tmpfs").split("\n");
  return line;
}

/** Lazy, because an open file must not block the other tests. */
function unmount(folder: string): void {
  spawnSync("umount", ["--lazy", folder]);
  rmSync(folder, { recursive: true, force: true });
}

function fill(path: string): void {
  const file = openSync(path, "w");
  try {
    for (const piece of [Buffer.alloc(1 << 20), Buffer.alloc(4096)]) writeAll(file, piece);
  } finally {
    closeSync(file);
  }
}

function writeAll(file: number, piece: Buffer): void {
  try {
    while (writeSync(file, piece) === piece.length);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}
