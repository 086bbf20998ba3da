import { type Slice, sliceOf } from "../../../cell/Slice.ts";
import type { Address } from "../../../model/Address.ts";
import type { Facts } from "../../engine/Facts.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { bodyOf, cellOf, destinationOf, known, sourceOf } from "../../engine/messageParts.ts";
import { type CallNode, isCall } from "../../engine/nodes.ts";
import { built, call, firstOf, type Match, type Pattern, recursive, where } from "../../engine/pattern.ts";
import { byStart, isKind, type TraceNode } from "../../engine/TraceNode.ts";
import { partyAddress } from "../../kit/addressFields.ts";
import type { JettonSwap, PeerSwap, SwapTransfer } from "../exchange/swap.ts";
import { jettonMoved, jettonSwap, tonMoved } from "../exchange/swap.ts";
import { type JettonTransfer, jettonTransfer, payloadOpcode } from "../jetton/actions.ts";
import { dedustJettonOf, dedustSwapEvent, payOutFromPool } from "./innerMessages.ts";
import { dedustPayout, dedustSwap, dedustSwapExternal, dedustSwapForwardPayload, dedustSwapPeer } from "./messages.ts";

const event = call(dedustSwapEvent, { optional: true });
const paidJetton = built(jettonTransfer);
const paidTon = call(dedustPayout);
const payout = call(payOutFromPool, { child: firstOf<TraceNode>([paidJetton, paidTon]) });
const nextPeer: Pattern<CallNode> = recursive(() => peer);
const peer = call(dedustSwapPeer, { children: [firstOf([payout, nextPeer]), event] });

function isSwapOrder(node: TraceNode): node is TraceNode<JettonTransfer> {
  return isKind(node, jettonTransfer) && payloadOpcode(node.data) === dedustSwapForwardPayload.opcode;
}

const givenJetton = where(isSwapOrder);
const givenTon = call(dedustSwap);
const ordered = call(dedustSwapExternal, {
  parent: firstOf<TraceNode>([givenJetton, givenTon]),
  children: [firstOf([payout, nextPeer]), event],
});

/** A swap through one pool or a chain of pools; every pool reports its part. */
export const dedustSwapMatcher = matcher({
  name: "dedust_swap",
  pattern: ordered,
  build: (match, facts) => {
    const peers = match
      .list(event)
      .sort(byStart)
      .map((log) => readPeer(log));
    const { steps, ...given } = readSwapTransfer(match);
    const paid = readPaid(match, given.source);
    const [first, last] = [peers[0], peers.at(-1)];
    // Without a report the messages give the amounts in and out.
    const data: JettonSwap = {
      dex: "dedust",
      sender: given.source,
      assetIn: given.asset,
      assetOut: findTarget(given.asset, steps, facts),
      incoming: first === undefined ? given : { ...given, asset: first.assetIn, amount: first.amountIn },
      outgoing: last === undefined ? paid : { ...paid, asset: last.assetOut, amount: last.amountOut },
      peers: peers.length > 1 ? peers : [],
    };
    return made(jettonSwap, data, { failed: !isReported(match) });
  },
});

function readPeer(log: CallNode): PeerSwap {
  const { assetIn, amountIn, assetOut, amountOut } = bodyOf(log, dedustSwapEvent);
  return { assetIn: dedustJettonOf(assetIn), amountIn, assetOut: dedustJettonOf(assetOut), amountOut };
}

/** Whether every pool has reported. */
function isReported(match: Match): boolean {
  const logs = match.list(event);
  return [match.get(ordered), ...match.list(peer)].every((request) => request.next.some((next) => isAmong(next, logs)));
}

function isAmong(node: TraceNode, logs: readonly CallNode[]): boolean {
  return isCall(node) && logs.includes(node);
}

/** The incoming asset, with the pools of its route. */
function readSwapTransfer(match: Match): SwapTransfer & { readonly steps: readonly Address[] } {
  const transfer = match.find(givenJetton)?.data;
  if (transfer !== undefined) {
    const order = sliceOf(known(transfer.forwardPayload)).skip(32);
    return { ...jettonMoved(transfer), steps: readSteps(order) };
  }
  const node = match.get(givenTon);
  // query_id:uint64 amount:Coins step …
  const order = sliceOf(cellOf(node)).skip(96);
  const amount = order.loadCoins();
  const moved = tonMoved({ amount, source: node.data.source, destination: destinationOf(node) });
  return { ...moved, steps: readSteps(order) };
}

function readPaid(match: Match, sender: Address | undefined): SwapTransfer {
  const { amount } = bodyOf(match.get(payout), payOutFromPool);
  const transfer = match.find(paidJetton)?.data;
  if (transfer !== undefined) return jettonMoved(transfer);
  const node = match.get(paidTon);
  return tonMoved({ amount, source: sourceOf(node), destination: node.data.destination ?? sender });
}

const maxSteps = 32;

// pool:addr kind:uint1 limit:Coins next:(Maybe ^step)
function readSteps(order: Slice): readonly Address[] {
  const pools: Address[] = [];
  for (let step: Slice | undefined = order; step !== undefined && pools.length < maxSteps; ) {
    pools.push(known(partyAddress.load(step)));
    step.skip(1).loadCoins();
    const next = step.loadMaybeRef();
    step = next === undefined ? undefined : sliceOf(next);
  }
  return pools;
}

/** The last asset of the route; the service refuses a route with an unknown pool. */
function findTarget(from: Address | undefined, pools: readonly Address[], facts: Facts): Address | undefined {
  let asset = from;
  for (const pool of pools) {
    const { assets } = known(facts.findDedustPool(pool));
    asset = assets[0] === asset ? assets[1] : assets[0];
  }
  return asset;
}
