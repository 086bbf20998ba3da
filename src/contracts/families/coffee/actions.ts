import { made, matcher } from "../../engine/matcher.ts";
import { bodyOf, coinsOf, destinationOf, known, sourceOf } from "../../engine/messageParts.ts";
import type { CallNode } from "../../engine/nodes.ts";
import { built, call, firstOf, type Match, type Pattern, recursive } from "../../engine/pattern.ts";
import { byStart, isKind, type TraceNode } from "../../engine/TraceNode.ts";
import type { JettonSwap, PeerSwap, SwapTransfer } from "../exchange/swap.ts";
import { jettonMoved, jettonSwap, tonMoved } from "../exchange/swap.ts";
import { jettonTransfer } from "../jetton/actions.ts";
import { swapSucceeded } from "./innerMessages.ts";
import { coffeeNotification, coffeePayoutInternal, coffeeSwapInternal, coffeeSwap as swapBody } from "./messages.ts";
import { coffeeJettonOf, findTonPayment, vaultPayout } from "./payout.ts";

const givenJetton = built(jettonTransfer);
const givenTon = call(swapBody);
const event = call(swapSucceeded);
const paid = vaultPayout();
const nextHop: Pattern<CallNode> = recursive(() => hop);
const hop = call(coffeeSwapInternal, { children: [event, firstOf([nextHop, paid])] });
const firstHop = call(coffeeSwapInternal, {
  children: [event, firstOf([nextHop, paid])],
  parent: firstOf<TraceNode>([givenJetton, givenTon]),
});

/** A swap through one pool or a chain of pools; every pool reports its part. */
export const coffeeSwapMatcher = matcher({
  name: "coffee_swap",
  pattern: firstHop,
  build: (match) => {
    const incoming = readIncoming(match);
    const outgoing = readOutgoing(match);
    const events = match
      .list(event)
      .sort(byStart)
      .map((log) => bodyOf(log, swapSucceeded));
    const inputs = events.map(({ input }) => coffeeJettonOf(input));
    const peers = events.map(
      ({ inputAmount, outputAmount }, index): PeerSwap => ({
        assetIn: inputs[index],
        amountIn: inputAmount,
        assetOut: index + 1 < inputs.length ? inputs[index + 1] : outgoing.asset,
        amountOut: outputAmount,
      }),
    );
    const data: JettonSwap = {
      dex: "coffee",
      sender: incoming.source,
      assetIn: incoming.asset,
      assetOut: outgoing.asset,
      incoming,
      outgoing,
      peers: peers.length > 1 ? peers : [],
    };
    return made(jettonSwap, data);
  },
});

function readIncoming(match: Match): SwapTransfer {
  const transfer = match.find(givenJetton)?.data;
  if (transfer !== undefined) return jettonMoved(transfer);
  const node = match.get(givenTon);
  return tonMoved({
    amount: bodyOf(node, swapBody).amount,
    source: sourceOf(node),
    destination: destinationOf(node),
  });
}

function readOutgoing(match: Match): SwapTransfer {
  const node = match.get(paid);
  const jetton = node.next.find((next) => isKind(next, jettonTransfer))?.data;
  if (jetton !== undefined) return jettonMoved(jetton);
  const left = known(findTonPayment(node));
  // TON sent with a message is shown as that message; other TON as sent by the pool, like in the public index.
  if (left.data.opcode === coffeeNotification.opcode)
    return tonMoved({ amount: coinsOf(left), source: sourceOf(left), destination: destinationOf(left) });
  const { amount, recipient } = bodyOf(node, coffeePayoutInternal);
  return tonMoved({ amount, source: sourceOf(node), destination: recipient });
}
