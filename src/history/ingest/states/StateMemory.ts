import { readRoot, writeBoc } from "../../../cell/boc.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { weighCells } from "../../../cell/weighCells.ts";
import { Lru, type LruCounters } from "../../../lib/lru.ts";
import type { Address } from "../../../model/Address.ts";
import type { Hash } from "../../../model/Hash.ts";

/** A tree below an account's cell, serialized: as cells it would keep whole blocks in memory. */
export interface CachedTree {
  readonly hash: Hash;
  readonly boc: Uint8Array;
}

export interface StateMemoryOptions {
  /** Memory limit for trees of accounts; 24 MB by default. */
  readonly stateBytes?: number;
  /** Memory limit for codes; 16 MB by default. */
  readonly codeBytes?: number;
  /** Memory limit for large trees as cells, recently read; 8 MB by default. */
  readonly treeBytes?: number;
}

/** Overhead of an entry. */
const entryBytes = 300;
/** Smaller trees are parsed and hashed as fast as they are looked up. */
const largeBytes = 256;

/**
 * Recent account states within a memory limit: the trees below each account's cell except the code, and codes by hash.
 * Callers compare hashes, so nothing here can be out of date.
 */
export class StateMemory {
  readonly #states: Lru<Address, readonly CachedTree[]>;
  readonly #codes: Lru<Hash, Cell>;
  /** Large accounts that every masterchain block reads but rarely changes would be parsed and hashed each time. */
  readonly #opened: Lru<Hash, Cell>;

  constructor(options: StateMemoryOptions = {}) {
    const { stateBytes = 24 << 20, codeBytes = 16 << 20, treeBytes = 8 << 20 } = options;
    const sizeOfCells = (root: Cell): number => weighCells(root) + entryBytes;
    const sizeOfTrees = (trees: readonly CachedTree[]): number =>
      trees.reduce((sum, { boc }) => sum + boc.length + entryBytes, entryBytes);
    this.#states = new Lru({ maxBytes: stateBytes, sizeOf: sizeOfTrees });
    this.#codes = new Lru({ maxBytes: codeBytes, sizeOf: sizeOfCells });
    this.#opened = new Lru({ maxBytes: treeBytes, sizeOf: sizeOfCells });
  }

  findTrees(address: Address): readonly CachedTree[] | undefined {
    return this.#states.find(address);
  }

  keepTrees(address: Address, trees: readonly CachedTree[]): void {
    // Nobody reads an earlier state again: an account that changes with every block would fill the memory.
    for (const { hash } of this.#states.find(address) ?? [])
      if (!trees.some((each) => each.hash === hash)) this.#opened.delete(hash);
    this.#states.set(address, trees);
  }

  /** A tree as cells, in its own bag. */
  openTree({ hash, boc }: CachedTree): Cell {
    if (boc.length < largeBytes) return readRoot(boc);
    const known = this.#opened.find(hash);
    if (known !== undefined) return known;
    const opened = readRoot(boc);
    this.#opened.set(hash, opened);
    return opened;
  }

  findCode(hash: Hash): Cell | undefined {
    return this.#codes.find(hash);
  }

  /** Keeps a code in its own bag and returns that copy. */
  keepCode(code: Cell): { readonly code: Cell; readonly boc: Uint8Array } {
    const boc = writeBoc(code);
    const root = readRoot(boc);
    this.#codes.set(root.hash(), root);
    return { code: root, boc };
  }

  counters(): { readonly states: LruCounters; readonly codes: LruCounters } {
    return { states: this.#states.counters(), codes: this.#codes.counters() };
  }

  clear(): void {
    this.#states.clear();
    this.#codes.clear();
    this.#opened.clear();
  }
}
