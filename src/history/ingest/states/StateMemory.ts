import { readRoot, writeBoc } from "../../../cell/boc.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { Lru, type LruCounters } from "../../../lib/lru.ts";
import type { Address } from "../../../model/Address.ts";
import type { Hash } from "../../../model/Hash.ts";

/** A tree below an account's cell, written down: as cells it would hold on to the blocks its parts came with. */
export interface KeptTree {
  readonly hash: Hash;
  readonly boc: Uint8Array;
}

export interface StateMemoryOptions {
  /** What the trees of accounts may weigh together; 24 MB when not said. */
  readonly stateBytes?: number;
  /** What codes may weigh together; 16 MB when not said. */
  readonly codeBytes?: number;
  /** What large trees may weigh as cells, those that were read again lately; 8 MB when not said. */
  readonly treeBytes?: number;
}

/** Objects and text around an entry. */
const entryBytes = 300;
/** What a tree weighs as cells, by the byte of its bag. */
const cellsPerByte = 4;
/** Smaller trees are read again as fast as they are found. */
const largeBytes = 2_048;

/**
 * What was last seen of accounts, as much as fits: of each account the trees below its cell but the code, and codes by
 * their hash. Whoever takes from it compares hashes, so nothing here can be out of date.
 */
export class StateMemory {
  readonly #states: Lru<Address, readonly KeptTree[]>;
  readonly #codes: Lru<Hash, Cell>;
  /** Large accounts that every masterchain block touches and hardly any changes would be read and hashed each time. */
  readonly #opened: Lru<Hash, Cell>;

  constructor(options: StateMemoryOptions = {}) {
    const { stateBytes = 24 << 20, codeBytes = 16 << 20, treeBytes = 8 << 20 } = options;
    const sizeOfCells = (root: Cell): number => root.bytes.length * cellsPerByte + entryBytes;
    const sizeOfTrees = (trees: readonly KeptTree[]): number =>
      trees.reduce((sum, { boc }) => sum + boc.length + entryBytes, entryBytes);
    this.#states = new Lru({ maxBytes: stateBytes, sizeOf: sizeOfTrees });
    this.#codes = new Lru({ maxBytes: codeBytes, sizeOf: sizeOfCells });
    this.#opened = new Lru({ maxBytes: treeBytes, sizeOf: sizeOfCells });
  }

  findTrees(address: Address): readonly KeptTree[] | undefined {
    return this.#states.find(address);
  }

  keepTrees(address: Address, trees: readonly KeptTree[]): void {
    this.#states.set(address, trees);
  }

  /** A tree as cells, in a bag of their own. */
  openTree({ hash, boc }: KeptTree): Cell {
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

  /** Keeps a code, in a bag of its own, and gives it as it is kept. */
  keepCode(code: Cell): { readonly code: Cell; readonly boc: Uint8Array } {
    const boc = writeBoc(code);
    const kept = readRoot(boc);
    this.#codes.set(kept.hash(), kept);
    return { code: kept, boc };
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
