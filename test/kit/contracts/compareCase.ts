import { isDeepStrictEqual } from "node:util";
import { gatherFacts, type RecordedInterfaces, readFacts } from "../../../kit/contracts/corpusFacts.ts";
import { makeTrace, type RecordedTrace, type RecordedTransaction } from "../../../kit/model/corpusTrace.ts";
import { classify } from "../../../src/contracts/classify.ts";
import type { Action } from "../../../src/contracts/engine/Action.ts";
import { gaslessRequest } from "../../../src/contracts/engine/nodes.ts";
import { withoutParentRequest } from "../../../src/contracts/engine/parentRequest.ts";
import { isVisible, supportedTypes } from "../../../src/contracts/visibility.ts";
import { hashToBase64 } from "../../../src/model/Hash.ts";
import type { Trace } from "../../../src/model/Trace.ts";
import { actionJson, flatten, type JsonRecord, sortedAction } from "./actionJson.ts";

/** A trace with the actions of the public classifier (`ton-trace-with-actions/1`). */
export interface TraceCase {
  /** Absent in files with one case. */
  readonly name?: string;
  readonly category?: string;
  /** The mutation, as `kind:form` joined by `+`. */
  readonly mutation?: string;
  readonly input: {
    readonly trace: RecordedTrace;
    readonly transactions: readonly RecordedTransaction[];
    readonly interfaces: RecordedInterfaces;
  };
  readonly expected: {
    readonly classification_state: string;
    readonly actions: readonly JsonRecord[];
    readonly action_rows: readonly JsonRecord[];
    readonly returned_action_ids: Readonly<Record<string, readonly string[]>>;
  };
  /** Set when NFT indexes were rounded in the recording. */
  readonly known_loss?: unknown;
  /** Types whose details differed between runs. */
  readonly unstable_types?: readonly string[];
}

/** One value that differs from the expected one. */
export interface Difference {
  /** `type field`, `missing type`, `extra type`, `returned`, `state`. */
  readonly path: string;
  readonly expected: unknown;
  readonly found: unknown;
  /** Transactions of the action; empty if the difference concerns the whole trace. */
  readonly transactions: readonly string[];
}

export interface ComparedCase {
  readonly name: string;
  readonly family: string;
  readonly mutation: string;
  readonly differences: readonly Difference[];
  readonly actions: readonly Action[];
}

/** Classifies the trace of a case and lists the differences from the expected outcome. */
export function compareCase(recorded: TraceCase): ComparedCase {
  return compareTrace(recorded, makeTrace(recorded.input.trace, recorded.input.transactions));
}

/** The same with the messages of every transaction reversed. */
export function compareReversed(recorded: TraceCase): ComparedCase {
  const trace = makeTrace(recorded.input.trace, recorded.input.transactions);
  const transactions = trace.transactions.map((each) => ({ ...each, outMessages: each.outMessages.toReversed() }));
  return compareTrace(recorded, { ...trace, transactions });
}

function compareTrace(recorded: TraceCase, trace: Trace): ComparedCase {
  const { input, expected, known_loss, unstable_types, name = "" } = recorded;
  const { state, actions: all, failures } = classify(trace, gatherFacts(trace, readFacts(input.interfaces)));
  const actions = "v5" in expected.returned_action_ids ? all : withoutRelayed(all);
  const differences: Difference[] = [];
  const differ = (path: string, a: unknown, b: unknown, transactions: readonly string[] = []) =>
    differences.push({ path, expected: a, found: b, transactions });
  for (const { matcher, error } of failures) differ(`failure of ${matcher}`, undefined, String(error));
  if (state !== expected.classification_state) differ("state", expected.classification_state, state);
  const isSkipped = (path: string) =>
    (known_loss !== undefined && path.endsWith(".nft_item_index")) ||
    (unstable_types ?? []).some((type) => path.startsWith(`${type}.details`));
  const left = [...actions];
  expected.actions.forEach((wanted, index) => {
    const row = expected.action_rows[index] ?? {};
    const at = left.findIndex((action) => isSame(action, wanted, row));
    const transactions = wanted.transactions as readonly string[];
    const [action] = at < 0 ? [] : left.splice(at, 1);
    if (action === undefined) {
      differ(`missing ${wanted.type}`, wanted.details, undefined, transactions);
      return;
    }
    compareFields(wanted, action, trace, (path, a, b) => {
      if (!isSkipped(path)) differ(path, a, b, transactions);
    });
    compareRow(row, action, (path, a, b) => differ(path, a, b, transactions));
  });
  for (const action of left)
    differ(`extra ${action.shownType}`, undefined, action.details, action.transactions.map(hashToBase64));
  for (const [set, ids] of Object.entries(expected.returned_action_ids)) {
    const visible = actions.filter((action) => isVisible(action, supportedTypes([set])));
    const visibleIds = visible.map(({ id }) => hashToBase64(id)).sort();
    if (!isDeepStrictEqual(visibleIds, [...ids].sort())) differ("returned", [...ids].sort(), visibleIds);
  }
  const family = recorded.category ?? name.split("--")[0] ?? "";
  return { name, family, mutation: recorded.mutation ?? "recorded", differences, actions };
}

/** Recordings older than the types of v5 know no relayed requests; they are compared in everything else. */
function withoutRelayed(actions: readonly Action[]): readonly Action[] {
  return actions
    .filter(({ type }) => type !== gaslessRequest.type)
    .map((action) => ({ ...action, details: withoutParentRequest(action.details) }));
}

/** An action may appear in several events with the same id. */
function isSame(action: Action, jsonRecord: JsonRecord, row: JsonRecord): boolean {
  return (
    action.shownType === jsonRecord.type &&
    hashToBase64(action.id) === jsonRecord.action_id &&
    action.ancestors.length === ((row.ancestor_type ?? []) as readonly string[]).length
  );
}

type Differ = (path: string, expected: unknown, value: unknown) => void;

function compareFields(recorded: JsonRecord, action: Action, trace: Trace, differ: Differ): void {
  const expected = withWholeNumbers(flatten(sortedAction(recorded), `${recorded.type}`));
  const found = flatten(actionJson(action, trace), `${recorded.type}`);
  for (const path of new Set([...expected.keys(), ...found.keys()])) {
    const [a, b] = [expected.get(path), found.get(path)];
    if (a !== b || expected.has(path) !== found.has(path)) differ(path, a, b);
  }
}

/** The recording stores some integers as floats, which are printed with a decimal point. */
function withWholeNumbers(fields: Map<string, unknown>): Map<string, unknown> {
  for (const [path, value] of fields) {
    const isNumber = /\.(nft_item_index|minted_item_index|price)$/.test(path);
    if (isNumber && typeof value === "string") fields.set(path, value.replace(/\.0$/, ""));
  }
  return fields;
}

/** Compares what the index stores of an action but answers do not show. */
function compareRow(row: JsonRecord, action: Action, differ: Differ): void {
  const ancestors = [...((row.ancestor_type ?? []) as readonly string[])].sort();
  const found = [...action.ancestors].sort();
  if (!isDeepStrictEqual(ancestors, found)) differ(`${row.type} ancestors`, ancestors, found);
  const parent = action.parentId === undefined ? null : hashToBase64(action.parentId);
  if (parent !== (row.parent_action_id ?? null)) differ(`${row.type} parent`, row.parent_action_id, parent);
}
