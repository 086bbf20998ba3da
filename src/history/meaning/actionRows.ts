import { type Classification, classify } from "../../contracts/classify.ts";
import type { Action } from "../../contracts/engine/Action.ts";
import { makeUnknown } from "../../contracts/engine/actionRow.ts";
import type { FailureReporter } from "../../contracts/engine/ClassifyFailures.ts";
import type { Facts } from "../../contracts/engine/Facts.ts";
import { traceLimits } from "../../contracts/engine/traceTree.ts";
import type { JsonValue } from "../../lib/json.ts";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { Trace } from "../../model/Trace.ts";
import { actionTypeCode } from "../store/schema/actionTypeCode.ts";
import type { BatchRows } from "../store/write/BatchRows.ts";

export interface ActionRows extends Pick<BatchRows, "actions" | "actionAccounts" | "traceAccounts"> {
  readonly state: Classification["state"];
}

/** Classifies a complete trace and makes its rows. */
export function makeActionRows(trace: Trace, facts: Facts, reporter?: FailureReporter): ActionRows {
  return describeActions(trace, classifySafely(trace, facts, reporter), listAccounts(trace));
}

/** The actions of a trace as rows, and the accounts by which the trace is found. */
export function describeActions(
  trace: Trace,
  { state, actions: all }: Pick<Classification, "state" | "actions">,
  accounts: Iterable<Address>,
): ActionRows {
  const actions = withoutRepeats(all);
  const { id: traceId, endLt: traceEndLt, endAt: traceEndUtime } = trace;
  return {
    state,
    // Every property is named: a spread behind others adds each of its properties by itself.
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
      // Shapes encode to JSON.
      details: action.details as { readonly [key: string]: JsonValue },
      traceId,
      traceEndLt,
      traceEndUtime,
    })),
    actionAccounts: actions.flatMap((action) => {
      const typeCode = actionTypeCode(action.type);
      const ancestorCodes = action.ancestors.length === 0 ? undefined : action.ancestors.map(actionTypeCode);
      return [...new Set(action.accounts)].map((account) => ({
        account,
        actionEndLt: action.endLt,
        actionId: action.id,
        actionEndUtime: action.endAt,
        typeCode,
        ancestorCodes,
        traceId,
        traceEndLt,
        traceEndUtime,
      }));
    }),
    traceAccounts: makeAccountRows(trace, accounts),
  };
}

/** How many transactions of a trace are read: the classifier's own limit. */
export const transactionsLimit: number = traceLimits.nodes;

/** A trace that is too large to classify is one unknown action with the first of its transactions. */
export function classifyLarge(trace: Trace, max: number): Pick<Classification, "state" | "actions"> {
  const transactions = trace.transactions.toSorted((a, b) => (a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : 0)).slice(0, max);
  return { state: "failed", actions: [makeUnknown({ ...trace, transactions })] };
}

/** A trace that breaks the classifier must not block indexing; its row is marked as failed. */
function classifySafely(
  trace: Trace,
  facts: Facts,
  reporter: FailureReporter | undefined,
): Pick<Classification, "state" | "actions"> {
  if (trace.transactions.length > transactionsLimit) return classifyLarge(trace, transactionsLimit);
  try {
    const classification = classify(trace, facts);
    reporter?.report(trace.id, classification.failures);
    return classification;
  } catch (error) {
    reporter?.report(trace.id, [{ matcher: "engine", error }]);
    return { state: "failed", actions: [] };
  }
}

/** An action may appear twice, inside another one and alone; the first counts. */
function withoutRepeats(actions: readonly Action[]): readonly Action[] {
  const hashes = new Set<Hash>();
  return actions.filter(({ id }) => !hashes.has(id) && hashes.add(id));
}

function listAccounts({ transactions }: Trace): ReadonlySet<Address> {
  return new Set(transactions.map(({ account }) => account));
}

function makeAccountRows({ id, endLt, endAt }: Trace, accounts: Iterable<Address>): BatchRows["traceAccounts"] {
  return [...accounts].map((account) => ({ account, endLt, traceId: id, endUtime: endAt }));
}
