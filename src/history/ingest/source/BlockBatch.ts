import type { Cell } from "../../../cell/Cell.ts";
import { loadCell } from "../../../cell/codec.ts";
import { Block } from "../../../model/block/Block.ts";
import type { BlockIdExt } from "../../../model/block/BlockId.ts";
import type { BlockInfo } from "../../../model/block/BlockInfo.ts";
import type { Config } from "../../../model/config/ConfigParams.ts";
import type { Hash } from "../../../model/Hash.ts";

/** A block verified against the hashes of its id. */
export interface FetchedBlock {
  readonly id: BlockIdExt;
  readonly root: Cell;
  /** Its contents, as far as the source has read them. */
  readonly read?: ReadBlock;
}

interface ReadBlock {
  readonly block: Block;
  readonly info: BlockInfo;
}

export function readFetched({ root, read }: FetchedBlock): ReadBlock {
  if (read !== undefined) return read;
  const block = loadCell(Block, root);
  return { block, info: block.info.load() };
}

/** A masterchain block and the shard blocks that it newly commits. */
export interface BlockBatch {
  readonly mcSeqno: number;
  readonly master: FetchedBlock;
  /** Every block comes after its predecessors. */
  readonly shardBlocks: readonly FetchedBlock[];
  /** The top block of every shard at this masterchain block; a shard without blocks has seqno 0. */
  readonly tops: readonly BlockIdExt[];
  /** The zero states; only the first masterchain block has them, if a server provides them. */
  readonly zeroStates?: readonly FetchedBlock[];
  /** The global version in the configuration after this masterchain block. */
  readonly globalVersion: number;
  /** The elector in the same configuration, an account of the masterchain. */
  readonly elector?: Hash | undefined;
  /** The configuration, when this masterchain block changes it. */
  readonly keyConfig?: Config | undefined;
}

/** Memory of parsed and hashed cells per byte of their bag. */
const readPerByte = 3;

/** Memory that the blocks of a batch take while any of their cells is referenced. */
export function weighBlocks({ master, shardBlocks }: Pick<BlockBatch, "master" | "shardBlocks">): number {
  return readPerByte * shardBlocks.reduce((sum, { root }) => sum + root.bytes.length, master.root.bytes.length);
}
