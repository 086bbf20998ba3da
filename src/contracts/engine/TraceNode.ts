import type { Address } from "../../model/Address.ts";
import type { BlockKind } from "./kind.ts";
import { isDeploying, nodeAt, nodeLt, type TraceNode } from "./traceTree.ts";

/**
 * A piece of a trace with one meaning. At first every message is a block of its own; a matcher puts blocks together
 * into one that takes their place. Blocks live only while one trace is being classified, which is why they change.
 */
export interface Block<T = unknown> {
  readonly kind: BlockKind<T>;
  readonly data: T;
  readonly nodes: readonly TraceNode[];
  /** What it was put together from. */
  readonly parts: Block[];
  next: Block[];
  previous: Block | undefined;
  /** The block it has become a part of. */
  whole: Block | undefined;
  failed: boolean;
  broken: boolean;
  readonly isGhost: boolean;
  /** The node whose transaction sent the first message. */
  readonly initiating: TraceNode | undefined;
  readonly startLt: bigint;
  readonly startAt: number;
  readonly endLt: bigint;
  readonly endAt: number;
  /** By which blocks are ordered when they are put together. */
  readonly orderLt: bigint;
  /** Accounts that are mentioned beyond what the data names. */
  readonly mentions: readonly Address[];
}

export interface BlockOptions {
  readonly failed?: boolean;
  readonly broken?: boolean;
  readonly mentions?: readonly Address[];
}

/** A block of one message. */
export function makeBlock<T>(kind: BlockKind<T>, node: TraceNode, data: T, options: BlockOptions = {}): Block<T> {
  return {
    kind,
    data,
    nodes: [node],
    parts: [],
    next: [],
    previous: undefined,
    whole: undefined,
    failed: options.failed ?? false,
    broken: options.broken ?? false,
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
export function byStart(a: Block, b: Block): number {
  return a.startLt < b.startLt ? -1 : 1;
}

export function connect(block: Block, next: Block): void {
  block.next.push(next);
  next.previous = block;
}

/**
 * Puts blocks together into one that takes their place in the forest. They must hang together below the earliest of
 * them; otherwise there is no block and nothing changes.
 */
export function mergeBlocks<T>(
  kind: BlockKind<T>,
  data: T,
  members: readonly Block[],
  options: BlockOptions = {},
): Block<T> | undefined {
  const parts = [...new Set(members)];
  const first = findFirst(parts);
  if (first === undefined) return undefined;
  const nodes = [...new Set(parts.flatMap((part) => part.nodes))];
  const startLt = least(nodes.map(nodeLt));
  const merged: Block<T> = {
    kind,
    data,
    nodes,
    parts,
    next: [],
    previous: first.previous,
    whole: undefined,
    failed: options.failed ?? false,
    broken: options.broken ?? false,
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
function adoptNext(merged: Block, first: Block, parts: ReadonlySet<Block>): void {
  const queue = [...first.next];
  for (let at = 0; at < queue.length; at++) {
    const block = queue[at] as Block;
    if (parts.has(block)) {
      queue.push(...block.next);
      continue;
    }
    merged.next.push(block);
    block.previous = merged;
  }
}

/** Puts an empty block between a block and some of those after it, so that these can be merged without it. */
export function gather(block: Block, next: readonly Block[], empty: BlockKind<undefined>): Block {
  const between: Block<undefined> = {
    kind: empty,
    data: undefined,
    nodes: [],
    parts: [],
    next: [...next],
    previous: block,
    whole: undefined,
    failed: false,
    broken: false,
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

function compactNext(block: Block): void {
  const tops = new Set<Block>();
  for (const next of block.next) {
    const top = topOf(next);
    if (top !== block) tops.add(top);
  }
  block.next = [...tops];
}

function topOf(block: Block): Block {
  let top = block;
  while (top.whole !== undefined) top = top.whole;
  return top;
}

function findFirst(parts: readonly Block[]): Block | undefined {
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

function byOrder(a: Block, b: Block): number {
  if (a.orderLt !== b.orderLt) return a.orderLt < b.orderLt ? -1 : 1;
  return rank(a) - rank(b);
}

/** A log has the time of the transaction that sent it and comes after it. */
function rank({ nodes }: Block): number {
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
export function walk(root: Block): readonly Block[] {
  const queue = [root];
  for (let at = 0; at < queue.length; at++) queue.push(...(queue[at] as Block).next);
  return queue;
}

/** Narrows a block to one kind. */
export function isKind<T>(block: Block | undefined, kind: BlockKind<T>): block is Block<T> {
  return block !== undefined && (block.kind as BlockKind<unknown>) === (kind as BlockKind<unknown>);
}

/** Accounts the block brought to life. */
export function deployedBy({ nodes }: Block): Address[] {
  return [...new Set(nodes.filter(isDeploying).map((node) => node.transaction.account))];
}
