import type { Action } from "../../contracts/Action.ts";
import { type Classification, classify } from "../../contracts/classify.ts";
import type { Facts } from "../../contracts/Facts.ts";
import type { JsonValue } from "../../lib/json.ts";
import type { Hash } from "../../model/Hash.ts";
import type { Trace } from "../../model/Trace.ts";
import type { BatchRows } from "../store/BatchRows.ts";

export interface ActionRows extends Pick<BatchRows, "actions" | "actionAccounts" | "traceAccounts"> {
  readonly state: Classification["state"];
}

/** Classifies a complete trace and tells it as rows. */
export function makeActionRows(trace: Trace, facts: Facts): ActionRows {
  const { state, actions: all } = classifySafely(trace, facts);
  const actions = withoutRepeats(all);
  const about = { traceId: trace.id, traceEndLt: trace.endLt, traceEndUtime: trace.endAt };
  return {
    state,
    actions: actions.map((action) => ({
      actionId: action.id,
      type: action.type,
      shownType: action.shownType,
      startLt: action.startLt,
      endLt: action.endLt,
      startUtime: action.startAt,
      endUtime: action.endAt,
      traceMcSeqnoEnd: trace.mcSeqnoEnd,
      traceExternalHash: trace.externalHash,
      traceExternalHashNorm: trace.externalHashNormalized,
      success: action.success,
      ancestorTypes: action.ancestors,
      parentId: action.parentId,
      transactions: action.transactions,
      accounts: action.accounts,
      // What shapes encode is JSON.
      details: action.details as { readonly [key: string]: JsonValue },
      ...about,
    })),
    actionAccounts: actions.flatMap((action) =>
      [...new Set(action.accounts)].map((account) => ({
        account,
        actionEndLt: action.endLt,
        actionId: action.id,
        actionEndUtime: action.endAt,
        ...about,
      })),
    ),
    traceAccounts: listTraceAccounts(trace),
  };
}

/** A trace that breaks the classifier must not hold up all that come after it; it is marked, and found by its mark. */
function classifySafely(trace: Trace, facts: Facts): Pick<Classification, "state" | "actions"> {
  try {
    return classify(trace, facts);
  } catch {
    return { state: "failed", actions: [] };
  }
}

/** An event may be told twice, within another one and by itself; the first counts. */
function withoutRepeats(actions: readonly Action[]): readonly Action[] {
  const seen = new Set<Hash>();
  return actions.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** Every account that a trace touches, once. */
export function listTraceAccounts({ id, endLt, endAt, transactions }: Trace): BatchRows["traceAccounts"] {
  const accounts = new Set(transactions.map(({ account }) => account));
  return [...accounts].map((account) => ({ account, endLt, traceId: id, endUtime: endAt }));
}
