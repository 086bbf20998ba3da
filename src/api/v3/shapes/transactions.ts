import type { AccountStateRow, FullTransaction } from "../../../history/queries/fill/FullTransaction.ts";
import { bool, decimal, field, int, list, nullable, omittable, shape, text } from "../../../lib/kit/shape.ts";
import type { Hash } from "../../../model/Hash.ts";
import { blockRef } from "./blocks.ts";
import { description } from "./description.ts";
import { messageShape } from "./messages.ts";
import { address, boc, extraCurrencies, hash, named, word } from "./scalars.ts";

const status = word("uninit", "frozen", "active", "nonexist");

/** The state of an account before or after a transaction. */
export interface StateAround {
  readonly hash: Hash;
  /** Absent when it is not indexed. */
  readonly row: AccountStateRow | undefined;
}

const noBytes = omittable(boc)((): Uint8Array | undefined => undefined);

const accountState = named(
  "AccountState",
  shape<StateAround>()({
    hash: hash((s) => s.hash),
    balance: nullable(decimal)((s) => s.row?.balance),
    extra_currencies: nullable(extraCurrencies)((s) => (s.row === undefined ? undefined : (s.row.balanceExtra ?? {}))),
    account_status: nullable(status)((s) => s.row?.status),
    frozen_hash: nullable(hash)((s) => s.row?.frozenHash),
    data_hash: nullable(hash)((s) => s.row?.dataHash),
    code_hash: nullable(hash)((s) => s.row?.codeHash),
    data_boc: noBytes,
    code_boc: noBytes,
  }),
);

/** How an indexed transaction differs from a predicted one. */
export interface TransactionContext {
  readonly emulated: boolean;
  readonly finality: "pending" | "confirmed" | "finalized";
  /** The external message that began the trace. */
  readonly traceExternalHash: Hash | undefined;
  /** Absent before its trace has one. */
  readonly traceId: Hash | undefined;
}

/** A transaction and its finality. */
export interface TransactionInContext {
  readonly transaction: FullTransaction;
  readonly context: TransactionContext;
}

/** The phases of a transaction; a predicted one always has two flags. v3-types.md §2.2 */
const standingDescription = field({
  schema: description.schema,
  encode: ({ transaction, context }: TransactionInContext) => {
    const encoded = description.encode(transaction.description);
    if (!context.emulated) return encoded;
    return { ...encoded, is_tock: encoded.is_tock ?? false, installed: encoded.installed ?? false };
  },
});

/** A transaction of any finality; an indexed one is `transaction`. */
export const transactionInContext = named(
  "Transaction",
  shape<TransactionInContext>()({
    account: address((t) => t.transaction.row.account),
    hash: hash((t) => t.transaction.row.hash),
    lt: decimal((t) => t.transaction.row.lt),
    now: int((t) => t.transaction.row.now),
    mc_block_seqno: int((t) => t.transaction.row.mcBlockSeqno),
    trace_id: omittable(hash)((t) => t.context.traceId),
    trace_external_hash: omittable(hash)((t) => t.context.traceExternalHash),
    prev_trans_hash: hash((t) => t.transaction.row.prevTransHash),
    prev_trans_lt: decimal((t) => t.transaction.row.prevTransLt),
    orig_status: status((t) => t.transaction.row.origStatus),
    end_status: status((t) => t.transaction.row.endStatus),
    total_fees: decimal((t) => t.transaction.row.totalFees),
    total_fees_extra_currencies: extraCurrencies((t) => t.transaction.row.totalFeesExtra),
    description: standingDescription((t) => t),
    block_ref: blockRef(({ transaction: { row } }) => ({
      workchain: row.blockWorkchain,
      shard: row.blockShard,
      seqno: row.blockSeqno,
    })),
    in_msg: nullable(messageShape)((t) => t.transaction.inMessage),
    out_msgs: list(messageShape)((t) => t.transaction.outMessages),
    account_state_before: accountState(({ transaction: { row, stateBefore } }) => ({
      hash: row.stateHashBefore,
      row: stateBefore,
    })),
    account_state_after: accountState(({ transaction: { row, stateAfter } }) => ({
      hash: row.stateHashAfter,
      row: stateAfter,
    })),
    emulated: bool((t) => t.context.emulated),
    finality: text((t) => t.context.finality),
  }),
);

/** An indexed transaction, which is final. */
export const transaction = field({
  schema: transactionInContext.schema,
  encode: (value: FullTransaction) =>
    transactionInContext.encode({
      transaction: value,
      context: {
        emulated: false,
        finality: "finalized",
        traceExternalHash: value.traceExternalHash,
        traceId: value.row.traceId,
      },
    }),
});
