import { hash } from "node:crypto";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { Trace } from "../../model/Trace.ts";
import type { Action } from "./Action.ts";
import type { CallData } from "./nodes.ts";
import { callContract, empty, gaslessRequest, isMarker, root, tonTransfer, unknownAction } from "./nodes.ts";
import { withParentRequest } from "./parentRequest.ts";
import type { TraceNode } from "./TraceNode.ts";
import { type MessageNode, nodeLt } from "./traceTree.ts";

/** Makes actions from nodes; the actions of its parts follow a composite action. */
export function makeActions(nodes: readonly TraceNode[], trace: Trace): Action[] {
  const run: Run = { trace, relayed: listRelayed(nodes), actions: [] };
  for (const node of nodes) addActions(node, run, undefined, []);
  return run.actions;
}

interface Run {
  readonly trace: Trace;
  /** Relayed requests by the message that brought them. */
  readonly relayed: ReadonlyMap<MessageNode, Hash>;
  readonly actions: Action[];
}

function listRelayed(nodes: readonly TraceNode[]): ReadonlyMap<MessageNode, Hash> {
  const requests = nodes.filter(({ kind }) => kind.name === gaslessRequest.name);
  return new Map(requests.flatMap((node) => node.nodes.map((messageNode) => [messageNode, actionId(node)] as const)));
}

function addActions(node: TraceNode, run: Run, parent: Action | undefined, ancestors: readonly string[]): void {
  if (!isShown(node)) return;
  const action = makeAction(node, run, parent, ancestors);
  if (action.id === parent?.id) return;
  run.actions.push(action);
  if (!node.kind.showsParts) return;
  const below = unique([...ancestors, node.kind.name]);
  for (const part of node.parts) {
    if (!isMarker(part)) addActions(part, run, action, below);
  }
}

function isShown({ kind, data }: TraceNode): boolean {
  if (kind.name === root.name || kind.name === empty.name) return false;
  if (kind.name !== callContract.name) return true;
  const { source, destination } = data as CallData;
  return source !== undefined && destination !== undefined;
}

function makeAction(node: TraceNode, run: Run, parent: Action | undefined, ancestors: readonly string[]): Action {
  const { kind, data } = node;
  return {
    id: actionId(node),
    type: kind.type,
    shownType: shownType(node),
    traceId: run.trace.id,
    transactions: unique(withInitiating(node).map((messageNode) => messageNode.transaction.hash)),
    startLt: node.startLt,
    startAt: node.startAt,
    endLt: node.endLt,
    endAt: node.endAt,
    success: !node.failed,
    accounts: accountsOf(node),
    ancestors,
    parentId: parent?.id,
    details: withParentRequest(kind.details.encode(data), findRequestOf(node, run)),
  };
}

/**
 * The relayed request that an action belongs to: it begins with the request's message, or with a message that the
 * wallet sent for it. What these cause in turn is not marked.
 */
function findRequestOf(node: TraceNode, { relayed }: Run): Hash | undefined {
  if (relayed.size === 0) return undefined;
  const first = firstMessage(node);
  const isRequest = node.kind.name === gaslessRequest.name || node.kind.name === callContract.name;
  const own = isRequest ? undefined : relayed.get(first);
  return own ?? (first.parent && relayed.get(first.parent));
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
function actionId(node: TraceNode): Hash {
  return hash("sha256", firstMessage(node).idText + node.kind.name, "hex") as Hash;
}

function firstMessage({ nodes }: TraceNode): MessageNode {
  return nodes.reduce((a, b) => (nodeLt(b) < nodeLt(a) ? b : a));
}

/** The action of a trace without a recognised action. */
export function makeUnknown(trace: Trace): Action {
  const { transactions } = trace;
  const starts = transactions.map(({ lt }) => lt);
  return {
    id: trace.id,
    type: unknownAction.name,
    shownType: unknownAction.type,
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
    details: unknownAction.details.encode(undefined),
  };
}

function unique<V>(values: readonly V[]): V[] {
  return [...new Set(values)];
}
