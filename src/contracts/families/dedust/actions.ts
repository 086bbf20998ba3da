import type { Address } from "../../../model/Address.ts";
import type { Facts } from "../../engine/Facts.ts";
import { made, matcher } from "../../engine/matcher.ts";
import {
  bodyOf,
  built,
  call,
  coinsOf,
  destinationOf,
  either,
  known,
  type Match,
  type Pattern,
  recursive,
  sourceOf,
  where,
} from "../../engine/pattern.ts";
import { byStart, isKind, type TraceNode } from "../../engine/TraceNode.ts";
import {
  type JettonSwap,
  jettonMoved,
  jettonSwap,
  type PeerSwap,
  type SwapTransfer,
  tonMoved,
} from "../../kit/swap.ts";
import { type JettonTransfer, jettonTransfer, payloadOpcode } from "../jetton/actions.ts";
import type { CallBlock } from "../transfer/blocks.ts";
import { dedustSwapEvent, jettonOf } from "./innerMessages.ts";
import {
  type DedustSwapStepParams,
  dedustPayOutFromPool,
  dedustPayout,
  dedustSwap,
  dedustSwapExternal,
  dedustSwapForwardPayload,
  dedustSwapPeer,
} from "./messages.ts";

const event = call(dedustSwapEvent, { optional: true });
const paidJetton = built(jettonTransfer);
const paidTon = call(dedustPayout);
const payout = call(dedustPayOutFromPool, { child: either<TraceNode>([paidJetton, paidTon]) });
const nextPeer: Pattern<CallBlock> = recursive(() => peer);
const peer = call(dedustSwapPeer, { children: [either([payout, nextPeer]), event] });

function isSwapOrder(block: TraceNode): block is TraceNode<JettonTransfer> {
  return isKind(block, jettonTransfer) && payloadOpcode(block.data) === dedustSwapForwardPayload.opcode;
}

const givenJetton = where(isSwapOrder);
const givenTon = call(dedustSwap);
const ordered = call(dedustSwapExternal, {
  parent: either<TraceNode>([givenJetton, givenTon]),
  children: [either([payout, nextPeer]), event],
});

/** A swap through one pool or a chain of them; every pool reports what it did. */
export const dedustSwapMatcher = matcher({
  name: "dedust_swap",
  pattern: ordered,
  build: (match, facts) => {
    const block = match.get(ordered);
    const order = bodyOf(block, dedustSwapExternal);
    const events = match
      .list(event)
      .sort(byStart)
      .map((log) => bodyOf(log, dedustSwapEvent));
    const peers = events.map(
      ({ assetIn, amountIn, assetOut, amountOut }): PeerSwap => ({
        assetIn: jettonOf(assetIn),
        amountIn,
        assetOut: jettonOf(assetOut),
        amountOut,
      }),
    );
    const sender = events[0]?.context.sender ?? order.senderAddr;
    const incoming = readIncoming(match, sender, peers[0]);
    const outgoing = readOutgoing(match, peers.at(-1));
    const data: JettonSwap = {
      dex: "dedust",
      sender,
      assetIn: incoming.asset,
      assetOut: findTarget(incoming.asset, destinationOf(block), order.current, facts, outgoing.asset),
      incoming,
      outgoing,
      peers: peers.length > 1 ? peers : [],
    };
    const requests = 1 + match.list(peer).length;
    return made(jettonSwap, data, { failed: events.length < requests });
  },
});

function readIncoming(match: Match, sender: Address | undefined, first: PeerSwap | undefined): SwapTransfer {
  const transfer = match.find(givenJetton)?.data;
  if (transfer !== undefined) {
    return { ...jettonMoved(transfer), amount: first?.amountIn ?? transfer.amount, source: sender };
  }
  const block = match.get(givenTon);
  const amount = first?.amountIn ?? bodyOf(block, dedustSwap).amount;
  return tonMoved({ amount, source: sender, destination: destinationOf(block) });
}

function readOutgoing(match: Match, last: PeerSwap | undefined): SwapTransfer {
  const transfer = match.find(paidJetton)?.data;
  if (transfer !== undefined) return { ...jettonMoved(transfer), amount: last?.amountOut ?? transfer.amount };
  const block = match.get(paidTon);
  const paid = dedustPayOutFromPool.find(known(match.get(payout).nodes[0]?.message).body)?.amount;
  const amount = last?.amountOut ?? paid ?? coinsOf(block);
  return tonMoved({ amount, source: sourceOf(block), destination: destinationOf(block) });
}

const maxSteps = 32;

/** What the order's way through the pools ends in; `fallback` where a pool on it is not known. */
function findTarget(
  from: Address | undefined,
  firstPool: Address,
  first: DedustSwapStepParams,
  facts: Facts,
  fallback: Address | undefined,
): Address | undefined {
  let asset = from;
  let pool: Address | undefined = firstPool;
  let params: DedustSwapStepParams | undefined = first;
  for (let step = 0; params !== undefined && step < maxSteps; step++) {
    const assets: readonly (Address | undefined)[] | undefined =
      pool === undefined ? undefined : facts.findDedustPool(pool)?.assets;
    if (assets === undefined) return fallback;
    asset = assets[0] === asset ? assets[1] : assets[0];
    pool = params.next?.poolAddr;
    params = params.next?.params;
  }
  return asset;
}
