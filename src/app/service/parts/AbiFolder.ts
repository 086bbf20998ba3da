import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { AbiLibrary, type AbiStore, type AbiTarget, type AddedAbi } from "../../../contracts/AbiLibrary.ts";
import { readAbiFile } from "../../../contracts/abi/files/readAbiFile.ts";
import { parseAbi } from "../../../contracts/abi/parseAbi.ts";
import type { Clock } from "../../../lib/clock.ts";
import { isCoded } from "../../../lib/errors.ts";
import { type FileSystem, systemFiles } from "../../../lib/files/FileSystem.ts";
import { readWhole, writeWhole } from "../../../lib/files/writeWhole.ts";
import { formatJson, type JsonObject, type JsonValue, parseJson } from "../../../lib/json.ts";
import { findAddress } from "../../../model/Address.ts";
import { findHash } from "../../../model/Hash.ts";

/** How often a running server looks whether the folder changed. */
const checkMs = 1000;

/** A file of the folder that is not an ABI. */
export interface BadAbiFile {
  readonly file: string;
  readonly reason: string;
}

/**
 * ABIs of one's own in the data folder: `abi/`, a file each. Files that `tongate abi add` wrote say for what they are;
 * others are ABIs as compilers write them, found by the codes that they name.
 */
export class AbiFolder implements AbiStore {
  readonly #folder: string;
  readonly #files: FileSystem;
  readonly #clock: Pick<Clock, "monotonic">;
  #library = new AbiLibrary();
  #bad: readonly BadAbiFile[] = [];
  #stamp: string | undefined;
  /** What was read of each file, by its stamp: after a change only the changed files are read. */
  #read: ReadonlyMap<string, AddedAbi> = new Map();
  #checkedMs = Number.NEGATIVE_INFINITY;

  constructor(data: string, clock: Pick<Clock, "monotonic">, files: FileSystem = systemFiles) {
    this.#folder = join(data, "abi");
    this.#files = files;
    this.#clock = clock;
  }

  /** The ABIs as they are in the folder, at most a second ago. */
  library(): AbiLibrary {
    if (this.#clock.monotonic() - this.#checkedMs >= checkMs) this.#reload();
    return this.#library;
  }

  /** Files that are left out. */
  listBad(): readonly BadAbiFile[] {
    this.library();
    return this.#bad;
  }

  add(text: string, target: AbiTarget, source?: string): AddedAbi {
    const { abi, codeHash } = readAbiFile(text);
    const codeHashes = codeHash === undefined ? target.codeHashes : [...target.codeHashes, codeHash];
    const record = { abi: { ...abi }, ...target, codeHashes, ...(source !== undefined && { source }) };
    // The record has the properties of JSON alone.
    const content = formatJson(record as unknown as JsonObject);
    const id = createHash("sha256").update(content).digest("hex").slice(0, 10);
    const added = { id, abi, target: { ...target, codeHashes }, source };
    this.#reload();
    this.#library.add(added);
    this.#files.makeFolder(this.#folder);
    writeWhole(join(this.#folder, `${id}.json`), Buffer.from(`${content}\n`), this.#files);
    return added;
  }

  remove(id: string): boolean {
    this.#reload();
    const name = this.#names().find((each) => idOf(each) === id);
    if (name === undefined) return false;
    this.#files.remove(join(this.#folder, name));
    this.#reload();
    return true;
  }

  #names(): readonly string[] {
    if (!this.#files.exists(this.#folder)) return [];
    return this.#files.list(this.#folder).filter((name) => /\.(?:json|abi)$/.test(name));
  }

  #reload(): void {
    this.#checkedMs = this.#clock.monotonic();
    const stamps = this.#names().map((name) => [stampOf(join(this.#folder, name)), name] as const);
    const stamp = stamps.map(([each]) => each).join("\n");
    if (stamp === this.#stamp) return;
    const read = new Map<string, AddedAbi>();
    const library = new AbiLibrary();
    const bad: BadAbiFile[] = [];
    for (const [each, file] of stamps) {
      try {
        const added = this.#read.get(each) ?? this.#readFile(file);
        read.set(each, added);
        library.add(added);
      } catch (error) {
        if (!isCoded(error)) throw error;
        bad.push({ file, reason: error.message });
      }
    }
    this.#library = library;
    this.#bad = bad;
    this.#stamp = stamp;
    this.#read = read;
  }

  #readFile(file: string): AddedAbi {
    return readRecord(idOf(file), readWhole(join(this.#folder, file), this.#files).toString("utf8"));
  }
}

function idOf(file: string): string {
  return file.replace(/\.(?:json|abi)$/, "");
}

function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return `${path}:${stat?.ino}:${stat?.size}:${stat?.mtimeMs}`;
}

/** A file that `add` wrote, or one of a compiler. */
function readRecord(id: string, text: string): AddedAbi {
  const json = parseJson(text);
  const record = typeof json === "object" && json !== null && !Array.isArray(json) ? (json as JsonObject) : {};
  const { abi, source } = record;
  if (typeof abi !== "object" || abi === null) {
    const { codeHash, ...file } = readAbiFile(text);
    const codeHashes = codeHash === undefined ? [] : [codeHash];
    return { id, ...file, target: { addresses: [], interfaces: [], codeHashes } };
  }
  const target = {
    addresses: textsOf(record.addresses).flatMap((each) => findAddress(each)?.address ?? []),
    codeHashes: textsOf(record.codeHashes).flatMap((each) => findHash(each) ?? []),
    interfaces: textsOf(record.interfaces),
  };
  return { id, abi: parseAbi(abi), target, source: typeof source === "string" ? source : undefined };
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];
}
