import type { Address } from "../../model/Address.ts";
import type { NodeKind } from "./kind.ts";
import { isDeploying, type MessageNode, nodeAt, nodeLt } from "./traceTree.ts";

/**
 * A part of a trace with one meaning. At first every message is a node; a matcher merges nodes into one that replaces
 * them. Nodes live only during one classification, so they are mutable.
 */
export interface TraceNode<T = unknown> {
  readonly kind: NodeKind<T>;
  readonly data: T;
  readonly nodes: readonly MessageNode[];
  /** The nodes it was merged from. */
  readonly parts: TraceNode[];
  next: TraceNode[];
  previous: TraceNode | undefined;
  /** The node that it was merged into. */
  whole: TraceNode | undefined;
  failed: boolean;
  readonly isGhost: boolean;
  /** The message node whose transaction sent the first message. */
  readonly initiating: MessageNode | undefined;
  readonly startLt: bigint;
  readonly startAt: number;
  readonly endLt: bigint;
  readonly endAt: number;
  /** Orders nodes when they are merged. */
  readonly orderLt: bigint;
  /** Accounts of the action that the data does not contain. */
  readonly mentions: readonly Address[];
}

export interface TraceNodeOptions {
  readonly failed?: boolean;
  readonly mentions?: readonly Address[];
}

/** A node of one message. */
export function makeTraceNode<T>(
  kind: NodeKind<T>,
  messageNode: MessageNode,
  data: T,
  options: TraceNodeOptions = {},
): TraceNode<T> {
  return {
    kind,
    data,
    nodes: [messageNode],
    parts: [],
    next: [],
    previous: undefined,
    whole: undefined,
    failed: options.failed ?? false,
    isGhost: messageNode.isGhost,
    initiating: messageNode.parent,
    startLt: nodeLt(messageNode),
    startAt: nodeAt(messageNode),
    endLt: messageNode.transaction.lt,
    endAt: messageNode.transaction.now,
    orderLt: messageNode.transaction.lt,
    mentions: options.mentions ?? [],
  };
}

/** Earlier nodes first. */
export function byStart(a: TraceNode, b: TraceNode): number {
  return a.startLt < b.startLt ? -1 : 1;
}

export function connect(node: TraceNode, next: TraceNode): void {
  node.next.push(next);
  next.previous = node;
}

/**
 * Merges nodes into one that replaces them in the forest. They must be connected below the earliest of them; otherwise
 * nothing changes and there is no result.
 */
export function mergeNodes<T>(
  kind: NodeKind<T>,
  data: T,
  members: readonly TraceNode[],
  options: TraceNodeOptions = {},
): TraceNode<T> | undefined {
  const parts = [...new Set(members)];
  const first = findFirst(parts);
  if (first === undefined) return undefined;
  const nodes = [...new Set(parts.flatMap((part) => part.nodes))];
  const span = spanOf(nodes);
  const merged: TraceNode<T> = {
    kind,
    data,
    nodes,
    parts,
    next: [],
    previous: first.previous,
    whole: undefined,
    failed: options.failed ?? false,
    isGhost: nodes.some((messageNode) => messageNode.isGhost),
    initiating: first.initiating,
    ...span,
    orderLt: span.startLt,
    mentions: options.mentions ?? [],
  };
  for (const part of parts) part.whole = merged;
  adoptNext(merged, first, new Set(parts));
  if (first.previous !== undefined) compactNext(first.previous);
  return merged;
}

/** From the first of several messages to the last transaction. */
export function spanOf(nodes: readonly MessageNode[]): Pick<TraceNode, "startLt" | "startAt" | "endLt" | "endAt"> {
  return {
    startLt: least(nodes.map(nodeLt)),
    startAt: Math.min(...nodes.map(nodeAt)),
    endLt: greatest(nodes.map((messageNode) => messageNode.transaction.lt)),
    endAt: Math.max(...nodes.map((messageNode) => messageNode.transaction.now)),
  };
}

/** Children of the merged nodes that are not merged themselves become children of the new node. */
function adoptNext(merged: TraceNode, first: TraceNode, parts: ReadonlySet<TraceNode>): void {
  const queue = [...first.next];
  for (let at = 0; at < queue.length; at++) {
    const node = queue[at] as TraceNode;
    if (parts.has(node)) {
      queue.push(...node.next);
      continue;
    }
    merged.next.push(node);
    node.previous = merged;
  }
}

/** Inserts an empty node between a node and some of those after it, so that these can be merged without it. */
export function gather(node: TraceNode, next: readonly TraceNode[], empty: NodeKind<undefined>): TraceNode {
  const between: TraceNode<undefined> = {
    kind: empty,
    data: undefined,
    nodes: [],
    parts: [],
    next: [...next],
    previous: node,
    whole: undefined,
    failed: false,
    isGhost: false,
    initiating: undefined,
    startLt: 0n,
    startAt: 0,
    endLt: 0n,
    endAt: 0,
    // Before all nodes that it contains.
    orderLt: 0n,
    mentions: [],
  };
  node.next = [...node.next.filter((other) => !next.includes(other)), between];
  for (const gathered of next) gathered.previous = between;
  return between;
}

function compactNext(node: TraceNode): void {
  const tops = new Set<TraceNode>();
  for (const next of node.next) {
    const top = topOf(next);
    if (top !== node) tops.add(top);
  }
  node.next = [...tops];
}

function topOf(node: TraceNode): TraceNode {
  let top = node;
  while (top.whole !== undefined) top = top.whole;
  return top;
}

function findFirst(parts: readonly TraceNode[]): TraceNode | undefined {
  const sorted = [...parts].sort(byOrder);
  const [first] = sorted;
  if (first === undefined) return undefined;
  const connected = new Set([first]);
  for (const node of sorted) {
    if (connected.has(node) || node.previous === undefined) continue;
    if (!connected.has(node.previous)) return undefined;
    connected.add(node);
  }
  return first;
}

function byOrder(a: TraceNode, b: TraceNode): number {
  if (a.orderLt !== b.orderLt) return a.orderLt < b.orderLt ? -1 : 1;
  return rank(a) - rank(b);
}

/** A log has the time of the transaction that sent it and follows it. */
function rank({ nodes }: TraceNode): number {
  if (nodes.length !== 1) return 2;
  return nodes[0]?.isLog ? 1 : 0;
}

function least(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => (a < b ? a : b));
}

function greatest(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => (a > b ? a : b));
}

/** All nodes of the forest, breadth first. */
export function walk(root: TraceNode): readonly TraceNode[] {
  const queue = [root];
  for (let at = 0; at < queue.length; at++) queue.push(...(queue[at] as TraceNode).next);
  return queue;
}

/** Narrows a node to one kind. */
export function isKind<T>(node: TraceNode | undefined, kind: NodeKind<T>): node is TraceNode<T> {
  return node !== undefined && (node.kind as NodeKind<unknown>) === (kind as NodeKind<unknown>);
}

/** Accounts the node deployed. */
export function deployedBy({ nodes }: TraceNode): Address[] {
  return [...new Set(nodes.filter(isDeploying).map((messageNode) => messageNode.transaction.account))];
}
