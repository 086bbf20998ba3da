import type { JsonValue } from "../../../lib/json.ts";
import type { Hash } from "../../../model/Hash.ts";
import type { TransactionDescription } from "../../../model/Transaction.ts";
import type { Row } from "../../store/schema/Table.ts";
import type { accountStates, messages, transactions } from "../../store/schema/tables.ts";

export type TransactionRow = Row<typeof transactions>;
export type MessageRow = Row<typeof messages>;
export type AccountStateRow = Omit<Row<typeof accountStates>, "lt">;

/** The body or state init of a message. */
export interface MessageContent {
  readonly hash: Hash;
  /** The bag of its cell. */
  readonly boc: Uint8Array;
  /** The decoded content; bodies only. */
  readonly decoded: { readonly [key: string]: JsonValue } | undefined;
}

/** A message with its contents. */
export interface FullMessage {
  readonly row: MessageRow;
  readonly opcodeName: string | undefined;
  readonly body: MessageContent | undefined;
  readonly init: MessageContent | undefined;
}

/** How final a transaction is. */
export type Finality = "pending" | "confirmed" | "finalized";

/** A transaction with its messages and account states. */
export interface FullTransaction {
  readonly row: TransactionRow;
  readonly description: TransactionDescription;
  readonly inMessage: FullMessage | undefined;
  /** In the order in which they were sent. */
  readonly outMessages: readonly FullMessage[];
  /** Absent when the state is not indexed. */
  readonly stateBefore: AccountStateRow | undefined;
  readonly stateAfter: AccountStateRow | undefined;
  /** The external message that began the trace, if one did. */
  readonly traceExternalHash: Hash | undefined;
}
