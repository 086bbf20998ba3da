import { bodyOf, destinationOf } from "../../engine/messageParts.ts";
import type { CallNode } from "../../engine/nodes.ts";
import { built, call, type Match, type Pattern } from "../../engine/pattern.ts";
import { jettonMoved, type SwapTransfer, unwrapped } from "../exchange/swap.ts";
import { jettonTransfer } from "../jetton/actions.ts";
import { jettonNotify } from "../jetton/messages.ts";
import { ptonTonTransfer } from "./messages.ts";

/** The message that carries TON in or on. */
export const wrapped = call(ptonTonTransfer);
/** TON that arrives at an exchange as wrapped coins. */
export const arrived = call(jettonNotify, { parent: wrapped });
/** Jettons that a user gives to an exchange. */
export const given = built(jettonTransfer);

/** What a swap was given, in jettons or in wrapped coins. */
export function readIncoming(match: Match, firstHop: Pattern<CallNode>): SwapTransfer {
  const transfer = match.find(given)?.data;
  if (transfer !== undefined) return { ...jettonMoved(transfer), asset: unwrapped(transfer.asset) };
  const node = match.get(wrapped);
  return {
    asset: undefined,
    amount: bodyOf(node, ptonTonTransfer).tonAmount,
    source: node.data.source,
    sourceWallet: undefined,
    destination: match.get(firstHop).data.source,
    destinationWallet: destinationOf(node),
  };
}
