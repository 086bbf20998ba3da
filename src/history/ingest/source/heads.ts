import type { BlockIdExt } from "../../../model/block/BlockId.ts";

/** Who knows the newest masterchain block that is proved. */
export interface Heads {
  /** The newest block, as soon as its seqno is at least the one given; rejects with the signal's reason. */
  reach(seqno: number, signal: AbortSignal): Promise<BlockIdExt>;
}
