import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import type { Address } from "../../model/Address.ts";
import { Block } from "../../model/block/Block.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import type { BlockInfo } from "../../model/block/BlockInfo.ts";
import type { Hash } from "../../model/Hash.ts";
import type { TraceTransaction } from "../../model/Trace.ts";
import type { BatchRows } from "../store/BatchRows.ts";

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
}

/** A decoded transaction: what trace assembly reads, and its row. */
export interface DecodedTransaction {
  readonly seen: TraceTransaction;
  /** The row without its trace id. */
  readonly row: Omit<BatchRows["transactions"][number], "traceId">;
}

/** An account after its last transaction in a block. */
export interface ChangedAccount {
  readonly address: Address;
  readonly block: BlockIdExt;
  readonly stateHash: Hash;
  readonly lastTransHash: Hash;
  readonly lastTransLt: bigint;
  readonly now: number;
}

/** A new account state, complete and verified by its hash. */
export interface AccountAfter extends ChangedAccount {
  /** The cell of the account (`account$1` or `account_none$0`). */
  readonly cell: Cell;
  readonly code: Cell | undefined;
  readonly data: Cell | undefined;
  /** The hash of the code before the block, where it is asked for; the block may not show it. */
  readonly codeBefore?: Hash | "hidden" | undefined;
}

/** Everything that is decoded from the blocks of a batch alone. */
export interface DecodedBatch {
  readonly batch: BlockBatch;
  readonly rows: Pick<BatchRows, "blocks" | "shardState" | "messages">;
  /** Ordered by lt, workchain and account, as trace assembly needs them. */
  readonly transactions: readonly DecodedTransaction[];
  readonly changed: readonly ChangedAccount[];
}
