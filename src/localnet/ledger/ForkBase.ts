import type { Cell } from "../../cell/Cell.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";

/** A block of another chain, and the state after it as far as it is known. */
export interface BaseBlock {
  readonly id: BlockIdExt;
  readonly bytes: Uint8Array;
  readonly state: Cell;
}

/** The blocks of another chain that a fork continues. */
export interface ForkBase {
  /** The zero state of both chains. */
  readonly zeroState: BlockIdExt;
  /** The last masterchain block of the other chain. */
  readonly master: BaseBlock;
  /** The shard blocks that it commits. */
  readonly shards: readonly BaseBlock[];
  /** Older masterchain blocks that code may ask for. */
  readonly older: readonly BlockIdExt[];
  /** The global id of the fork. */
  readonly globalId: number;
}
