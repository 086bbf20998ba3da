import type { BlockIdExt } from "../../../model/block/BlockId.ts";

/** Knows the newest proved masterchain block. */
export interface Heads {
  /** The newest block, as soon as its seqno is at least this one; rejects with the reason of the signal. */
  reach(seqno: number, signal: AbortSignal): Promise<BlockIdExt>;
}
