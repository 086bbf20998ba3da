import { findParentRequest, withoutParentRequest } from "../../../contracts/engine/parentRequest.ts";
import { findListedKey } from "../../../contracts/families/tgbtc/listedKey.ts";
import type { ActionRow } from "../../../history/queries/actions.ts";
import type { JsonValue } from "../../../lib/json.ts";
import { bool, decimal, int, list, nullable, omittable, shape, text } from "../../../lib/kit/shape.ts";
import { formatRawAddress } from "../../../model/Address.ts";
import { type Hash, hashToBase64 } from "../../../model/Hash.ts";
import { hash, jsonObject, named, word } from "./scalars.ts";
import { type TransactionInContext, transactionInContext } from "./transactions.ts";

/** The data of an action, indexed or predicted. */
export type ActionHead = Omit<ActionRow, "traceId" | "type" | "ancestorTypes" | "parentId"> & {
  /** Absent while its trace has none. */
  readonly traceId: Hash | undefined;
};

export interface ShownAction {
  readonly head: ActionHead;
  readonly withAccounts: boolean;
  /** The covered transactions, on request. */
  readonly transactions: readonly TransactionInContext[] | undefined;
  readonly finality: "pending" | "confirmed" | "finalized";
}

/** Types without details of their own begin their only detail like this. */
const unsupportedType = /^unsupported action type: /;

/** The stored columns of an action without details, by name. */
function rawAction({ head }: ShownAction): { readonly [key: string]: JsonValue } | undefined {
  if (!unsupportedType.test(String(head.details.error))) return undefined;
  return {
    trace_id: head.traceId === undefined ? null : hashToBase64(head.traceId),
    action_id: hashToBase64(head.actionId),
    type: head.shownType,
    start_lt: String(head.startLt),
    end_lt: String(head.endLt),
    start_utime: head.startUtime,
    end_utime: head.endUtime,
    trace_end_lt: String(head.traceEndLt),
    trace_end_utime: head.traceEndUtime,
    trace_mc_seqno_end: head.traceMcSeqnoEnd,
    tx_hashes: head.transactions.map(hashToBase64),
    accounts: listAccounts(head),
    success: head.success ?? null,
  };
}

/** Accounts of an action, and what else the service lists as such. */
function listAccounts({ shownType, accounts, details }: ActionHead): string[] {
  const key = findListedKey({ type: shownType, details });
  return [...accounts.map(formatRawAddress), ...(key === undefined ? [] : [key])];
}

/** An action. */
export const action = named(
  "Action",
  shape<ShownAction>()({
    trace_id: nullable(hash)(
      "Id of the trace: the hash of its first transaction, in base64; null before that is known.",
      (a) => a.head.traceId,
    ),
    action_id: hash(
      "Id of the action, in base64; it stays the same when the trace is indexed again.",
      (a) => a.head.actionId,
    ),
    start_lt: decimal("Logical time of the first transaction.", (a) => a.head.startLt),
    end_lt: decimal("Logical time of the last transaction.", (a) => a.head.endLt),
    start_utime: int("Time of the first transaction, in Unix seconds.", (a) => a.head.startUtime),
    end_utime: int("Time of the last transaction, in Unix seconds.", (a) => a.head.endUtime),
    trace_end_lt: decimal("Last logical time of the trace.", (a) => a.head.traceEndLt),
    trace_end_utime: int("Time of the last transaction of the trace, in Unix seconds.", (a) => a.head.traceEndUtime),
    trace_mc_seqno_end: int(
      "Masterchain block with the trace's last transaction, by seqno.",
      (a) => a.head.traceMcSeqnoEnd,
    ),
    transactions: list(hash)("Hashes of the transactions of the action, in base64.", (a) => a.head.transactions),
    success: nullable(bool)("Whether the action succeeded; null before that is known.", (a) => a.head.success),
    type: text("Type of the action, which determines the fields of `details`.", (a) => a.head.shownType),
    details: jsonObject("Details whose fields depend on `type`.", (a) => withoutParentRequest(a.head.details)),
    raw_action: omittable(jsonObject)("Stored columns of an action without details of its own.", rawAction),
    trace_external_hash: omittable(hash)(
      "Hash of the external message that began the trace, in base64; absent if none did.",
      (a) => a.head.traceExternalHash,
    ),
    trace_external_hash_norm: omittable(hash)(
      "Normalized hash of the external message that began the trace, in base64; absent if none did.",
      (a) => a.head.traceExternalHashNorm,
    ),
    parent_gasless_action: omittable(hash)(
      "Id of the `gasless_request` that the action belongs to, in base64; absent if it belongs to none.",
      (a) => findParentRequest(a.head.details),
    ),
    accounts: omittable(list(text))("Accounts that take part in the action, in raw form; only on request.", (a) =>
      a.withAccounts ? listAccounts(a.head) : undefined,
    ),
    transactions_full: omittable(list(transactionInContext))("Transactions of the action.", (a) => a.transactions),
    finality: word(
      "pending",
      "confirmed",
      "finalized",
    )(
      "How certain it is: `pending` is predicted, `confirmed` is in a shard block, `finalized` is committed by the masterchain.",
      (a) => a.finality,
    ),
  }),
);
