import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { type FileSystem, type OpenFile, systemFiles } from "../../../src/lib/files/FileSystem.ts";
import { readWhole } from "../../../src/lib/files/writeWhole.ts";

interface FileNode {
  readonly kind: "file";
  /** What a loss of power leaves. */
  synced: Buffer;
}

interface FolderNode {
  readonly kind: "folder";
  readonly names: Map<string, Node>;
  /** The names that a loss of power leaves. */
  synced: ReadonlyMap<string, Node>;
}

type Node = FileNode | FolderNode;

/** The end of the process, at a step of its work with files. */
export class Crash extends Error {}

/**
 * The files of a folder that remembers what was synced. It ends the process at a step: that step and all later ones
 * throw. `leaveSynced` then writes what a loss of power leaves; the folder itself is what `kill -9` leaves.
 */
export class RememberingFiles implements FileSystem {
  readonly #root: string;
  readonly #top: FolderNode;
  readonly #crashAt: number;
  /** Steps that change files. */
  steps = 0;

  constructor(root: string, crashAt = Number.POSITIVE_INFINITY) {
    this.#root = root;
    this.#crashAt = crashAt;
    this.#top = rememberFolder(root);
  }

  /** Writes what a loss of power leaves to another folder. */
  leaveSynced(target: string): void {
    leave(this.#top, target);
  }

  open(path: string, flags: "r" | "r+" | "w" | "a"): OpenFile {
    if (flags === "w" || flags === "a") this.#step();
    const real = systemFiles.open(path, flags);
    const node = this.#fileAt(path);
    return {
      ...real,
      write: (...args) => {
        this.#step();
        return real.write(...args);
      },
      writeLater: async (...args) => {
        this.#step();
        return real.writeLater(...args);
      },
      truncate: (length) => {
        this.#step();
        real.truncate(length);
      },
      sync: () => {
        this.#step();
        real.sync();
        node.synced = readWhole(path);
      },
      syncLater: async () => {
        this.#step();
        await real.syncLater();
        node.synced = readWhole(path);
      },
    };
  }

  exists(path: string): boolean {
    return systemFiles.exists(path);
  }

  size(path: string): number {
    return systemFiles.size(path);
  }

  list(folder: string): readonly string[] {
    return systemFiles.list(folder);
  }

  makeFolder(path: string): void {
    this.#step();
    systemFiles.makeFolder(path);
    let node = this.#top;
    for (const name of this.#namesOf(path)) {
      const next = node.names.get(name) ?? { kind: "folder", names: new Map(), synced: new Map() };
      if (next.kind !== "folder") throw new Error(`${path} is not a folder`);
      node.names.set(name, next);
      // Its name is durable, as the contract says.
      node.synced = new Map([...node.synced, [name, next]]);
      node = next;
    }
  }

  rename(from: string, to: string): void {
    this.#step();
    systemFiles.rename(from, to);
    const [source, name] = this.#parentOf(from);
    const [target, newName] = this.#parentOf(to);
    const node = source.names.get(name);
    if (node === undefined) throw new Error(`${from} is not known`);
    source.names.delete(name);
    target.names.set(newName, node);
  }

  remove(path: string): void {
    this.#step();
    systemFiles.remove(path);
    const [parent, name] = this.#parentOf(path);
    parent.names.delete(name);
  }

  syncFolder(path: string): void {
    this.#step();
    const node = this.#find(path);
    if (node?.kind === "folder") node.synced = new Map(node.names);
  }

  #step(): void {
    this.steps++;
    if (this.steps >= this.#crashAt) throw new Crash(`step ${this.steps}`);
  }

  #namesOf(path: string): readonly string[] {
    const names = relative(this.#root, path);
    return names === "" || names.startsWith("..") ? [] : names.split(sep);
  }

  #find(path: string): Node | undefined {
    let node: Node | undefined = this.#top;
    for (const name of this.#namesOf(path)) node = node?.kind === "folder" ? node.names.get(name) : undefined;
    return node;
  }

  #parentOf(path: string): readonly [FolderNode, string] {
    const parent = this.#find(join(path, ".."));
    const name = this.#namesOf(path).at(-1);
    if (parent?.kind !== "folder" || name === undefined) throw new Error(`${path} is in no known folder`);
    return [parent, name];
  }

  #fileAt(path: string): FileNode {
    const [parent, name] = this.#parentOf(path);
    const known = parent.names.get(name);
    if (known?.kind === "file") return known;
    const made: FileNode = { kind: "file", synced: Buffer.alloc(0) };
    parent.names.set(name, made);
    return made;
  }
}

/** What is there at the beginning is durable. */
function rememberFolder(path: string): FolderNode {
  const names = new Map<string, Node>();
  for (const name of systemFiles.list(path)) {
    const at = join(path, name);
    const isFolder = isFolderAt(at);
    names.set(name, isFolder ? rememberFolder(at) : { kind: "file", synced: readWhole(at) });
  }
  return { kind: "folder", names, synced: new Map(names) };
}

function isFolderAt(path: string): boolean {
  try {
    systemFiles.list(path);
    return true;
  } catch {
    return false;
  }
}

function leave(node: Node, target: string): void {
  if (node.kind === "file") {
    writeFileSync(target, node.synced);
    return;
  }
  mkdirSync(target, { recursive: true });
  for (const [name, inner] of node.synced) leave(inner, join(target, name));
}
