import type { Cell } from "../../cell/Cell.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import type { ShardTop } from "../../model/block/ShardHashes.ts";

/** A block of another chain, and the state after it as far as it is known. */
export interface BaseBlock {
  readonly id: BlockIdExt;
  readonly bytes: Uint8Array;
  readonly state: Cell;
}

/** What a masterchain block of another chain saw. */
export interface SeenMaster {
  readonly endLt: bigint;
  readonly tops: readonly ShardTop[];
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
  /** What older masterchain blocks say of shards, by seqno, if the fork delivers the messages under way. */
  readonly seen?: ReadonlyMap<number, SeenMaster> | undefined;
  /** The global id of the fork. */
  readonly globalId: number;
}
