import { join } from "node:path";
import { crcForm, readRoot, writeBocInSteps } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { hashInSteps } from "../../cell/hashInSteps.ts";
import { packTree } from "../../cell/packTree.ts";
import { weighCells } from "../../cell/weighCells.ts";
import { isCoded, LibError } from "../../lib/errors.ts";
import type { FileSystem } from "../../lib/files/FileSystem.ts";
import { readWhole, writeWholeLater } from "../../lib/files/writeWhole.ts";
import { Lru } from "../../lib/lru.ts";
import { runInTurns } from "../../lib/sharing/steps.ts";
import type { Hash } from "../../model/Hash.ts";
import type { TurnPause } from "../collate/BlockInput.ts";
import { LocalnetError } from "../errors.ts";

/** Memory for the trees that were read last. */
const openedBytes = 4 << 20;

/**
 * Trees that many states share, each in a file that bears its hash. Memory has their roots only: the cells below one
 * are read again when they are touched.
 */
export class TreeStore {
  readonly #folder: string;
  readonly #files: FileSystem;
  readonly #roots = new Map<Hash, Cell>();
  readonly #opened = new Lru<Hash, Cell>({ maxBytes: openedBytes, sizeOf: (root) => weighCells(root) });

  constructor(folder: string, files: FileSystem) {
    this.#folder = folder;
    this.#files = files;
  }

  /** Stores a tree, unless this process has found it in its file before. */
  async put(tree: Cell, pause: TurnPause): Promise<void> {
    await runInTurns(hashInSteps(tree), pause);
    const hash = tree.hash();
    if (this.#roots.has(hash)) return;
    const bag = await runInTurns(writeBocInSteps(tree, crcForm), pause);
    this.#files.makeFolder(this.#folder);
    await writeWholeLater(this.#path(hash), [bag], this.#files);
    this.#keep(hash, tree);
  }

  /** The root of a stored tree. */
  find(hash: Hash): Cell | undefined {
    const known = this.#roots.get(hash);
    if (known !== undefined || !this.#files.exists(this.#path(hash))) return known;
    return this.#keep(hash, this.#open(hash));
  }

  #keep(hash: Hash, tree: Cell): Cell {
    const root = packTree(tree, () => this.#open(hash));
    this.#roots.set(hash, root);
    return root;
  }

  #open(hash: Hash): Cell {
    const known = this.#opened.find(hash);
    if (known !== undefined) return known;
    const root = this.#read(hash);
    this.#opened.set(hash, root);
    return root;
  }

  /** A file that cannot be used is a failure of storage: no message is blamed for it. */
  #read(hash: Hash): Cell {
    const path = this.#path(hash);
    try {
      const root = readRoot(readWhole(path, this.#files));
      if (root.hash() === hash) return root;
      throw new LocalnetError("localnet/data", `it has the tree ${root.hash()}`);
    } catch (error) {
      if (!isCoded(error) || error.code === "lib/storage") throw error;
      const text = `cannot use ${path}: ${error.message}; start again, which makes it again from the blocks`;
      throw new LibError("lib/storage", text, { data: { path, reason: error.code }, cause: error });
    }
  }

  #path(hash: Hash): string {
    return join(this.#folder, `${hash}.tree`);
  }
}
