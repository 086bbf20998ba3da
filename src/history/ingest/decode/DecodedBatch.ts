import type { Cell } from "../../../cell/Cell.ts";
import type { Address } from "../../../model/Address.ts";
import type { BlockIdExt } from "../../../model/block/BlockId.ts";
import type { Hash } from "../../../model/Hash.ts";
import type { TraceTransaction } from "../../../model/Trace.ts";
import type { BatchRows } from "../../store/write/BatchRows.ts";
import type { BlockBatch } from "../source/BlockBatch.ts";

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
  /** The account before the block, of accounts with a code of which that is asked for. */
  readonly before?: Cell;
}

/** Everything that is decoded from the blocks of a batch alone. */
export interface DecodedBatch {
  readonly batch: BlockBatch;
  readonly rows: Pick<BatchRows, "blocks" | "shardState" | "messages">;
  /** Ordered by lt, workchain and account, as trace assembly needs them. */
  readonly transactions: readonly DecodedTransaction[];
  readonly changed: readonly ChangedAccount[];
}

/** The first logical time of the blocks. */
export function startOf({ rows }: DecodedBatch): bigint {
  return rows.blocks.reduce((least, { startLt }) => (startLt < least ? startLt : least), rows.blocks[0]?.startLt ?? 0n);
}

/** Normalized hashes of external messages, where they differ from the plain hashes. */
export function normalizedOf({ rows }: DecodedBatch): ReadonlyMap<Hash, Hash> {
  const normalized = new Map<Hash, Hash>();
  for (const { hash, hashNorm } of rows.messages)
    if (hashNorm !== undefined && hashNorm !== hash) normalized.set(hash, hashNorm);
  return normalized;
}
