import type { Message, TraceNode, Transaction } from "../api/types.ts";

/**
 * How a transaction ended. `skipped`: no code ran and nothing bounced, such as coins sent to a new wallet. `set`: no
 * code ran and that is no failure, because the owner of a local network wrote the account.
 */
export type Outcome = "good" | "failed" | "skipped" | "set";

/** One node of the trace diagram. */
export type PictureNode = TransactionNode | LogNode | FoldNode;

interface Common {
  readonly id: string;
  /** The message that led here; undefined for transactions started by the network. */
  readonly message: Message | undefined;
  readonly height: number;
  readonly children: readonly PictureNode[];
}

export interface TransactionNode extends Common {
  readonly kind: "transaction";
  readonly transaction: Transaction;
  readonly outcome: Outcome;
}

/** An outgoing external message: nobody on the chain receives it. */
export interface LogNode extends Common {
  readonly kind: "log";
  readonly message: Message;
}

/** Similar siblings, drawn as one. */
export interface FoldNode extends Common {
  readonly kind: "fold";
  readonly members: readonly TransactionNode[];
}

export const nodeHeight = 64;
export const logHeight = 40;

export function outcomeOf({ description }: Transaction): Outcome {
  const { compute_ph: compute, action, aborted, bounce } = description;
  if (compute?.skipped === true && aborted === false) return "set";
  if (compute?.skipped === true) return bounce === undefined ? "skipped" : "failed";
  const isBroken = compute?.success === false || action?.success === false || aborted === true;
  return isBroken ? "failed" : "good";
}

/** Builds the tree of a trace, without recursion: a trace may be thousands of messages deep. */
export function makeTree(
  root: TraceNode,
  transactions: Readonly<Record<string, Transaction>>,
): TransactionNode | undefined {
  const order: TraceNode[] = [root];
  for (let at = 0; at < order.length; at++) order.push(...(order[at]?.children ?? []));
  const made = new Map<TraceNode, TransactionNode>();
  for (const node of order.toReversed()) {
    const transaction = transactions[node.tx_hash];
    if (transaction === undefined) continue;
    const below = node.children.flatMap((child) => made.get(child) ?? []);
    made.set(node, makeNode(transaction, below));
  }
  return made.get(root);
}

function makeNode(transaction: Transaction, below: readonly TransactionNode[]): TransactionNode {
  const logs = transaction.out_msgs.flatMap((message): LogNode[] =>
    message.destination === null
      ? [{ kind: "log", id: `log ${message.hash}`, message, height: logHeight, children: [] }]
      : [],
  );
  return {
    kind: "transaction",
    id: transaction.hash,
    transaction,
    outcome: outcomeOf(transaction),
    message: transaction.in_msg ?? undefined,
    height: nodeHeight,
    children: [...below, ...logs],
  };
}

/** All nodes, parents first. */
export function listNodes(root: PictureNode): PictureNode[] {
  const order: PictureNode[] = [root];
  for (let at = 0; at < order.length; at++) order.push(...(order[at]?.children ?? []));
  return order;
}

/** All transactions of a tree, by logical time. */
export function listTransactions(root: PictureNode): TransactionNode[] {
  const transactionNodes = listNodes(root).filter((node) => node.kind === "transaction");
  return transactionNodes.toSorted((a, b) => Number(BigInt(a.transaction.lt) - BigInt(b.transaction.lt)));
}
