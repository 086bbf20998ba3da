import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { formatJson, parseJson } from "../../lib/json.ts";
import { decodeArgs } from "../../lib/kit/arg.ts";
import { intArg } from "../../lib/kit/basicArgs.ts";
import { LocalnetError } from "../errors.ts";
import { restoreChain } from "./chainArchive.ts";
import { chainFiles } from "./chainFiles.ts";
import { writeWhole } from "./writeWhole.ts";

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

const archiveEnd = ".chain";
const factsEnd = ".json";
const whole = intArg({ min: 0, max: 2 ** 32 - 1 });
const facts = { seqno: whole, chainTime: whole, madeAt: whole };
const allowedName = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** Named snapshots of a chain, each in its own archive. */
export class SnapshotFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  list(): readonly Snapshot[] {
    if (!existsSync(this.#folder)) return [];
    const names = readdirSync(this.#folder).filter((name) => name.endsWith(archiveEnd));
    const found = names.map((name) => this.#read(name.slice(0, -archiveEnd.length)));
    return found.sort((a, b) => a.madeAt - b.madeAt || a.seqno - b.seqno);
  }

  /** Adds a snapshot, whose archive is written to the path that it is given. */
  make(name: string, made: Omit<Snapshot, "name" | "bytes">, writeArchive: (path: string) => void): Snapshot {
    checkName(name);
    if (existsSync(this.#archive(name)))
      throw new LocalnetError("localnet/snapshot", `there is a snapshot ${name} already; delete it first`);
    mkdirSync(this.#folder, { recursive: true });
    const { seqno, chainTime, madeAt } = made;
    writeWhole(this.#facts(name), new TextEncoder().encode(`${formatJson({ seqno, chainTime, madeAt })}\n`));
    writeArchive(this.#archive(name));
    return this.#read(name);
  }

  delete(name: string): Snapshot {
    const found = this.get(name);
    rmSync(this.#archive(name));
    rmSync(this.#facts(name));
    return found;
  }

  get(name: string): Snapshot {
    checkName(name);
    if (existsSync(this.#archive(name))) return this.#read(name);
    const names = this.list().map((each) => each.name);
    const known = names.length === 0 ? "there are none" : `there are: ${names.join(", ")}`;
    throw new LocalnetError("localnet/snapshot", `there is no snapshot ${name}; ${known}`);
  }

  /** The archive of a snapshot, as `localnet --restore` takes it. */
  readArchive(name: string): Uint8Array {
    this.get(name);
    return readFileSync(this.#archive(name));
  }

  /**
   * Replaces the chain in an unused folder with that of a snapshot; returns functions that undo it or make it final.
   */
  restore(name: string, folder: string): { readonly undo: () => void; readonly finish: () => void } {
    this.get(name);
    const aside = join(folder, "replaced");
    rmSync(aside, { recursive: true, force: true });
    mkdirSync(aside);
    move(folder, aside);
    const undo = (): void => {
      for (const file of Object.values(chainFiles)) rmSync(join(folder, file), { recursive: true, force: true });
      move(aside, folder);
      rmSync(aside, { recursive: true, force: true });
    };
    try {
      restoreChain(this.#archive(name), folder);
    } catch (error) {
      undo();
      throw error;
    }
    return { undo, finish: () => rmSync(aside, { recursive: true, force: true }) };
  }

  #read(name: string): Snapshot {
    const text = readFileSync(this.#facts(name), "utf8");
    return { name, ...decodeArgs(facts, Object(parseJson(text))), bytes: statSync(this.#archive(name)).size };
  }

  #archive(name: string): string {
    return join(this.#folder, `${name}${archiveEnd}`);
  }

  #facts(name: string): string {
    return join(this.#folder, `${name}${factsEnd}`);
  }
}

function checkName(name: string): void {
  if (!allowedName.test(name)) {
    const rule = "1 to 64 letters, digits, dots, dashes and underscores";
    throw new LocalnetError("localnet/snapshot", `a snapshot cannot be called "${name}"; its name has ${rule}`);
  }
}

function move(from: string, to: string): void {
  for (const file of Object.values(chainFiles))
    if (existsSync(join(from, file))) renameSync(join(from, file), join(to, file));
}
