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

/** What wallets and their orders have in common. */
interface Signed {
  readonly row: Pick<MultisigRow, "threshold" | "signers" | "lastTransactionLt" | "codeHash" | "dataHash">;
}

const threshold = nullable(int)("Number of signers that must approve an order.", (s: Signed) => s.row.threshold);
const signers = list(address)("Addresses of the accounts that may approve orders.", (s: Signed) => s.row.signers);
const contractFields = {
  last_transaction_lt: decimal(
    "Logical time of the account's last transaction.",
    (s: Signed) => s.row.lastTransactionLt,
  ),
  code_hash: nullable(hash)("Hash of the code cell, in base64.", (s: Signed) => s.row.codeHash),
  data_hash: nullable(hash)("Hash of the data cell, in base64.", (s: Signed) => s.row.dataHash),
};

/** An order of a multisig wallet. */
export const multisigOrder = named(
  "MultisigOrder",
  shape<ShownOrder>()({
    address: address("Address of the order contract, in raw form.", (o) => o.row.address),
    multisig_address: address("Address of the multisig wallet of the order.", (o) => o.row.multisigAddress),
    order_seqno: nullable(decimal)("Number of the order.", (o) => o.row.orderSeqno),
    threshold,
    sent_for_execution: nullable(bool)("Whether the order has been carried out.", (o) => o.row.sentForExecution),
    approvals_mask: nullable(decimal)(
      "Signers that have approved: a decimal number with one bit for each.",
      (o) => o.row.approvalsMask,
    ),
    approvals_num: nullable(int)("Number of signers that have approved.", (o) => o.row.approvalsNum),
    expiration_date: nullable(int)(
      "Time until which the order can be approved, in Unix seconds.",
      (o) => o.row.expirationDate,
    ),
    order_boc: nullable(boc)("Order as a bag of cells in base64; null without one.", (o) => o.row.orderBoc),
    signers,
    ...contractFields,
    actions: nullable(list(orderAction))("What the order would do; null unless asked for.", (o) => o.actions),
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
    address: address("Address of the multisig wallet, in raw form.", (m) => m.row.address),
    next_order_seqno: nullable(decimal)("Number of the next order.", (m) => m.row.nextOrderSeqno),
    threshold,
    signers,
    proposers: list(address)("Addresses of the accounts that may propose orders.", (m) => m.row.proposers),
    ...contractFields,
    orders: list(multisigOrder)("Orders of the wallet; empty unless asked for.", (m) => m.orders),
  }),
);
