import type { Cell } from "../../../cell/Cell.ts";
import type { Address } from "../../../model/Address.ts";
import type { Facts } from "../../engine/Facts.ts";
import { made, matcher } from "../../engine/matcher.ts";
import {
  bodyOf,
  built,
  call,
  destinationOf,
  either,
  known,
  type Match,
  type Pattern,
  recursive,
  sourceOf,
} from "../../engine/pattern.ts";
import { byStart, type TraceNode } from "../../engine/TraceNode.ts";
import {
  type JettonSwap,
  jettonMoved,
  jettonSwap,
  listPeers,
  moneyPaidOut,
  type SwapTransfer,
  unwrapped,
} from "../../kit/swap.ts";
import { jettonTransfer } from "../jetton/actions.ts";
import { jettonNotify } from "../jetton/messages.ts";
import type { CallBlock } from "../transfer/blocks.ts";
import { ptonTonTransfer, stonfiPayToV2, stonfiSwapV2, stonfiSwapV2ForwardPayload } from "./messages.ts";

const swapOk = 0xc64370e5;

/** What TON is brought in or passed on with. */
const wrapped = call(ptonTonTransfer);
const arrived = call(jettonNotify, { parent: wrapped });
const given = built(jettonTransfer);

const nextHop: Pattern<CallBlock> = recursive(() => hop);
const passedOn = call(jettonNotify, { child: nextHop });
const unwrappedOut = call(ptonTonTransfer, { child: either([passedOn], { optional: true }) });
const paidOut = built(jettonTransfer, { child: either<TraceNode>([nextHop, unwrappedOut], { optional: true }) });
const payment = call(stonfiPayToV2, { child: either<TraceNode>([paidOut, nextHop]) });
const hop = call(stonfiSwapV2, { child: payment });
const firstHop = call(stonfiSwapV2, { child: payment, parent: either<TraceNode>([given, arrived]) });

/** A swap through one pool or several, of one router or several. */
export const stonfiV2SwapMatcher = matcher({
  name: "stonfi_v2_swap",
  pattern: firstHop,
  build: (match, facts) => {
    const swap = bodyOf(match.get(firstHop), stonfiSwapV2);
    const payments = match
      .list(payment)
      .sort(byStart)
      .map((block) => bodyOf(block, stonfiPayToV2));
    const failed = payments.some(({ exitCode }) => exitCode !== swapOk);
    const incoming = readIncoming(match, facts);
    const outgoing = readOutgoing(match);
    const assetOut = failed ? unwrapped(findTarget(swap, facts)) : outgoing.asset;
    const paid = payments.map(({ additional: { amount0Out, token0Address, amount1Out, token1Address } }) => ({
      ...{ amount0: amount0Out, wallet0: token0Address },
      ...{ amount1: amount1Out, wallet1: token1Address },
    }));
    const peers = listPeers(incoming, paid, facts);
    const data: JettonSwap = {
      dex: "stonfi_v2",
      sender: swap.fromUser,
      assetIn: incoming.asset,
      assetOut,
      incoming,
      outgoing,
      peers: peers.length > 1 ? peers : [],
    };
    return made(jettonSwap, data, { failed });
  },
});

function readIncoming(match: Match, facts: Facts): SwapTransfer {
  const transfer = match.find(given)?.data;
  if (transfer !== undefined) return { ...jettonMoved(transfer), asset: unwrapped(transfer.asset) };
  const block = match.get(wrapped);
  const wallet = destinationOf(block);
  return {
    asset: unwrapped(facts.findJettonWallet(wallet)?.jetton),
    amount: bodyOf(block, ptonTonTransfer).tonAmount,
    source: sourceOf(block),
    sourceWallet: undefined,
    destination: destinationOf(match.get(arrived)),
    destinationWallet: wallet,
  };
}

function readOutgoing(match: Match): SwapTransfer {
  const block = known(match.list(paidOut).sort(byStart).at(-1));
  const unwrapping = block.next.find((next) => match.list(unwrappedOut).some((found) => found === next));
  const coins = unwrapping === undefined ? undefined : bodyOf(unwrapping, ptonTonTransfer).tonAmount;
  return moneyPaidOut(block.data, coins);
}

const maxHops = 16;

interface Order {
  readonly dexPayload: {
    readonly tokenWallet1: Address | undefined;
    readonly swapBody: { readonly customPayload: Cell | undefined };
  };
}

/** The wallets a swap is to go through, from the first to the one whose jetton is wanted. */
export function listTargets({ dexPayload }: Order): Address[] {
  const targets = [dexPayload.tokenWallet1];
  let next = dexPayload.swapBody.customPayload;
  while (next !== undefined && targets.length < maxHops) {
    const step = stonfiSwapV2ForwardPayload.find(next);
    if (step === undefined) break;
    targets.push(step.tokenWallet1);
    next = step.swapBody.customPayload;
  }
  return targets.filter((target) => target !== undefined);
}

function findTarget(swap: Order, facts: Facts): Address | undefined {
  const target = listTargets(swap).at(-1);
  return target === undefined ? undefined : facts.findJettonWallet(target)?.jetton;
}
