import { Type } from "typebox";
import type { FullTransaction } from "../../../history/queries/fill/FullTransaction.ts";
import type { TraceRow } from "../../../history/store/schema/tables.ts";
import {
  bool,
  decimal,
  field,
  int,
  list,
  nullable,
  objectSchema,
  omittable,
  shape,
  text,
} from "../../../lib/kit/shape.ts";
import { type Hash, hashToBase64 } from "../../../model/Hash.ts";
import { action, type ShownAction } from "./actions.ts";
import { decimalOf, hash, mapOf, named, word } from "./scalars.ts";
import { type TransactionInContext, transactionInContext } from "./transactions.ts";

/** A transaction of a trace and those that its messages caused. */
export interface TreeNode {
  readonly hash: Hash;
  readonly inMessage: Hash | undefined;
  readonly children: TreeNode[];
}

/** The encoded form. */
export interface NodeJson {
  readonly tx_hash: string;
  readonly in_msg_hash?: string;
  readonly children: NodeJson[];
}

const nodeSchema = objectSchema({
  tx_hash: ["Hash of the transaction, in base64.", hash.schema],
  in_msg_hash: [
    "Hash of the message that caused the transaction, in base64; absent if none did.",
    Type.Optional(hash.schema),
  ],
  children: ["Transactions that its messages caused, as nodes of the same kind.", Type.Array(Type.Unknown())],
});

/** Traces may be as deep as they have transactions, which is too deep for recursion. */
function encodeTree(root: TreeNode): NodeJson {
  const encodeOne = ({ hash: own, inMessage }: TreeNode): NodeJson => ({
    tx_hash: hashToBase64(own),
    ...(inMessage === undefined ? {} : { in_msg_hash: hashToBase64(inMessage) }),
    children: [],
  });
  const first = encodeOne(root);
  const queue: { readonly node: TreeNode; readonly json: NodeJson }[] = [{ node: root, json: first }];
  for (const { node, json } of queue) {
    for (const child of node.children) {
      const encoded = encodeOne(child);
      json.children.push(encoded);
      queue.push({ node: child, json: encoded });
    }
  }
  return first;
}

/** The tree of a trace. */
export const traceNode = named("TraceNode", field({ schema: nodeSchema, encode: encodeTree }));

/** JSON writers limit the nesting: a level of the tree takes two of theirs. */
const maxTreeDepth = 480;

export interface TraceTree {
  readonly root: TreeNode | undefined;
  /** Whether every transaction but the first has a parent. */
  readonly isWhole: boolean;
  readonly depth: number;
}

/** The transactions of a trace, in order, as a tree; those without a parent are omitted. */
export function makeTraceTree(transactions: readonly FullTransaction[]): TraceTree {
  const senders = new Map<Hash, TreeNode>();
  const depths = new Map<TreeNode, number>();
  let root: TreeNode | undefined;
  let isWhole = true;
  let depth = 0;
  for (const { row, outMessages } of transactions) {
    const node: TreeNode = { hash: row.hash, inMessage: row.inMsgHash, children: [] };
    const parent = row.inMsgHash === undefined ? undefined : senders.get(row.inMsgHash);
    for (const { row: sent } of outMessages) senders.set(sent.hash, node);
    const own = parent === undefined ? 1 : (depths.get(parent) ?? 0) + 1;
    depths.set(node, own);
    depth = Math.max(depth, own);
    if (parent !== undefined) parent.children.push(node);
    else if (root === undefined) root = node;
    else isWhole = false;
  }
  return { root, isWhole, depth };
}

/** The data of a trace, indexed or predicted. */
export type TraceHead = Pick<
  TraceRow,
  | "externalHash"
  | "mcSeqnoStart"
  | "mcSeqnoEnd"
  | "startLt"
  | "startUtime"
  | "endLt"
  | "endUtime"
  | "state"
  | "edges"
  | "nodes"
  | "pendingEdges"
  | "classificationState"
> & { readonly traceId: Hash | undefined };

