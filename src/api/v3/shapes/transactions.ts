import type { AccountStateRow, FullTransaction } from "../../../history/queries/fill/FullTransaction.ts";
import { formatEncoded } from "../../../lib/kit/deferredJson.ts";
import { bool, decimal, field, int, list, nullable, omittable, shape, text } from "../../../lib/kit/shape.ts";
import type { Hash } from "../../../model/Hash.ts";
import { blockRef } from "./blocks.ts";
import { description } from "./description.ts";
import { messageShape } from "./messages.ts";
import { accountStatus, address, boc, extraCurrencies, hash, named } from "./scalars.ts";

/** The state of an account before or after a transaction. */
export interface StateAround {
  readonly hash: Hash;
  /** Absent when it is not indexed. */
  readonly row: AccountStateRow | undefined;
}

const noBytes = omittable(boc)(
  "Never present: ask `accountStates` for code and data.",
  (): Uint8Array | undefined => undefined,
);

const accountState = named(
  "AccountState",
  shape<StateAround>()({
    hash: hash("Hash of the account's state, in base64.", (s) => s.hash),
    balance: nullable(decimal)("Balance in nanocoins; null while the state is not indexed.", (s) => s.row?.balance),
    extra_currencies: nullable(extraCurrencies)(
      "Amounts of other currencies in their smallest units, by number; null while the state is not indexed.",
      (s) => (s.row === undefined ? undefined : (s.row.balanceExtra ?? {})),
    ),
    account_status: nullable(accountStatus)(
      "Status of the account: `active`, `uninit`, `frozen` or `nonexist`; null while the state is not indexed.",
      (s) => s.row?.status,
    ),
    frozen_hash: nullable(hash)(
      "Hash of the state that a frozen account had, in base64; null for others.",
      (s) => s.row?.frozenHash,
    ),
    data_hash: nullable(hash)("Hash of the data cell, in base64; null without data.", (s) => s.row?.dataHash),
    code_hash: nullable(hash)("Hash of the code cell, in base64; null without code.", (s) => s.row?.codeHash),
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
export interface TransactionInContext extends FullTransaction {
  readonly context: TransactionContext;
}

const predictedDescription = (whole: TransactionInContext) => {
  const encoded = description.encode(whole.description);
  return { ...encoded, is_tock: encoded.is_tock ?? false, installed: encoded.installed ?? false };
};

/** The phases of a transaction; a predicted one always has two flags. v3-types.md §2.2 */
const standingDescription = field({
  schema: description.schema,
  encode: (whole: TransactionInContext) =>
    whole.context.emulated ? predictedDescription(whole) : description.encode(whole.description),
  format: (whole) =>
    whole.context.emulated ? formatEncoded(() => predictedDescription(whole)) : description.format(whole.description),
});

/** A transaction of any finality; an indexed one is `transaction`. */
export const transactionInContext = named(
  "Transaction",
  shape<TransactionInContext>()({
    account: address("Address of the account, in raw form.", (t) => t.row.account),
    hash: hash("Hash of the transaction.", (t) => t.row.hash),
    lt: decimal("Logical time of the transaction.", (t) => t.row.lt),
    now: int("Time of the transaction, in Unix seconds.", (t) => t.row.now),
    mc_block_seqno: int("Seqno of the masterchain block that commits the transaction.", (t) => t.row.mcBlockSeqno),
    trace_id: omittable(hash)(
      "Id of the trace: the hash of its first transaction, in base64; absent before that is known.",
      (t) => t.context.traceId,
    ),
    trace_external_hash: omittable(hash)(
      "Hash of the external message that began the trace, in base64; absent if none did.",
      (t) => t.context.traceExternalHash,
    ),
    prev_trans_hash: hash("Hash of the account's transaction before this one, in base64.", (t) => t.row.prevTransHash),
    prev_trans_lt: decimal("Logical time of the account's transaction before this one.", (t) => t.row.prevTransLt),
    orig_status: accountStatus("Status of the account before the transaction.", (t) => t.row.origStatus),
    end_status: accountStatus("Status of the account after the transaction.", (t) => t.row.endStatus),
    total_fees: decimal("Sum of all fees of the transaction, in nanocoins.", (t) => t.row.totalFees),
    total_fees_extra_currencies: extraCurrencies("Fees in other currencies, by id.", (t) => t.row.totalFeesExtra),
    description: standingDescription("Phases of the transaction.", (t) => t),
    block_ref: blockRef("Block with the transaction.", ({ row }) => ({
      workchain: row.blockWorkchain,
      shard: row.blockShard,
      seqno: row.blockSeqno,
    })),
    in_msg: nullable(messageShape)("Message that caused the transaction; null if none did.", (t) => t.inMessage),
    out_msgs: list(messageShape)("Messages that the transaction sent, in their order.", (t) => t.outMessages),
    account_state_before: accountState("Account before the transaction.", ({ row, stateBefore }) => ({
      hash: row.stateHashBefore,
      row: stateBefore,
    })),
    account_state_after: accountState("Account after the transaction.", ({ row, stateAfter }) => ({
      hash: row.stateHashAfter,
      row: stateAfter,
    })),
    emulated: bool("Whether the transaction is predicted and not in a block.", (t) => t.context.emulated),
    finality: text(
      "How certain it is: `pending` is predicted, `confirmed` is in a shard block, `finalized` is committed by the masterchain.",
      (t) => t.context.finality,
    ),
  }),
);

/** An indexed transaction, which is final. */
export function finalTransaction(transaction: FullTransaction): TransactionInContext {
  const { traceExternalHash, row } = transaction;
  const { traceId } = row;
  return { context: { emulated: false, finality: "finalized", traceExternalHash, traceId }, ...transaction };
}

/** The form of one. */
export const transaction = field({
  schema: transactionInContext.schema,
  encode: (value: FullTransaction) => transactionInContext.encode(finalTransaction(value)),
  format: (value) => transactionInContext.format(finalTransaction(value)),
});
