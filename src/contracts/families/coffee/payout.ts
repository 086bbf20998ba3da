import { type Address, makeAddress } from "../../../model/Address.ts";
import { excessOpcode, noMatch } from "../../engine/messageParts.ts";
import { type CallNode, isCall } from "../../engine/nodes.ts";
import { built, call, firstOf, type Pattern } from "../../engine/pattern.ts";
import { isKind, type TraceNode } from "../../engine/TraceNode.ts";
import type { FieldValue } from "../../kit/declare.ts";
import { jettonTransfer } from "../jetton/actions.ts";
import { jettonInternalTransfer } from "../jetton/messages.ts";
import { type coffeeAsset, coffeeNotification, coffeePayout, coffeePayoutInternal } from "./messages.ts";

/** A payment from a vault: jettons, TON, or TON with a message for the next contract. */
export function vaultPayout({ optional = false } = {}): Pattern<CallNode> {
  const left = firstOf<TraceNode>([built(jettonTransfer), call(coffeePayout), call(coffeeNotification)]);
  return call(coffeePayoutInternal, { child: left, optional });
}

/** Liquidity tokens for the depositor. The excess is a part of its own, so its bounce belongs to the action too. */
export function lpPayout(): Pattern<CallNode> {
  return call(jettonInternalTransfer, { child: call(excessOpcode, { optional: true }) });
}

/** The message that left the vault with TON. */
export function findTonPayment(node: CallNode): CallNode | undefined {
  const opcodes: readonly number[] = [coffeePayout.opcode, coffeeNotification.opcode];
  return node.next.filter(isCall).find(({ data }) => opcodes.includes(data.opcode ?? -1));
}

/** The jettons that left the vault. */
export function findJettonPayment(node: CallNode) {
  return node.next.find((next) => isKind(next, jettonTransfer))?.data;
}

/** The jetton of an asset; none for TON. The service refuses other currencies. */
export function coffeeJettonOf(asset: FieldValue<typeof coffeeAsset>): Address | undefined {
  if (asset.kind === "extra") throw noMatch("an extra currency, which no asset stands for");
  if (asset.kind !== "jetton") return undefined;
  return makeAddress((asset.chain << 24) >> 24, asset.hash.toString(16).padStart(64, "0"));
}
