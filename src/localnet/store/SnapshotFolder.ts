import { join } from "node:path";
import { isCoded } from "../../lib/errors.ts";
import { closeToOthers, type FileSystem } from "../../lib/files/FileSystem.ts";
import { readWhole, unfinishedEnd, writeWhole } from "../../lib/files/writeWhole.ts";
import { formatJson, parseJson } from "../../lib/json.ts";
import { decodeArgs } from "../../lib/kit/arg.ts";
import { intArg } from "../../lib/kit/basicArgs.ts";
import type { Log } from "../../lib/log.ts";
import { LocalnetError } from "../errors.ts";
import { archiveChain } from "./chainArchive.ts";
import { lockFolder } from "./folderLock.ts";
import { prepareRestore } from "./restoreArchive.ts";
import { commitRestore } from "./restoreSteps.ts";

/** A snapshot of a chain. */
export interface Snapshot {
  readonly name: string;
  /** Its newest masterchain block. */
  readonly seqno: number;
  /** The time of that block, and when the snapshot was made; Unix seconds. */
  readonly chainTime: number;
  readonly madeAt: number;
  readonly bytes: number;
}

/** A snapshot that is checked and unpacked. */
export interface PreparedSnapshot {
  readonly seqno: number;
  /** Replaces the chain; the result undoes that. */
  readonly commit: () => Promise<{ readonly undo: () => Promise<void> }>;
}

const archiveEnd = ".chain";
const factsEnd = ".json";
/** The chain before its first block, for as long as it is unpacked. */
const genesisName = "genesis.tmp";
const whole = intArg({ min: 0, max: 2 ** 32 - 1 });
const facts = { seqno: whole, chainTime: whole, madeAt: whole };
const allowedName = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** Named snapshots of a chain, each in its own archive. A snapshot is durable when it is made. */
export class SnapshotFolder {
  readonly #folder: string;
  readonly #files: FileSystem;
  readonly #log: Log;
  /** Snapshots that are being made. */
  readonly #making = new Set<string>();

  constructor(folder: string, { files, log }: { readonly files: FileSystem; readonly log: Log }) {
    this.#folder = folder;
    this.#files = files;
    this.#log = log;
  }

