import { type BlockIdExt, sameBlock } from "../../model/block/BlockId.ts";
import type { BlockInfo } from "../../model/block/BlockInfo.ts";
import type { BlockTimes } from "./BlockTable.ts";

/** A shard block that its round has made. */
export interface MadeShardBlock {
  readonly id: BlockIdExt;
  readonly info: BlockInfo;
  readonly bytes: Uint8Array;
}

/** The same in the form of a block of the ledger. */
interface PendingShardBlock extends MadeShardBlock {
  readonly masterSeqno: 0;
  readonly times: BlockTimes;
}

/** The shard blocks of the round under way, until the masterchain block that commits them is in the ledger. */
export class PendingShardBlocks {
  #blocks: readonly PendingShardBlock[] = [];

  /** The newest block of each shard above those that the masterchain commits. */
  list(): readonly PendingShardBlock[] {
    return this.#blocks;
  }

  find(id: BlockIdExt): PendingShardBlock | undefined {
    return this.#blocks.find((block) => sameBlock(block.id, id));
  }

  show(made: readonly MadeShardBlock[]): void {
    this.#blocks = made.map(({ id, info, bytes }) => {
      const { genUtime, endLt } = info;
      return { id, info, bytes, masterSeqno: 0, times: { genUtime, endLt } };
    });
  }

  clear(): void {
    this.#blocks = [];
  }
}
