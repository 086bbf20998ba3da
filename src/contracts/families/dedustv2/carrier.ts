import type { Cell } from "../../../cell/Cell.ts";
import type { Address } from "../../../model/Address.ts";
import { bodyOf, cellOf, destinationOf, excessOpcode, sourceOf } from "../../engine/messageParts.ts";
import { type CallNode, isCall } from "../../engine/nodes.ts";
import { built, call, firstOf, type Pattern } from "../../engine/pattern.ts";
import { isKind, type TraceNode } from "../../engine/TraceNode.ts";
import { type JettonTransfer, jettonTransfer } from "../jetton/actions.ts";
import { payJetton, payNative, payoutBody } from "./messages.ts";

/** What brings an asset to a pool: a message with TON, or a transfer of jettons. */
export type Carrier = CallNode | TraceNode<JettonTransfer>;

/** Money that a message returns belongs to these actions only where a pattern names it. */
export const quiet = { takesReplies: "none" } as const;

export const returnedExcess = call(excessOpcode, { ...quiet, optional: true });

export function isCarrier(node: TraceNode): node is Carrier {
  return isKind(node, jettonTransfer) || (isCall(node) && node.data.opcode === payNative.opcode);
}

export function senderOf(node: Carrier): Address {
  return isCall(node) ? sourceOf(node) : node.data.sender;
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

/** A payment; every call makes another key of a match. */
export function leg({ optional = false }: { readonly optional?: boolean } = {}): Pattern<LegNode> {
  return firstOf<LegNode>([built(jettonTransfer, quiet), call(payoutBody, quiet)], { optional });
}

export function readLeg(node: LegNode): Leg {
  if (isCall(node)) {
    const { amount } = bodyOf(node, payoutBody);
    return { receiver: destinationOf(node), asset: undefined, amount, userWallet: undefined, poolWallet: undefined };
  }
  const { receiver, asset, amount, receiverWallet, senderWallet } = node.data;
  return { receiver, asset, amount, userWallet: receiverWallet, poolWallet: senderWallet };
}
