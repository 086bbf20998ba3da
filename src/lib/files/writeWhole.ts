import { dirname } from "node:path";
import { type FileSystem, type OpenFile, systemFiles } from "./FileSystem.ts";

/** A file that is not complete yet has this after its name. */
export const unfinishedEnd = ".new";

/**
 * Writes a file atomically: after a crash or a loss of power it is complete, with the old or the new content; after
 * this returned, with the new one. Only this user may read it.
 */
export function writeWhole(path: string, content: Uint8Array, files: FileSystem = systemFiles): void {
  const fresh = new FreshFile(path, files);
  try {
    writeAll(fresh.file, content, 0);
    fresh.file.sync();
    fresh.replace();
  } catch (error) {
    fresh.discard();
    throw error;
  }
}

/**
 * Like `writeWhole`, for large files: the parts are written one after another, and the loop does not wait for the disk.
 */
export async function writeWholeLater(path: string, parts: readonly Uint8Array[], files: FileSystem): Promise<void> {
  const fresh = new FreshFile(path, files);
  try {
    let position = 0;
    for (const part of parts) {
      for (let at = 0; at < part.length; )
        at += await fresh.file.writeLater(part, at, Math.min(pieceBytes, part.length - at), position + at);
      position += part.length;
    }
    await fresh.file.syncLater();
    fresh.replace();
  } catch (error) {
    fresh.discard();
    throw error;
  }
}

/** A file that is written beside the one that it replaces. */
class FreshFile {
  readonly file: OpenFile;
  readonly #path: string;
  readonly #files: FileSystem;
  #isOpen = true;

  constructor(path: string, files: FileSystem) {
    this.#path = path;
    this.#files = files;
    this.file = files.open(this.#temporary, "w");
  }

  /** Puts the complete file into its place. */
  replace(): void {
    this.#close();
    this.#files.rename(this.#temporary, this.#path);
    this.#files.syncFolder(dirname(this.#path));
  }

  /** On a full disk the incomplete file would take the space that others need. */
  discard(): void {
    this.#close();
    if (this.#files.exists(this.#temporary)) this.#files.remove(this.#temporary);
  }

  get #temporary(): string {
    return `${this.#path}${unfinishedEnd}`;
  }

  #close(): void {
    if (this.#isOpen) this.file.close();
    this.#isOpen = false;
  }
}

/** Bytes that are written at a time. */
const pieceBytes = 4 << 20;

/** Writes all bytes at a position. */
export function writeAll(file: OpenFile, bytes: Uint8Array, position: number): void {
  for (let at = 0; at < bytes.length; ) at += file.write(bytes, at, bytes.length - at, position + at);
}

/** Reads a part of a file; the result is shorter where the file ends. */
export function readPart(file: OpenFile, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const count = file.read(bytes, done, length - done, position + done);
    if (count === 0) break;
    done += count;
  }
  return bytes.subarray(0, done);
}

/** Reads a whole file. */
export function readWhole(path: string, files: FileSystem = systemFiles): Buffer {
  const file = files.open(path, "r");
  try {
    return readPart(file, 0, file.size());
  } finally {
    file.close();
  }
}
