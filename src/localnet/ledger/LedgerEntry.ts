import { readRoot } from "../../cell/boc.ts";
import { loadCell } from "../../cell/codec.ts";
import { Block } from "../../model/block/Block.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import type { BlockInfo } from "../../model/block/BlockInfo.ts";

/** The data kept of every block. A long chain has many, so only the id is kept permanently; the rest is read again. */
export class LedgerEntry {
  readonly id: BlockIdExt;
  /** The first masterchain block that commits this one; 0 while none does. */
  masterSeqno = 0;
  readonly #readAgain: () => Uint8Array;
  #info: WeakRef<BlockInfo>;

  constructor(id: BlockIdExt, info: BlockInfo, readAgain: () => Uint8Array) {
    this.id = id;
    this.#info = new WeakRef(info);
    this.#readAgain = readAgain;
  }

  get bytes(): Uint8Array {
    return this.#readAgain();
  }

  get info(): BlockInfo {
    const known = this.#info.deref();
    if (known !== undefined) return known;
    const info = loadCell(Block, readRoot(this.#readAgain())).info.load();
    this.#info = new WeakRef(info);
    return info;
  }
}
