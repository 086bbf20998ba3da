import type { Cell } from "../../cell/Cell.ts";
import type { Address } from "../../model/Address.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import type { Hash } from "../../model/Hash.ts";
import type { TraceTransaction } from "../../model/Trace.ts";
import type { BatchRows } from "../store/BatchRows.ts";

/** A block whose bytes are those its id names. */
export interface FetchedBlock {
  readonly id: BlockIdExt;
  readonly root: Cell;
}

/** A masterchain block and the shard blocks that it commits and the one before it did not. */
export interface BlockBatch {
  readonly mcSeqno: number;
  readonly master: FetchedBlock;
  /** In an order in which every block stands behind those it follows. */
  readonly shardBlocks: readonly FetchedBlock[];
  /** The top block of every shard by this masterchain block; a shard that has no block yet stands here with seqno 0. */
  readonly tops: readonly BlockIdExt[];
  /** What the chain begins with; only the first masterchain block has it, where a server hands it out. */
  readonly zeroStates?: readonly FetchedBlock[];
  /** The global version by the configuration that this masterchain block leaves. */
  readonly globalVersion: number;
}

/** A transaction on its way into the tables: what traces see of it, and where it stands. */
export interface DecodedTransaction {
  readonly seen: TraceTransaction;
  /** In the order of the tables: the row without its trace. */
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

/** A new state of an account, whole, checked by its hash. */
export interface AccountAfter extends ChangedAccount {
  /** The cell of the account (`account$1` or `account_none$0`). */
  readonly cell: Cell;
  readonly code: Cell | undefined;
  readonly data: Cell | undefined;
}

/** What is read from the blocks of a batch alone. */
export interface DecodedBatch {
  readonly batch: BlockBatch;
  readonly rows: Pick<BatchRows, "blocks" | "shardState" | "messages" | "messageContents">;
  /** By lt, then workchain, then account, as traces are assembled. */
  readonly transactions: readonly DecodedTransaction[];
  readonly changed: readonly ChangedAccount[];
}
