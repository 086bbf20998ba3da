import type { Finality } from "../../../history/queries/fill/FullTransaction.ts";
import type { ActionHead } from "../shapes/actions.ts";
import type { TraceHead } from "../shapes/traces.ts";
import type { TransactionInContext } from "../shapes/transactions.ts";

/** An action of a trace that is not final, with the types that decide who can read it. */
export interface PendingAction extends ActionHead {
  readonly type: string;
  readonly ancestorTypes: readonly string[];
}

/** A trace that is not final. */
export interface PendingView {
  readonly head: TraceHead;
  /** Transactions of the chain and predicted ones; absent when there are too many. */
  readonly transactions: readonly TransactionInContext[] | undefined;
  readonly actions: readonly PendingAction[];
  readonly isCut: boolean;
  /** Of the trace as a whole. */
  readonly finality: Finality;
}
