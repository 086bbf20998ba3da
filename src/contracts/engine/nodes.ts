import type { Cell } from "../../cell/Cell.ts";
import type { Address } from "../../model/Address.ts";
import type { TraceMessage } from "../../model/Trace.ts";
import { encryptedComment, findTransferComment } from "../kit/comment.ts";
import type { DetailFieldMakers } from "./details.ts";
import { kind } from "./kind.ts";
import { connect, isKind, makeTraceNode, type TraceNode } from "./TraceNode.ts";
import { relayedOpcodes, telegramOpcodes } from "./telegramRequests.ts";
import { isDeploying, type MessageNode } from "./traceTree.ts";

/** The data of every message. */
export interface CallData {
  readonly opcode: number | undefined;
  readonly source: Address | undefined;
  readonly destination: Address | undefined;
  readonly value: bigint | undefined;
  readonly extra: ReadonlyMap<number, bigint>;
}

export interface TonTransfer extends CallData {
  readonly source: Address;
  readonly destination: Address;
  readonly comment: string | undefined;
  readonly encrypted: boolean;
}

function partiesOf({ source, destination }: CallData) {
  return { source, destination };
}

function callFields(f: DetailFieldMakers<CallData>) {
  return {
    opcode: f.whenKnown(f.opcode("Operation: the first 32 bits of the body, in hex.", (call) => call.opcode)),
    source: f.whenKnown(f.address("Address of the sender.", (call) => call.source)),
    destination: f.whenKnown(f.address("Address of the receiver.", (call) => call.destination)),
    value: f.whenKnown(f.amount("Coins that the message carries, in nanocoins.", (call) => call.value)),
  };
}

export const callContract = kind<CallData>({
  type: "call_contract",
  parties: partiesOf,
  details: (f) => ({
    ...callFields(f),
    extra_currencies: f.currencies(
      "Amounts of other currencies in their smallest units, by number of the currency.",
      (call) => call.extra,
    ),
  }),
});

export const contractDeploy = kind<CallData>({
  type: "contract_deploy",
  parties: partiesOf,
  details: callFields,
});

/** A request that somebody else brings to a wallet and pays for. */
export const gaslessRequest = kind<CallData>({
  type: "gasless_request",
  parties: partiesOf,
  details: (f) => ({
    source: f.address("Address of the relayer, who pays for the request.", (call) => call.source),
    destination: f.address("Address of the wallet that carries it out.", (call) => call.destination),
    value: f.amount("Coins that the message carries, in nanocoins.", (call) => call.value),
  }),
});

/** Kinds that say something more of a message: they are actions of their own, never parts of another. */
export function isMarker({ kind }: TraceNode): boolean {
  return kind.name === contractDeploy.name || kind.name === gaslessRequest.name;
}

export const tonTransfer = kind<TonTransfer>({
  type: "ton_transfer",
  parties: partiesOf,
  details: (f) => ({
    source: f.address("Address of the sender.", (t) => t.source),
    destination: f.address("Address of the receiver.", (t) => t.destination),
    value: f.amount("Transferred coins, in nanocoins.", (t) => t.value),
    value_extra_currencies: f.currencies(
      "Amounts of other currencies that the message carries, by id.",
      (t) => t.extra,
    ),
    comment: f.text("Text comment of the transfer; null without one.", (t) => t.comment),
    encrypted: f.bool("Whether the text is encrypted.", (t) => t.encrypted),
  }),
});

export const tickTock = kind<Address>({
  type: "tick_tock",
  details: (f) => ({ account: f.address("Address of the system account that ran.", (account) => account) }),
});

export type CallNode = TraceNode<CallData>;
export type TonTransferNode = TraceNode<TonTransfer>;

export function isCall(node: TraceNode | undefined): node is CallNode {
  return isKind(node, callContract);
}

export function isTonTransfer(node: TraceNode | undefined): node is TonTransferNode {
  return isKind(node, tonTransfer);
}

/** The action of a trace without a recognised action. */
export const unknownAction = kind<undefined>({
  type: "unknown",
  details: (f) => ({ error: f.fixed("Says that this type has no details.", "unsupported action type: 'unknown'") }),
});

