import type { Address } from "../../model/Address.ts";
import type { NodeKind } from "./kind.ts";
import { isDeploying, type MessageNode, nodeAt, nodeLt } from "./traceTree.ts";

/**
 * A piece of a trace with one meaning. At first every message is a block of its own; a matcher puts blocks together
 * into one that takes their place. Blocks live only while one trace is being classified, which is why they change.
 */
export interface TraceNode<T = unknown> {
  readonly kind: NodeKind<T>;
  readonly data: T;
  readonly nodes: readonly MessageNode[];
  /** What it was put together from. */
  readonly parts: TraceNode[];
  next: TraceNode[];
  previous: TraceNode | undefined;
  /** The block it has become a part of. */
  whole: TraceNode | undefined;
  failed: boolean;
  readonly isGhost: boolean;
  /** The node whose transaction sent the first message. */
  readonly initiating: MessageNode | undefined;
  readonly startLt: bigint;
  readonly startAt: number;
  readonly endLt: bigint;
  readonly endAt: number;
  /** By which blocks are ordered when they are put together. */
  readonly orderLt: bigint;
  /** Accounts that are mentioned beyond what the data names. */
  readonly mentions: readonly Address[];
}

export interface TraceNodeOptions {
  readonly failed?: boolean;
  readonly mentions?: readonly Address[];
}

/** A block of one message. */
export function makeTraceNode<T>(
  kind: NodeKind<T>,
  node: MessageNode,
  data: T,
  options: TraceNodeOptions = {},
): TraceNode<T> {
  return {
    kind,
    data,
    nodes: [node],
    parts: [],
    next: [],
    previous: undefined,
    whole: undefined,
    failed: options.failed ?? false,
    isGhost: node.isGhost,
    initiating: node.parent,
    startLt: nodeLt(node),
    startAt: nodeAt(node),
    endLt: node.transaction.lt,
    endAt: node.transaction.now,
    orderLt: node.transaction.lt,
    mentions: options.mentions ?? [],
  };
}

/** Earlier blocks first. */
export function byStart(a: TraceNode, b: TraceNode): number {
  return a.startLt < b.startLt ? -1 : 1;
}

export function connect(block: TraceNode, next: TraceNode): void {
  block.next.push(next);
  next.previous = block;
}

/**
 * Puts blocks together into one that takes their place in the forest. They must hang together below the earliest of
 * them; otherwise there is no block and nothing changes.
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
  const startLt = least(nodes.map(nodeLt));
  const merged: TraceNode<T> = {
    kind,
    data,
    nodes,
    parts,
    next: [],
    previous: first.previous,
    whole: undefined,
    failed: options.failed ?? false,
    isGhost: nodes.some((node) => node.isGhost),
    initiating: first.initiating,
    startLt,
    startAt: Math.min(...nodes.map(nodeAt)),
    endLt: greatest(nodes.map((node) => node.transaction.lt)),
    endAt: Math.max(...nodes.map((node) => node.transaction.now)),
    orderLt: startLt,
    mentions: options.mentions ?? [],
  };
  for (const part of parts) part.whole = merged;
  adoptNext(merged, first, new Set(parts));
  if (first.previous !== undefined) compactNext(first.previous);
  return merged;
}

/** All that follows the parts and is not one of them now follows the whole. */
function adoptNext(merged: TraceNode, first: TraceNode, parts: ReadonlySet<TraceNode>): void {
  const queue = [...first.next];
  for (let at = 0; at < queue.length; at++) {
    const block = queue[at] as TraceNode;
    if (parts.has(block)) {
      queue.push(...block.next);
      continue;
    }
    merged.next.push(block);
    block.previous = merged;
  }
}

/** Puts an empty block between a block and some of those after it, so that these can be merged without it. */
export function gather(block: TraceNode, next: readonly TraceNode[], empty: NodeKind<undefined>): TraceNode {
  const between: TraceNode<undefined> = {
    kind: empty,
    data: undefined,
    nodes: [],
    parts: [],
    next: [...next],
    previous: block,
    whole: undefined,
    failed: false,
    isGhost: false,
    initiating: undefined,
    startLt: 0n,
    startAt: 0,
    endLt: 0n,
    endAt: 0,
    // Before everything it gathers.
    orderLt: 0n,
    mentions: [],
  };
  block.next = [...block.next.filter((other) => !next.includes(other)), between];
  for (const gathered of next) gathered.previous = between;
  return between;
}

function compactNext(block: TraceNode): void {
  const tops = new Set<TraceNode>();
  for (const next of block.next) {
    const top = topOf(next);
    if (top !== block) tops.add(top);
  }
  block.next = [...tops];
}

function topOf(block: TraceNode): TraceNode {
  let top = block;
  while (top.whole !== undefined) top = top.whole;
  return top;
}

function findFirst(parts: readonly TraceNode[]): TraceNode | undefined {
  const sorted = [...parts].sort(byOrder);
  const [first] = sorted;
  if (first === undefined) return undefined;
  const connected = new Set([first]);
  for (const block of sorted) {
    if (connected.has(block) || block.previous === undefined) continue;
    if (!connected.has(block.previous)) return undefined;
    connected.add(block);
  }
  return first;
}

function byOrder(a: TraceNode, b: TraceNode): number {
  if (a.orderLt !== b.orderLt) return a.orderLt < b.orderLt ? -1 : 1;
  return rank(a) - rank(b);
}

/** A log has the time of the transaction that sent it and comes after it. */
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

/** All blocks of the forest, breadth first. */
export function walk(root: TraceNode): readonly TraceNode[] {
  const queue = [root];
  for (let at = 0; at < queue.length; at++) queue.push(...(queue[at] as TraceNode).next);
  return queue;
}

/** Narrows a block to one kind. */
export function isKind<T>(block: TraceNode | undefined, kind: NodeKind<T>): block is TraceNode<T> {
  return block !== undefined && (block.kind as NodeKind<unknown>) === (kind as NodeKind<unknown>);
}

/** Accounts the block brought to life. */
export function deployedBy({ nodes }: TraceNode): Address[] {
  return [...new Set(nodes.filter(isDeploying).map((node) => node.transaction.account))];
}
