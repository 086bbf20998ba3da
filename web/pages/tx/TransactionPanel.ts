import type { Ask } from "../../api/ask.ts";
import type { Transaction } from "../../api/types.ts";

/** A panel about a transaction, and the request that found it. */
export interface TransactionPanel {
  readonly transaction: Transaction;
  readonly from: Ask<unknown>;
}