export interface ShownTrace {
  readonly head: TraceHead;
  /** Absent when there are too many. */
  readonly transactions: readonly TransactionInContext[] | undefined;
  /** Only on request. */
  readonly actions: readonly ShownAction[] | undefined;
  /** Whether a part of it is missing. */
  readonly isCut: boolean;
}

/** A trace with its tree. */
export interface ArrangedTrace extends ShownTrace {
  readonly tree: TreeNode | undefined;
  readonly warning: string | undefined;
}

const tooLarge = "trace is too large";
const missingNode = "missing node in trace found";

function arrange(shown: ShownTrace): ArrangedTrace {
  if (shown.transactions === undefined) return { ...shown, tree: undefined, isCut: true, warning: tooLarge };
  const { root, isWhole, depth } = makeTraceTree(shown.transactions);
  const isTooDeep = depth > maxTreeDepth;
  const warnings = [...(isTooDeep ? [tooLarge] : []), ...(isWhole ? [] : [missingNode])];
  return {
    ...shown,
    tree: isTooDeep ? undefined : root,
    isCut: shown.isCut || isTooDeep,
    warning: warnings.length === 0 ? undefined : warnings.join(", "),
  };
}

const traceState = word("complete", "pending", "broken");

const traceInfo = shape<TraceHead>()({
  trace_state: traceState("Whether all messages of the trace have been processed.", (t) => t.state),
  messages: int("Number of messages of the trace.", (t) => t.edges),
  transactions: int("Number of transactions of the trace.", (t) => t.nodes),
  pending_messages: int("Number of messages that are not processed yet.", (t) => t.pendingEdges),
  classification_state: word(
    "unclassified",
    "ok",
    "failed",
    "broken",
  )("Whether the actions of the trace have been classified.", (t) => t.classificationState),
});

const arranged = shape<ArrangedTrace>()({
  trace_id: nullable(hash)(
    "Id of the trace: the hash of its first transaction, in base64; null before that is known.",
    (t) => t.head.traceId,
  ),
  external_hash: nullable(hash)(
    "Hash of the external message that began the trace, in base64; null if none did.",
    (t) => t.head.externalHash,
  ),
  mc_seqno_start: decimalOf("Seqno of the masterchain block with the first transaction.", (t) => t.head.mcSeqnoStart),
  mc_seqno_end: decimalOf("Seqno of the masterchain block with the last transaction.", (t) => t.head.mcSeqnoEnd),
  start_lt: decimal("Logical time of the first transaction.", (t) => t.head.startLt),
  start_utime: int("Time of the first transaction, in Unix seconds.", (t) => t.head.startUtime),
  end_lt: nullable(decimal)("Logical time of the last transaction; null while the trace goes on.", (t) => t.head.endLt),
  end_utime: nullable(int)(
    "Time of the last transaction, in Unix seconds; null while the trace goes on.",
    (t) => t.head.endUtime,
  ),
  trace_info: traceInfo("Size and state of the trace.", (t) => t.head),
  is_incomplete: bool("Whether the list stops before the end of the trace.", (t) => t.isCut),
  warning: omittable(text)("Why the trace is not shown whole; absent when it is.", (t) => t.warning),
  actions: omittable(list(action))("Actions of the trace; absent unless asked for.", (t) => t.actions),
  trace: omittable(traceNode)("Transactions of the trace as a tree.", (t) => t.tree),
  transactions_order: omittable(list(hash))("Hashes of the transactions, by logical time.", (t) =>
    t.transactions?.map(({ row }) => row.hash),
  ),
  transactions: omittable(mapOf((key: Hash) => hashToBase64(key), transactionInContext))(
    "Transactions of the trace, by hash; absent when there are too many.",
    (t) => t.transactions && new Map(t.transactions.map((each) => [each.row.hash, each])),
  ),
});

/** A trace. */
export const trace = named("Trace", {
  schema: arranged.schema,
  encode: (shown: ShownTrace) => arranged.encode(arrange(shown)),
  format: (shown) => arranged.format(arrange(shown)),
});
