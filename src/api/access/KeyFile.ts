import { readFileSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { isCoded } from "../../lib/errors.ts";
import { type FileSystem, systemFiles } from "../../lib/files/FileSystem.ts";
import { formatJson, parseJson } from "../../lib/json.ts";
import { ApiError } from "../declare/errors.ts";
import { type ApiKey, decodeKeyEvent, type KeyEvent, refuseDamaged, replayKeys } from "./keys.ts";

/** The keys of a file, and its unreadable lines. */
export interface KeyFileContent {
  readonly keys: readonly ApiKey[];
  /** Numbers, from one, of unreadable lines and of revocations of nobody; the keys they name are revoked. */
  readonly badLines: readonly number[];
}

/**
 * Keys in the data folder: `keys.jsonl`, one line for each added or revoked key. A line is appended by a single write,
 * so that concurrent programs never lose changes and need no lock. The time of the last use is less important and is in
 * a separate file.
 */
export class KeyFile {
  readonly #folder: string;
  readonly #path: string;
  readonly #usedPath: string;
  readonly #files: FileSystem;

  constructor(folder: string, files: FileSystem = systemFiles) {
    this.#folder = folder;
    this.#files = files;
    this.#path = join(folder, "keys.jsonl");
    this.#usedPath = join(folder, "keys-used.json");
  }

  /** Changes whenever the file does. */
  stamp(): string {
    const stat = findStat(this.#path);
    return stat === undefined ? "none" : `${stat.ino}:${stat.size}:${stat.mtimeMs}`;
  }

  /** All keys; a file that does not exist has none. */
  read(): KeyFileContent {
    const lines = readLines(this.#path);
    const read = lines.map((line) => (line.trim() === "" ? undefined : readEvent(line)));
    const events = read.filter((event) => event !== undefined);
    const added = new Set(events.filter(({ kind }) => kind === "added").map(({ id }) => id));
    const isBad = (line: string, event: KeyEvent | undefined) =>
      event === undefined ? line.trim() !== "" : event.kind === "revoked" && !added.has(event.id);
    const badLines = lines.flatMap((line, index) => (isBad(line, read[index]) ? [index + 1] : []));
    const damaged = badLines.map((number) => lines[number - 1] ?? "");
    return { keys: refuseDamaged(replayKeys(events, this.readUsed()), damaged), badLines };
  }

  /** Adds a line and returns when it is on the disk. */
  append(event: KeyEvent): void {
    this.#write(() => {
      const file = this.#files.open(this.#path, "a");
      try {
        const bytes = Buffer.from(`${endsInLine(this.#path) ? "" : "\n"}${formatJson(event)}\n`);
        if (file.write(bytes, 0, bytes.length, file.size()) !== bytes.length)
          throw new ApiError("api/key-file", `only a part of a line was written to ${this.#path}`);
        file.sync();
      } finally {
        file.close();
      }
      // A file that its folder does not name durably would be gone after a power loss, whoever has made it.
      this.#files.syncFolder(this.#folder);
    });
  }

  /** Times of the last use of keys, in unix seconds by id; empty if the file is unreadable. */
  readUsed(): ReadonlyMap<string, number> {
    try {
      const [text = ""] = readLines(this.#usedPath);
      const entries = Object.entries(Object(text === "" ? {} : parseJson(text)));
      return new Map(entries.filter((entry): entry is [string, number] => typeof entry[1] === "number"));
    } catch {
      return new Map();
    }
  }

  /** Adds later uses to the stored ones. */
  writeUsed(used: ReadonlyMap<string, number>): void {
    this.#write(() => {
      const all = new Map(this.readUsed());
      for (const [id, at] of used) all.set(id, Math.max(at, all.get(id) ?? 0));
      this.#replace(this.#usedPath, `${formatJson(Object.fromEntries(all))}\n`);
    });
  }

  /** Replaces the content atomically: a reader never sees half of it. */
  #replace(path: string, text: string): void {
    const fresh = `${path}.${process.pid}.new`;
    const file = this.#files.open(fresh, "w");
    try {
      const bytes = Buffer.from(text);
      file.write(bytes, 0, bytes.length, 0);
      file.sync();
      this.#files.rename(fresh, path);
    } catch (error) {
      this.#files.remove(fresh);
      throw error;
    } finally {
      file.close();
    }
  }

  #write(work: () => void): void {
    try {
      this.#files.makeFolder(this.#folder);
      work();
    } catch (cause) {
      throw isCoded(cause, "api/key-file")
        ? cause
        : new ApiError("api/key-file", `cannot write to ${this.#folder}: ${cause}`, { cause });
    }
  }
}

function findStat(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    throw new ApiError("api/key-file", `cannot look at ${path}: ${cause}`, { cause });
  }
}

function readLines(path: string): string[] {
  if (findStat(path) === undefined) return [];
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch (cause) {
    throw new ApiError("api/key-file", `cannot read ${path}: ${cause}`, { cause });
  }
}

function readEvent(line: string): KeyEvent | undefined {
  try {
    return decodeKeyEvent(parseJson(line));
  } catch (error) {
    if (isCoded(error)) return undefined;
    throw error;
  }
}

function endsInLine(path: string): boolean {
  const bytes = readFileSync(path);
  return bytes.length === 0 || bytes.at(-1) === 0x0a;
}
