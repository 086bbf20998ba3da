import type { ActionRow } from "../../../history/queries/actions.ts";
import { bool, decimal, int, list, nullable, omittable, shape, text } from "../../../lib/kit/shape.ts";
import type { Hash } from "../../../model/Hash.ts";
import { address, hash, jsonObject, named, word } from "./scalars.ts";
import { type StandingTransaction, standingTransaction } from "./transactions.ts";

/** What an action is told by, whether the index has it or it is only predicted. */
export type ActionHead = Omit<ActionRow, "traceId" | "type" | "ancestorTypes" | "parentId"> & {
  /** Absent while its trace has none. */
  readonly traceId: Hash | undefined;
};

export interface ShownAction {
  readonly head: ActionHead;
  readonly withAccounts: boolean;
  /** Those it covers, when asked for. */
  readonly transactions: readonly StandingTransaction[] | undefined;
  readonly finality: "pending" | "confirmed" | "finalized";
}

/** What happened, in words of people. */
export const action = named(
  "Action",
  shape<ShownAction>()({
    trace_id: nullable(hash)((a) => a.head.traceId),
    action_id: hash((a) => a.head.actionId),
    start_lt: decimal((a) => a.head.startLt),
    end_lt: decimal((a) => a.head.endLt),
    start_utime: int((a) => a.head.startUtime),
    end_utime: int((a) => a.head.endUtime),
    trace_end_lt: decimal((a) => a.head.traceEndLt),
    trace_end_utime: int((a) => a.head.traceEndUtime),
    trace_mc_seqno_end: int((a) => a.head.traceMcSeqnoEnd),
    transactions: list(hash)((a) => a.head.transactions),
    success: nullable(bool)((a) => a.head.success),
    type: text((a) => a.head.shownType),
    details: jsonObject((a) => a.head.details),
    trace_external_hash: omittable(hash)((a) => a.head.traceExternalHash),
    trace_external_hash_norm: omittable(hash)((a) => a.head.traceExternalHashNorm),
    accounts: omittable(list(address))((a) => (a.withAccounts ? a.head.accounts : undefined)),
    transactions_full: omittable(list(standingTransaction))((a) => a.transactions),
    finality: word("pending", "confirmed", "finalized")((a) => a.finality),
  }),
);
