import { hash } from "node:crypto";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { Trace } from "../../model/Trace.ts";
import type { Action } from "./Action.ts";
import { type CallData, callContract, contractDeploy, empty, root, tonTransfer } from "./nodes.ts";
import type { TraceNode } from "./TraceNode.ts";
import { type MessageNode, nodeLt } from "./traceTree.ts";

/** Makes actions from nodes; the actions of its parts follow a composite action. */
export function makeActions(nodes: readonly TraceNode[], trace: Trace): Action[] {
  const actions: Action[] = [];
  for (const node of nodes) addActions(node, trace, undefined, [], actions);
  return actions;
}

function addActions(
  node: TraceNode,
  trace: Trace,
  parent: Action | undefined,
  ancestors: readonly string[],
  actions: Action[],
): void {
  if (!isShown(node)) return;
  const action = makeAction(node, trace, parent, ancestors);
  if (action.id === parent?.id) return;
  actions.push(action);
  if (!node.kind.showsParts) return;
  const below = unique([...ancestors, node.kind.name]);
  for (const part of node.parts) {
    if (part.kind.name !== contractDeploy.name) addActions(part, trace, action, below, actions);
  }
}

function isShown({ kind, data }: TraceNode): boolean {
  if (kind.name === root.name || kind.name === empty.name) return false;
  if (kind.name !== callContract.name) return true;
  const { source, destination } = data as CallData;
  return source !== undefined && destination !== undefined;
}

function makeAction(node: TraceNode, trace: Trace, parent: Action | undefined, ancestors: readonly string[]): Action {
  const { kind, data } = node;
  return {
    id: actionId(node),
    type: kind.type,
    shownType: shownType(node),
    traceId: trace.id,
    transactions: unique(withInitiating(node).map((messageNode) => messageNode.transaction.hash)),
    startLt: node.startLt,
    startAt: node.startAt,
    endLt: node.endLt,
    endAt: node.endAt,
    success: !node.failed,
    accounts: accountsOf(node),
    ancestors,
    parentId: parent?.id,
    details: kind.details.encode(data),
  };
}

function shownType({ kind, data }: TraceNode): string {
  if (kind.name !== callContract.name && kind.name !== tonTransfer.name) return kind.type;
  return (data as CallData).extra.size > 0 ? "extra_currency_transfer" : kind.type;
}

function accountsOf(node: TraceNode): Address[] {
  const { kind, data, isGhost, mentions, nodes, initiating } = node;
  const parties = kind.parties(data);
  const destinations = isGhost ? [] : [parties.destination, parties.destinationSecondary];
  return unique(
    [
      ...nodes.map((messageNode) => messageNode.transaction.account),
      // The service omits the account of a tick-tock transaction that started the action.
      initiating?.message === undefined ? undefined : initiating.transaction.account,
      parties.source,
      parties.sourceSecondary,
      ...destinations,
      ...mentions,
      ...kind.mentions(data),
    ].filter((account) => account !== undefined),
  );
}

function withInitiating({ nodes, initiating }: TraceNode): readonly MessageNode[] {
  return initiating === undefined ? nodes : [...nodes, initiating];
}

/** sha256 over two texts: the hash of the first message in base64, and the node's own name. */
function actionId({ nodes, kind }: TraceNode): Hash {
  const first = nodes.reduce((a, b) => (nodeLt(b) < nodeLt(a) ? b : a));
  return hash("sha256", first.idText + kind.name, "hex") as Hash;
}

/** The action of a trace without a recognised action. */
export function makeUnknown(trace: Trace): Action {
  const { transactions } = trace;
  const starts = transactions.map(({ lt }) => lt);
  return {
    id: trace.id,
    type: "unknown",
    shownType: "unknown",
    traceId: trace.id,
    transactions: transactions.map(({ hash }) => hash),
    startLt: starts.reduce((a, b) => (a < b ? a : b), trace.endLt),
    startAt: Math.min(...transactions.map(({ now }) => now)),
    endLt: trace.endLt,
    endAt: trace.endAt,
    success: !transactions.some(({ aborted }) => aborted),
    accounts: unique(transactions.map(({ account }) => account)),
    ancestors: [],
    parentId: undefined,
    details: { error: "unsupported action type: 'unknown'" },
  };
}

function unique<V>(values: readonly V[]): V[] {
  return [...new Set(values)];
}
