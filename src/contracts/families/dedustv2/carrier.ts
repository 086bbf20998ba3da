import type { Cell } from "../../../cell/Cell.ts";
import type { Address } from "../../../model/Address.ts";
import { bodyOf, cellOf, excessOpcode } from "../../engine/messageParts.ts";
import { type CallNode, isCall } from "../../engine/nodes.ts";
import { built, call, firstOf } from "../../engine/pattern.ts";
import { isKind, type TraceNode } from "../../engine/TraceNode.ts";
import { type JettonTransfer, jettonTransfer } from "../jetton/actions.ts";
import { payJetton, payNative, payoutBody } from "./messages.ts";

/** What brings an asset to a pool: a message with TON, or a transfer of jettons. */
export type Carrier = CallNode | TraceNode<JettonTransfer>;

/** Of the messages that return money, bounces belong to these actions; excess does where a pattern names it. */
export const quiet = { takesReplies: "bounces" } as const;

export const returnedExcess = call(excessOpcode, { ...quiet, optional: true });

/** A carrier beside another message; excess that comes with jettons belongs to it. */
export const carrier = firstOf<Carrier>([built(jettonTransfer), call(payNative, quiet)]);

export function isCarrier(node: TraceNode): node is Carrier {
  return isKind(node, jettonTransfer) || (isCall(node) && node.data.opcode === payNative.opcode);
}

/** Nobody where the message is external. */
export function senderOf(node: Carrier): Address | undefined {
  return isCall(node) ? node.data.source : node.data.sender;
}

/** The order to the pool that comes with an asset. */
export function findOrder(node: Carrier): Cell | undefined {
  if (isCall(node)) return payNative.find(cellOf(node))?.payload;
  const { forwardPayload } = node.data;
  return forwardPayload === undefined ? undefined : payJetton.find(forwardPayload)?.payload;
}

/** What a pool pays to a user; no asset means TON. */
export interface Leg {
  readonly receiver: Address | undefined;
  readonly asset: Address | undefined;
  readonly amount: bigint;
  readonly userWallet: Address | undefined;
  readonly poolWallet: Address | undefined;
}

export type LegNode = CallNode | TraceNode<JettonTransfer>;

export function isLeg(node: TraceNode): node is LegNode {
  return isKind(node, jettonTransfer) || (isCall(node) && node.data.opcode === payoutBody.opcode);
}

/** A payment that may be absent; excess that comes with jettons belongs to it. */
export const leg = firstOf<LegNode>([built(jettonTransfer), call(payoutBody, quiet)], { optional: true });

export function readLeg(node: LegNode): Leg {
  if (isCall(node)) {
    const { amount } = bodyOf(node, payoutBody);
    return { receiver: node.data.destination, asset: undefined, amount, userWallet: undefined, poolWallet: undefined };
  }
  const { receiver, asset, amount, receiverWallet, senderWallet } = node.data;
  return { receiver, asset, amount, userWallet: receiverWallet, poolWallet: senderWallet };
}