  /**
   * Removes what a process that was killed left unfinished, which may be as large as a chain. Only the process that
   * holds the lock of the chain may do so.
   */
  removeUnfinished(): void {
    if (!this.#files.exists(this.#folder)) return;
    const ends = [archiveEnd, factsEnd, genesisName].map((end) => `${end}${unfinishedEnd}`);
    const isUnfinished = (name: string) => name === genesisName || ends.some((end) => name.endsWith(end));
    for (const name of this.#files.list(this.#folder).filter(isUnfinished)) {
      const path = join(this.#folder, name);
      try {
        this.#files.remove(path);
        this.#log.info(`removed ${path}, which was not finished`);
      } catch (error) {
        // It only takes space: no reason not to start.
        this.#log.warn(`${path} was not finished and cannot be removed`, { error });
      }
    }
  }

  /** All snapshots; one whose description cannot be read is left out and logged. */
  list(): readonly Snapshot[] {
    const snapshots = this.#names().flatMap((name) => this.#find(name) ?? []);
    return snapshots.sort((a, b) => a.madeAt - b.madeAt || a.seqno - b.seqno);
  }

  /** Adds a snapshot, whose archive is written to the path that it is given. One that it replaces stays until then. */
  async make(
    name: string,
    made: Omit<Snapshot, "name" | "bytes">,
    writeArchive: (path: string) => Promise<void>,
    replaces = false,
  ): Promise<Snapshot> {
    checkName(name);
    if (this.#making.has(name) || (!replaces && this.#files.exists(this.#archive(name))))
      throw new LocalnetError("localnet/snapshot", `snapshot ${name} exists already; delete it first`);
    this.#making.add(name);
    try {
      this.#files.makeFolder(this.#folder);
      closeToOthers(this.#folder);
      const { seqno, chainTime, madeAt } = made;
      const text = `${formatJson({ seqno, chainTime, madeAt })}\n`;
      writeWhole(this.#facts(name), new TextEncoder().encode(text), this.#files);
      await writeArchive(this.#archive(name));
      return this.#read(name);
    } finally {
      this.#making.delete(name);
    }
  }

  /** Adds a snapshot that was made elsewhere; its archive is checked when it is restored. */
  add(name: string, made: Omit<Snapshot, "name" | "bytes">, archive: Uint8Array, replaces: boolean): Promise<Snapshot> {
    return this.make(name, made, async (path) => writeWhole(path, archive, this.#files), replaces);
  }

  /** The archive of a snapshot, which must not be larger. */
  read(name: string, maxBytes: number): Uint8Array {
    const { path, bytes } = this.getArchive(name);
    if (bytes > maxBytes) {
      const advice = "tongate snapshot export writes a file of any size";
      throw new LocalnetError("localnet/snapshot", `snapshot ${name} has more than ${maxBytes} bytes; ${advice}`);
    }
    return readWhole(path, this.#files);
  }

  delete(name: string): Snapshot {
    this.#check(name);
    const snapshot = this.#find(name);
    const bytes = this.#files.size(this.#archive(name));
    this.#files.remove(this.#archive(name));
    this.#files.remove(this.#facts(name));
    return snapshot ?? { name, seqno: 0, chainTime: 0, madeAt: 0, bytes };
  }

  get(name: string): Snapshot {
    this.#check(name);
    return this.#read(name);
  }

  /** The file of a snapshot, as `localnet --restore` takes it. */
  getArchive(name: string): { readonly path: string; readonly bytes: number } {
    this.#check(name);
    const path = this.#archive(name);
    return { path, bytes: this.#files.size(path) };
  }

  /**
   * Checks a snapshot whole and unpacks it beside the chain of a folder, which does not change before `commit` is
   * called, when nobody uses the chain.
   */
  async prepare(name: string, folder: string): Promise<PreparedSnapshot> {
    this.#check(name);
    return this.#unpack(this.#archive(name), folder, this.#find(name)?.seqno);
  }

  /** Prepares the chain of a folder without its blocks. */
  async prepareGenesis(folder: string): Promise<PreparedSnapshot> {
    this.#files.makeFolder(this.#folder);
    closeToOthers(this.#folder);
    const path = join(this.#folder, genesisName);
    await archiveChain(folder, 0, path, this.#files);
    try {
      return await this.#unpack(path, folder, 0);
    } finally {
      this.#files.remove(path);
    }
  }

  async #unpack(path: string, folder: string, seqno: number | undefined): Promise<PreparedSnapshot> {
    const modules = { files: this.#files, log: this.#log };
    const { head } = await prepareRestore(path, folder, modules, seqno);
    const commit = async () => {
      const { undo } = await withLock(folder, () => commitRestore(folder, modules));
      return { undo: () => withLock(folder, undo) };
    };
    return { seqno: head?.seqno ?? 0, commit };
  }

  #check(name: string): void {
    checkName(name);
    if (this.#files.exists(this.#archive(name))) return;
    const names = this.#names();
    const known = names.length === 0 ? "there are no snapshots" : `use one of: ${names.join(", ")}`;
    throw new LocalnetError("localnet/snapshot", `snapshot ${name} does not exist; ${known}`);
  }

  #names(): readonly string[] {
    if (!this.#files.exists(this.#folder)) return [];
    const archives = this.#files.list(this.#folder).filter((name) => name.endsWith(archiveEnd));
    return archives.map((name) => name.slice(0, -archiveEnd.length));
  }

  #find(name: string): Snapshot | undefined {
    try {
      return this.#read(name);
    } catch (error) {
      if (!isCoded(error, "localnet/snapshot")) throw error;
      this.#log.warn(error.message);
      return undefined;
    }
  }

  #read(name: string): Snapshot {
    const path = this.#facts(name);
    try {
      const text = readWhole(path, this.#files).toString("utf8");
      return { name, ...decodeArgs(facts, Object(parseJson(text))), bytes: this.#files.size(this.#archive(name)) };
    } catch (cause) {
      if (!isCoded(cause)) throw cause;
      const advice = `its chain in ${this.#archive(name)} can still be restored, exported or deleted`;
      const message = `the description of snapshot ${name} cannot be read (${cause.message}); ${advice}`;
      throw new LocalnetError("localnet/snapshot", message, { cause });
    }
  }

  #archive(name: string): string {
    return join(this.#folder, `${name}${archiveEnd}`);
  }

  #facts(name: string): string {
    return join(this.#folder, `${name}${factsEnd}`);
  }
}

async function withLock<T>(folder: string, work: () => T): Promise<T> {
  const lock = await lockFolder(folder);
  try {
    return work();
  } finally {
    lock.release();
  }
}

function checkName(name: string): void {
  if (!allowedName.test(name)) {
    const rule = "1 to 64 letters, digits, dots, dashes and underscores";
    throw new LocalnetError("localnet/snapshot", `a snapshot cannot be called "${name}"; its name has ${rule}`);
  }
}
