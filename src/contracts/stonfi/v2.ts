import type { Cell } from "../../cell/Cell.ts";
import type { Address } from "../../model/Address.ts";
import type { Block } from "../blocks.ts";
import type { Facts } from "../Facts.ts";
import { jettonTransfer } from "../jetton/actions.ts";
import { jettonNotify } from "../jetton/messages.ts";
import { made, matcher } from "../matcher.ts";
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
} from "../pattern.ts";
import { type JettonSwap, jettonSwap, type PeerSwap, type SwapTransfer, unwrapped } from "../swap.ts";
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
const paidOut = built(jettonTransfer, { child: either<Block>([nextHop, unwrappedOut], { optional: true }) });
const payment = call(stonfiPayToV2, { child: either<Block>([paidOut, nextHop]) });
const hop = call(stonfiSwapV2, { child: payment });
const firstHop = call(stonfiSwapV2, { child: payment, parent: either<Block>([given, arrived]) });

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
    const peers = listPeers(
      incoming,
      payments.map(({ additional }) => additional),
      facts,
    );
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

export function byStart(a: Block, b: Block): number {
  return a.startLt < b.startLt ? -1 : 1;
}

function readIncoming(match: Match, facts: Facts): SwapTransfer {
  const transfer = match.find(given)?.data;
  if (transfer !== undefined) {
    return {
      asset: unwrapped(transfer.asset),
      amount: transfer.amount,
      source: transfer.sender,
      sourceWallet: transfer.senderWallet,
      destination: transfer.receiver,
      destinationWallet: transfer.receiverWallet,
    };
  }
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
  const transfer = block.data;
  const isJetton = transfer.hasInternalTransfer;
  const unwrapping = block.next.find((next) => match.list(unwrappedOut).some((found) => found === next));
  const coins = unwrapping === undefined ? undefined : bodyOf(unwrapping, ptonTonTransfer).tonAmount;
  return {
    asset: unwrapped(transfer.asset),
    amount: coins ?? transfer.amount,
    source: transfer.sender,
    sourceWallet: isJetton ? transfer.senderWallet : undefined,
    destination: transfer.receiver,
    destinationWallet: isJetton ? transfer.receiverWallet : undefined,
  };
}

interface Amounts {
  readonly amount0Out: bigint;
  readonly token0Address: Address | undefined;
  readonly amount1Out: bigint;
  readonly token1Address: Address | undefined;
}

function listPeers(incoming: SwapTransfer, payments: readonly Amounts[], facts: Facts): PeerSwap[] {
  const peers: PeerSwap[] = [];
  let { asset, amount } = incoming;
  for (const { amount0Out, token0Address, amount1Out, token1Address } of payments) {
    const isFirst = amount0Out > amount1Out;
    const token = isFirst ? token0Address : token1Address;
    const assetOut = unwrapped(token === undefined ? undefined : facts.findJettonWallet(token)?.jetton);
    const amountOut = isFirst ? amount0Out : amount1Out;
    peers.push({ assetIn: asset, amountIn: amount, assetOut, amountOut });
    asset = assetOut;
    amount = amountOut;
  }
  return peers;
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
