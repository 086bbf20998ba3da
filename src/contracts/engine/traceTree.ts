import { hashToBase64 } from "../../model/Hash.ts";
import type { Trace, TraceMessage, TraceTransaction } from "../../model/Trace.ts";
import { ContractError } from "../kit/errors.ts";

/** One delivered message with the transaction it caused, or one log with the transaction that sent it. */
export interface MessageNode {
  readonly transaction: TraceTransaction;
  /** Absent for transactions started by the chain itself. */
  readonly message: TraceMessage | undefined;
  readonly isLog: boolean;
  /** Represents a message that a failed transaction would have sent. */
  readonly isGhost: boolean;
  /** Replaces the hash of the message in action ids; a message that was never sent has none. */
  readonly idText: string;
  readonly failed: boolean;
  parent: MessageNode | undefined;
  readonly children: MessageNode[];
}

/** Larger traces are not matched, only listed message by message. */
export const traceLimits = { nodes: 20_000, depth: 2_000 } as const;

/** The tree of messages; its root is the node that no other node of the trace sent. */
export function makeMessageTree(trace: Trace): MessageNode | undefined {
  const transactions = [...trace.transactions].sort(byLt);
  const byMessage = new Map<string, MessageNode>();
  const nodes = transactions.map((transaction) => {
    const node = makeNode(transaction, transaction.inMessage);
    if (transaction.inMessage !== undefined) byMessage.set(transaction.inMessage.hash, node);
    return node;
  });
  let count = nodes.length;
  for (const node of nodes) {
    for (const message of node.transaction.outMessages) {
      const child = childOf(node, message, byMessage);
      if (child === undefined) continue;
      if (child.isLog && ++count > traceLimits.nodes) throw tooLarge(trace, "nodes");
      node.children.push(child);
      child.parent = node;
    }
  }
  if (count > traceLimits.nodes) throw tooLarge(trace, "nodes");
  const [root] = nodes;
  if (root !== undefined) checkDepth(trace, root);
  return root;
}

/** Messages that are not delivered yet have no node: a pending trace is incomplete. */
function childOf(
  node: MessageNode,
  message: TraceMessage,
  byMessage: ReadonlyMap<string, MessageNode>,
): MessageNode | undefined {
  if (message.destination === undefined) return { ...makeNode(node.transaction, message), isLog: true };
  const child = byMessage.get(message.hash);
  // A child is younger than its parent and has only one: otherwise it would not be a tree.
  if (child === undefined || child.parent !== undefined || child.transaction.lt <= node.transaction.lt)
    return undefined;
  return child;
}

function makeNode(transaction: TraceTransaction, message: TraceMessage | undefined): MessageNode {
  return {
    transaction,
    message,
    isLog: false,
    isGhost: false,
    idText: hashToBase64(message?.hash ?? transaction.hash),
    failed: transaction.aborted,
    parent: undefined,
    children: [],
  };
}

function checkDepth(trace: Trace, root: MessageNode): void {
  let level = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > traceLimits.depth) throw tooLarge(trace, "depth");
    level = level.flatMap((node) => node.children);
  }
}

function tooLarge(trace: Trace, what: "nodes" | "depth"): ContractError {
  return new ContractError("contracts/limit", `trace ${trace.id} has more ${what} than ${traceLimits[what]}`);
}

function byLt(a: TraceTransaction, b: TraceTransaction): number {
  return a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : 0;
}

/** When the message was created, or processed if it is external. */
export function nodeLt(node: MessageNode): bigint {
  return node.message?.createdLt ?? node.transaction.lt;
}

export function nodeAt(node: MessageNode): number {
  return node.message?.createdAt ?? node.transaction.now;
}

/** Whether the transaction activated an account; also set on its logs, like in the public index. */
export function isDeploying({ isGhost, transaction }: MessageNode): boolean {
  return !isGhost && transaction.origStatus !== "active" && transaction.endStatus === "active";
}