/** Is above the first node of a trace and never shown. */
export const root = kind<undefined>({ type: "root", details: () => ({}) });
/** Marks a place without an event. */
export const empty = kind<undefined>({ type: "empty", details: () => ({}) });

/** The first 32 bits of a body. */
export function opcodeOf({ message }: MessageNode): number | undefined {
  return message === undefined ? undefined : wordAt(message.body, 0);
}

function wordAt(body: Cell, byte: number): number | undefined {
  if (body.isExotic || body.bitLength < byte * 8 + 32) return undefined;
  const { bytes, dataAt } = body;
  const at = dataAt + byte;
  const [a = 0, b = 0, c = 0, d = 0] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
}

/** A request to a Telegram wallet begins with its signature; the opcode follows. */
const signatureBytes = 64;

/** The opcode of a call: that of the request where the body is one. */
function callOpcode(message: TraceMessage, first: number | undefined): number | undefined {
  const signed = wordAt(message.body, signatureBytes);
  return signed !== undefined && telegramOpcodes.has(signed) ? signed : first;
}

/** Turns the tree of messages into nodes of one message each, with the same structure. */
export function makeForest(tree: MessageNode): TraceNode {
  const first = makeBasicNode(tree);
  const queue: [MessageNode, TraceNode][] = [[tree, first]];
  for (let at = 0; at < queue.length; at++) {
    const [messageNode, node] = queue[at] as [MessageNode, TraceNode];
    for (const child of messageNode.children) {
      const next = makeBasicNode(child);
      connect(node, next);
      queue.push([child, next]);
    }
  }
  const top = { ...first, kind: root, data: undefined, nodes: [], parts: [], next: [] } as TraceNode;
  connect(top, first);
  return top;
}

function makeBasicNode(messageNode: MessageNode): TraceNode {
  const { message, transaction } = messageNode;
  if (message === undefined)
    return makeTraceNode(tickTock, messageNode, transaction.account, { failed: messageNode.failed });
  const { source, destination, value, extra } = message;
  const code = opcodeOf(messageNode);
  const isPlain = code === undefined || code === 0 || code === encryptedComment;
  const call: CallData = { opcode: code, source, destination, value, extra };
  const node =
    isPlain && source !== undefined && destination !== undefined
      ? makeTransfer(messageNode, { opcode: code, source, destination, value, extra })
      : makeCall(messageNode, { ...call, opcode: callOpcode(message, code) });
  if (isDeploying(messageNode) && transaction.origStatus !== "frozen")
    node.parts.push(makeTraceNode(contractDeploy, messageNode, call, { failed: messageNode.failed }));
  return node;
}

function makeCall(messageNode: MessageNode, call: CallData): CallNode {
  const node = makeTraceNode(callContract, messageNode, call, { failed: isFailedCall(messageNode, call) });
  if (call.source !== undefined && call.opcode !== undefined && relayedOpcodes.has(call.opcode))
    node.parts.push(makeTraceNode(gaslessRequest, messageNode, call, { failed: messageNode.failed }));
  return node;
}

function makeTransfer(
  messageNode: MessageNode,
  call: CallData & { readonly source: Address; readonly destination: Address },
): TonTransferNode {
  const comment = messageNode.message === undefined ? undefined : findTransferComment(messageNode.message.body);
  // By the opcode, so that an unreadable encrypted comment still counts as one.
  const encrypted = call.opcode === encryptedComment;
  return makeTraceNode(
    tonTransfer,
    messageNode,
    { comment: comment?.text, encrypted, ...call },
    { failed: isFailedTransfer(messageNode) },
  );
}

/** A transfer without bounce has arrived even if it was not processed. */
function isFailedTransfer({ failed, isGhost, message, transaction }: MessageNode): boolean {
  if (!failed) return false;
  if (isGhost || message?.bounce) return true;
  return transaction.endStatus !== "uninit" && transaction.computeSkipped !== "noGas";
}

/** A call that carries nothing cannot lose anything: the service shows it as done, even one that was never sent. */
function isFailedCall({ failed }: MessageNode, { value, extra, opcode: code }: CallData): boolean {
  if (!failed) return false;
  const carriesNothing = (value === undefined || value === 0n) && extra.size === 0;
  return !(carriesNothing && code !== undefined && code !== 0);
}
