import type { OrderAction } from "../../../contracts/families/multisig/orderActions.ts";
import type { MultisigOrderRow, MultisigRow } from "../../../history/queries/multisig.ts";
import { bool, decimal, int, list, nullable, shape } from "../../../lib/kit/shape.ts";
import { orderAction } from "./orderActions.ts";
import { address, boc, hash, named } from "./scalars.ts";

export interface ShownOrder {
  readonly row: MultisigOrderRow;
  /** Only on request. */
  readonly actions: readonly OrderAction[] | undefined;
}

/** An order of a multisig wallet. */
export const multisigOrder = named(
  "MultisigOrder",
  shape<ShownOrder>()({
    address: address((o) => o.row.address),
    multisig_address: address((o) => o.row.multisigAddress),
    order_seqno: nullable(decimal)((o) => o.row.orderSeqno),
    threshold: nullable(int)((o) => o.row.threshold),
    sent_for_execution: nullable(bool)((o) => o.row.sentForExecution),
    approvals_mask: nullable(decimal)((o) => o.row.approvalsMask),
    approvals_num: nullable(int)((o) => o.row.approvalsNum),
    expiration_date: nullable(int)((o) => o.row.expirationDate),
    order_boc: nullable(boc)((o) => o.row.orderBoc),
    signers: list(address)((o) => o.row.signers),
    last_transaction_lt: decimal((o) => o.row.lastTransactionLt),
    code_hash: nullable(hash)((o) => o.row.codeHash),
    data_hash: nullable(hash)((o) => o.row.dataHash),
    actions: nullable(list(orderAction))((o) => o.actions),
  }),
);

export interface ShownMultisig {
  readonly row: MultisigRow;
  readonly orders: readonly ShownOrder[];
}

/** A multisig wallet. */
export const multisig = named(
  "Multisig",
  shape<ShownMultisig>()({
    address: address((m) => m.row.address),
    next_order_seqno: nullable(decimal)((m) => m.row.nextOrderSeqno),
    threshold: nullable(int)((m) => m.row.threshold),
    signers: list(address)((m) => m.row.signers),
    proposers: list(address)((m) => m.row.proposers),
    last_transaction_lt: decimal((m) => m.row.lastTransactionLt),
    code_hash: nullable(hash)((m) => m.row.codeHash),
    data_hash: nullable(hash)((m) => m.row.dataHash),
    orders: list(multisigOrder)((m) => m.orders),
  }),
);
