import {
  chmodSync,
  closeSync,
  existsSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  write,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { LibError } from "../errors.ts";

/** An open file. Reads and writes may be short, as the system's are. */
export interface OpenFile {
  size(): number;
  read(into: Uint8Array, offset: number, length: number, position: number): number;
  write(bytes: Uint8Array, offset: number, length: number, position: number): number;
  /** Writes without blocking. */
  writeLater(bytes: Uint8Array, offset: number, length: number, position: number): Promise<number>;
  truncate(length: number): void;
  /** Returns when the content is durable: it survives a loss of power. */
  sync(): void;
  /** Resolves when the content is durable. */
  syncLater(): Promise<void>;
  close(): void;
}

/**
 * The files of a store. A write is durable after `sync` of its file; a new, renamed or removed name is durable after
 * `syncFolder` of its folder. A failure of the system is "lib/storage", with the path. Tests pass one that forgets what
 * was not synced.
 */
export interface FileSystem {
  /**
   * "r+", "w" and "a" are for writing. "w" makes an empty file and "a" one if there is none, which only this user may
   * read; with "a" a write is at the end, wherever another process has moved it.
   */
  open(path: string, flags: "r" | "r+" | "w" | "a"): OpenFile;
  exists(path: string): boolean;
  size(path: string): number;
  list(folder: string): readonly string[];
  /** Makes a folder and its parents, which only this user may read; their names are durable. */
  makeFolder(path: string): void;
  rename(from: string, to: string): void;
  /** Removes a file or a folder with its content, if there is one. */
  remove(path: string): void;
  syncFolder(path: string): void;
}

const fileMode = 0o600;
const folderMode = 0o700;
const writeAsync = promisify(write);
const syncAsync = promisify(fdatasync);

/** The files of the system. */
export const systemFiles: FileSystem = {
  open: (path, flags) =>
    openFile(
      path,
      told("open", path, () => openSync(path, flags, fileMode)),
    ),
  exists: (path) => existsSync(path),
  size: (path) => told("read", path, () => statSync(path).size),
  list: (folder) => told("read", folder, () => readdirSync(folder)),
  makeFolder: (path) => told("make", path, () => makeFolder(path)),
  rename: (from, to) => told("rename", from, () => renameSync(from, to)),
  remove: (path) => told("remove", path, () => rmSync(path, { recursive: true, force: true })),
  syncFolder: (path) => told("write", path, () => syncFolder(path)),
};

function openFile(path: string, file: number): OpenFile {
  return {
    size: () => told("read", path, () => fstatSync(file).size),
    read: (...[into, offset, length, at]) => told("read", path, () => readSync(file, into, offset, length, at)),
    write: (...[bytes, offset, length, at]) => told("write", path, () => writeSync(file, bytes, offset, length, at)),
    writeLater: async (...[bytes, offset, length, at]) => {
      const { bytesWritten } = await rejectLater("write", path, writeAsync(file, bytes, offset, length, at));
      return bytesWritten;
    },
    truncate: (length) => told("write", path, () => ftruncateSync(file, length)),
    sync: () => told("write", path, () => fsyncSync(file)),
    syncLater: () => rejectLater("write", path, syncAsync(file)),
    close: () => closeSync(file),
  };
}

/** Makes parents one by one: each new name is synced. */
function makeFolder(path: string): void {
  if (isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: folderMode });
  } catch (error) {
    // Another process may make it at the same time.
    if (!isFolder(path)) throw error;
  }
  syncFolder(parent);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Lets only this user read a file or folder that an earlier version has made; of another user's nothing is changed. */
export function closeToOthers(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.uid !== process.getuid?.() || (found.mode & 0o077) === 0) return;
  told("change", path, () => chmodSync(path, found.isDirectory() ? folderMode : fileMode));
}

type Verb = "open" | "read" | "write" | "make" | "rename" | "remove" | "change";

function told<T>(verb: Verb, path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw storageError(verb, path, cause);
  }
}

async function rejectLater<T>(verb: Verb, path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw storageError(verb, path, cause);
  }
}

/** What to do about frequent failures. */
const advice: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full: free space on it",
  EDQUOT: "the disk quota is used up: free space, or raise it",
  EIO: "the disk reports an error: see the system log",
  EROFS: "the file system is read-only: mount it writable",
  EACCES: "permission denied: give the user of this process access",
  EPERM: "not permitted: give the user of this process access",
  EMFILE: "too many open files: raise the limit of open files (ulimit -n)",
  ENFILE: "too many open files on this system",
  ENOENT: "no such file or folder",
};

/** A failure of the system as an error that names the path and what to do. */
export function storageError(verb: Verb, path: string, cause: unknown): unknown {
  const reason: unknown = Object(cause).code;
  if (typeof reason !== "string" || !("syscall" in Object(cause))) return cause;
  const text = advice[reason] ?? String(Object(cause).message);
  return new LibError("lib/storage", `cannot ${verb} ${path}: ${text} (${reason})`, { data: { path, reason }, cause });
}
