import type { JsonValue } from "../../../lib/json.ts";
import type { Hash } from "../../../model/Hash.ts";
import type { TransactionDescription } from "../../../model/Transaction.ts";
import type { Row } from "../../store/Table.ts";
import type { accountStates, messages, transactions } from "../../store/tables.ts";

export type TransactionRow = Row<typeof transactions>;
export type MessageRow = Row<typeof messages>;
export type AccountStateRow = Row<typeof accountStates>;

/** A body or state of a message. */
export interface MessageContent {
  readonly hash: Hash;
  /** The bag of its cell. */
  readonly boc: Uint8Array;
  /** What is known to stand there; bodies only. */
  readonly decoded: { readonly [key: string]: JsonValue } | undefined;
}

/** A message with what it carries. */
export interface FullMessage {
  readonly row: MessageRow;
  readonly opcodeName: string | undefined;
  readonly body: MessageContent | undefined;
  readonly init: MessageContent | undefined;
}

/** How far a transaction is from being settled for good. */
export type Finality = "pending" | "confirmed" | "finalized";

/** A transaction with all that belongs to it. */
export interface FullTransaction {
  readonly row: TransactionRow;
  readonly description: TransactionDescription;
  readonly inMessage: FullMessage | undefined;
  /** In the order in which they were sent. */
  readonly outMessages: readonly FullMessage[];
  /** Absent when the index has not seen that state. */
  readonly stateBefore: AccountStateRow | undefined;
  readonly stateAfter: AccountStateRow | undefined;
}
