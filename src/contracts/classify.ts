import { isCoded } from "../lib/errors.ts";
import type { Trace } from "../model/Trace.ts";
import type { Action } from "./engine/Action.ts";
import { makeActions, makeUnknown } from "./engine/actionRow.ts";
import type { MatcherFailure } from "./engine/ClassifyFailures.ts";
import type { Facts } from "./engine/Facts.ts";
import { makeGhostTree } from "./engine/ghosts.ts";
import { MatcherIndex } from "./engine/MatcherIndex.ts";
import type { Matcher } from "./engine/matcher.ts";
import { isMarker, makeForest } from "./engine/nodes.ts";
import { type Budget, findPattern, Match, mayMatch } from "./engine/pattern.ts";
import { mergeNodes, type TraceNode, walk } from "./engine/TraceNode.ts";
import { type MessageNode, makeMessageTree } from "./engine/traceTree.ts";
import { isRefusal } from "./kit/entity.ts";
import { ContractError } from "./kit/errors.ts";
import { failedExternalMatchers, families, matchers } from "./registry.ts";

/**
 * The service also knows `broken`: a jetton arrived at a wallet with another owner. It marks only the message inside
 * the transfer, which is never shown, so that no trace is broken.
 */
export type ClassifyOutcome = "ok" | "failed";

/** The cost of a classification, for metrics. */
export interface ClassifyWork {
  /** Nodes that parts of patterns were tested on. */
  readonly steps: number;
  /** Actions that were recognised. */
  readonly matches: number;
  /** How often a matcher found its messages and then refused their content, by its name. */
  readonly refusals: ReadonlyMap<string, number>;
}

export interface Classification {
  readonly state: ClassifyOutcome;
  readonly actions: readonly Action[];
  /** Matchers that threw anything but a refusal; the caller reports them. */
  readonly failures: readonly MatcherFailure[];
  readonly work: ClassifyWork;
}

/** Actions without the cost. */
type Outcome = Pick<Classification, "state" | "actions">;

/** Enough for the largest legitimate traces; larger ones are listed message by message. */
export const classifyLimits = { steps: 2_000_000, matches: 20_000 } as const;

interface Run extends Budget {
  matches: number;
  readonly refusals: Map<string, number>;
  readonly failures: MatcherFailure[];
}

/** Classifies a trace. Pure: the facts about accounts are passed in. */
export function classify(trace: Trace, facts: Facts): Classification {
  const run: Run = { steps: classifyLimits.steps, matches: 0, refusals: new Map(), failures: [] };
  const { state, actions } = classifyWith(trace, facts, run);
  return {
    state,
    actions,
    failures: run.failures,
    work: { steps: classifyLimits.steps - run.steps, matches: run.matches, refusals: run.refusals },
  };
}

function classifyWith(trace: Trace, facts: Facts, run: Run): Outcome {
  const [only] = trace.transactions;
  if (only === undefined || (trace.transactions.length === 1 && only.isTickTock)) return { state: "ok", actions: [] };
  try {
    return classifyTree(makeMessageTree(trace), trace, facts, run);
  } catch (error) {
    if (!isCoded(error, "contracts/limit")) throw error;
    return { state: "failed", actions: listBasic(trace) };
  }
}

function classifyTree(tree: MessageNode | undefined, trace: Trace, facts: Facts, run: Run): Outcome {
  if (tree === undefined) return { state: "ok", actions: [makeUnknown(trace)] };
  const nodes = matchAll(usual, tree, facts, run);
  let actions = makeActions(nodes, trace);
  if (actions.length === 0) actions = classifyGhosts(tree, trace, facts, run);
  if (actions.length === 0) actions = [makeUnknown(trace)];
  return { state: "ok", actions };
}

/** A single external message that failed: the messages it would have sent become failed actions. */
function classifyGhosts(tree: MessageNode, trace: Trace, facts: Facts, run: Run): Action[] {
  const ghosts = makeGhostTree(tree);
  return ghosts === undefined ? [] : makeActions(matchAll(failedExternal, ghosts, facts, run), trace);
}

/** Only the basic actions: transfers, calls and deployments. */
function listBasic(trace: Trace): Action[] {
  try {
    const tree = makeMessageTree(trace);
    return tree === undefined ? [] : makeActions(withMarkers(walk(makeForest(tree))), trace);
  } catch (error) {
    // Too large even for a tree: it becomes one unknown action.
    if (isCoded(error, "contracts/limit")) return [makeUnknown(trace)];
    throw error;
  }
}

const usual = new MatcherIndex(matchers);
const failedExternal = new MatcherIndex(failedExternalMatchers);

function matchAll(index: MatcherIndex, tree: MessageNode, facts: Facts, run: Run): TraceNode[] {
  const root = makeForest(tree);
  let nodes = walk(root);
  let marks = index.mark(nodes);
  for (const [at, matcher] of index.list.entries()) {
    if (marks[at] === 0) continue;
    const before = run.matches;
    for (const node of nodes) {
      if (node.whole === undefined && node !== root) tryMatcher(matcher, node, facts, run);
    }
    if (run.matches > before) {
      nodes = walk(root);
      marks = index.mark(nodes);
    }
  }
  return withMarkers(regroup(nodes));
}

/** Few families merge actions. */
const regroups = families.flatMap(({ regroup }) => (regroup === undefined ? [] : [regroup]));

function regroup(nodes: readonly TraceNode[]): readonly TraceNode[] {
  return regroups.reduce((grouped, merge) => merge(grouped), nodes);
}

/** A refusal means no match. Any other error is a failure of this matcher; the others continue. */
function tryMatcher(matcher: Matcher, node: TraceNode, facts: Facts, run: Run): void {
  try {
    if (!mayMatch(matcher.pattern, node, run)) return;
    const match = new Match();
    if (!findPattern(matcher.pattern, node, match, run)) return;
    for (const made of matcher.build(match, facts)) {
      const { kind, data, failed, mentions, from, also } = made;
      const merged = mergeNodes(kind, data, [...(from ?? match.members), ...also], { failed, mentions });
      if (merged === undefined) continue;
      if (++run.matches > classifyLimits.matches)
        throw new ContractError("contracts/limit", `more than ${classifyLimits.matches} actions in one trace`);
    }
  } catch (error) {
    if (isCoded(error, "contracts/limit")) throw error;
    if (isRefusal(error)) run.refusals.set(matcher.name, (run.refusals.get(matcher.name) ?? 0) + 1);
    else run.failures.push({ matcher: matcher.name, error });
  }
}

/** Every deployment and every relayed request is also a separate action. */
function withMarkers(nodes: readonly TraceNode[]): TraceNode[] {
  const all = new Set(nodes);
  for (const node of nodes) {
    const queue = [...node.parts];
    for (let at = 0; at < queue.length; at++) {
      const part = queue[at] as TraceNode;
      if (isMarker(part)) all.add(part);
      else queue.push(...part.parts);
    }
  }
  return [...all];
}
