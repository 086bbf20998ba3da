import { readRoot } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import { Block } from "../../model/block/Block.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import type { BlockInfo } from "../../model/block/BlockInfo.ts";
import type { BlockTimes } from "./BlockTable.ts";

/** Where the rest of a block is. */
export interface EntrySource {
  readonly bytes: () => Uint8Array;
  readonly masterSeqno: () => number;
  readonly times: () => BlockTimes;
}

/**
 * A block in use. A long chain has many blocks, so only the last used of these are kept; they are made again on demand.
 */
export class LedgerEntry {
  readonly id: BlockIdExt;
  readonly #source: EntrySource;
  #info: BlockInfo | undefined;

  constructor(id: BlockIdExt, source: EntrySource, info?: BlockInfo) {
    this.id = id;
    this.#source = source;
    this.#info = info;
  }

  get bytes(): Uint8Array {
    return this.#source.bytes();
  }

  /** The first masterchain block that commits this one; 0 while none does. */
  get masterSeqno(): number {
    return this.#source.masterSeqno();
  }

  /** Known without reading the block. */
  get times(): BlockTimes {
    return this.#source.times();
  }

  get info(): BlockInfo {
    return this.#info ?? this.learn(readRoot(this.bytes));
  }

  /** Takes the header from the cells of the block, which somebody has read. */
  learn(root: Cell): BlockInfo {
    this.#info ??= loadCell(Block, root).info.load();
    return this.#info;
  }
}
