import type { Cell } from "../../../cell/Cell.ts";
import { sliceOf } from "../../../cell/Slice.ts";
import type { Address } from "../../../model/Address.ts";
import type { Facts } from "../../engine/Facts.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { bodyOf, cellOf, known, noMatch } from "../../engine/messageParts.ts";
import { type CallNode, isCall } from "../../engine/nodes.ts";
import { built, call, firstOf, type Match, type Pattern, recursive, where } from "../../engine/pattern.ts";
import { byStart, isKind, type TraceNode } from "../../engine/TraceNode.ts";
import { address } from "../../kit/addressFields.ts";
import { refusable } from "../../kit/entity.ts";
import type { JettonSwap, PeerSwap, SwapTransfer } from "../exchange/swap.ts";
import { jettonMoved, jettonSwap, unwrapped } from "../exchange/swap.ts";
import { type JettonTransfer, jettonTransfer } from "../jetton/actions.ts";
import { jettonNotify } from "../jetton/messages.ts";
import { ptonTonTransfer, stonfiPayToV2, stonfiSwapV2, stonfiSwapV2ForwardPayload } from "./messages.ts";
import { arrived, given, readIncoming } from "./wrappedCoins.ts";

const swapOk = 0xc64370e5;

/** Optional wherever it follows a payment: a next swap that does not complete leaves the messages before it. */
const nextHop: Pattern<CallNode> = recursive(() => hop, true);
const passedOn = where(isPassedOn, { optional: true, child: call(jettonNotify, { child: nextHop }) });
const paidInTon = where(isPaidInTon, { child: passedOn });
const paidInJettons = built(jettonTransfer, { child: nextHop });
const paidOut = firstOf<TraceNode<JettonTransfer>>([paidInTon, paidInJettons]);
const payment = call(stonfiPayToV2, { child: firstOf<TraceNode>([paidOut, nextHop]) });
const hop = call(stonfiSwapV2, { child: payment });
const firstHop = call(stonfiSwapV2, { child: payment, parent: firstOf<TraceNode>([given, arrived]) });

/** Wrapped TON has no wallet that receives it. */
function isPaidInTon(node: TraceNode): node is TraceNode<JettonTransfer> {
  return isKind(node, jettonTransfer) && !node.data.hasInternalTransfer;
}

/** TON between two pools: it continues to the destination of the transfer, with an order to swap. */
function isPassedOn(node: TraceNode): node is CallNode {
  if (!isUnwrapping(node) || !isKind(node.previous, jettonTransfer)) return false;
  if (node.previous.data.receiver !== node.data.destination) return false;
  return refusable(() => readOrderOpcode(node)) === stonfiSwapV2.opcode;
}

// query_id:uint64 amount:Coins refund:addr payload:(Maybe ^Cell), or in the body where it has references
function readOrderOpcode(node: CallNode): number {
  const body = sliceOf(cellOf(node)).skip(96);
  body.loadCoins();
  address.load(body);
  const payload = body.loadMaybeRef();
  if (payload === undefined && body.remainingRefs === 0) throw noMatch("no order comes with the TON");
  return (payload === undefined ? body : sliceOf(payload)).loadUint(32);
}

function isUnwrapping(node: TraceNode): node is CallNode {
  return isCall(node) && node.data.opcode === ptonTonTransfer.opcode;
}

/** A swap through one pool or several, of one router or several. */
export const stonfiV2SwapMatcher = matcher({
  name: "stonfi_v2_swap",
  pattern: firstHop,
  build: (match, facts) => {
    const { hops, payments } = listHops(match);
    const failed = payments.some(({ exitCode }) => exitCode !== swapOk);
    const incoming = readIncoming(match, firstHop);
    const paid = known(match.list(paidOut).sort(byStart).at(-1));
    const unwrapping = paid.next.find(isUnwrapping);
    const outgoing = readOutgoing(paid.data, unwrapping);
    const target = failed ? findTarget(known(hops[0]), facts) : undefined;
    const peers = hops.length > 1 ? listSteps(incoming, hops, payments, facts) : [];
    const data: JettonSwap = {
      dex: "stonfi_v2",
      sender: incoming.source,
      assetIn: incoming.asset,
      // The requested asset, if known, and otherwise the refunded one.
      assetOut: target === undefined ? outgoing.asset : unwrapped(target),
      incoming,
      outgoing,
      peers: peers.length > 1 ? peers : [],
    };
    return made(jettonSwap, data, { failed, also: [unwrapping] });
  },
});

/** The swaps and their payments. The service refuses a swap that is not followed by exactly one payment. */
function listHops(match: Match) {
  const payments = match.list(payment).sort(byStart);
  const hops = match.list(hop).sort(byStart);
  const paid = new Set(payments);
  const steps = [...payments, ...hops].sort(byStart);
  const isAlternating = steps.every((node, index) => paid.has(node) === (index % 2 === 0));
  if (!isAlternating || payments.length !== hops.length + 1) throw noMatch("a swap without its own payment");
  return {
    hops: [match.get(firstHop), ...hops].map((node) => bodyOf(node, stonfiSwapV2)),
    payments: payments.map((node) => bodyOf(node, stonfiPayToV2)),
  };
}

/** Wrapped TON that is not unwrapped was not paid out: the service refuses that. */
function readOutgoing(transfer: JettonTransfer, unwrapping: CallNode | undefined): SwapTransfer {
  const moved = jettonMoved(transfer);
  if (unwrapping === undefined && transfer.hasInternalTransfer) return { ...moved, asset: unwrapped(moved.asset) };
  const ton = known(unwrapping);
  const { tonAmount } = bodyOf(ton, ptonTonTransfer);
  return {
    ...moved,
    asset: undefined,
    amount: tonAmount,
    destination: ton.data.destination,
    destinationWallet: undefined,
  };
}

type Payment = NonNullable<ReturnType<typeof stonfiPayToV2.find>>;

/**
 * The steps of a swap by the payments of the pools. The orders contain the wallets of pools; the service refuses a
 * payment from any other wallet.
 */
function listSteps(
  incoming: SwapTransfer,
  hops: readonly Order[],
  payments: readonly Payment[],
  facts: Facts,
): PeerSwap[] {
  const assets = new Map<Address, Address | undefined>();
  for (const { dexPayload } of hops) {
    const wallet = known(dexPayload.tokenWallet1);
    const jetton = facts.findJettonWallet(wallet)?.jetton;
    if (jetton === undefined) break;
    assets.set(wallet, unwrapped(jetton));
  }
  const peers: PeerSwap[] = [];
  let [assetIn, amountIn] = [incoming.asset, incoming.amount];
  for (const [index, { exitCode, additional }] of payments.entries()) {
    const isFirst = additional.amount0Out >= additional.amount1Out;
    const wallet = known(isFirst ? additional.token0Address : additional.token1Address);
    if (index > 0 && exitCode !== swapOk) continue;
    if (!assets.has(wallet)) throw noMatch("a payment from a wallet that no order names");
    const [assetOut, amountOut] = [assets.get(wallet), isFirst ? additional.amount0Out : additional.amount1Out];
    peers.push({ assetIn, amountIn, assetOut, amountOut });
    if (exitCode !== swapOk) break;
    [assetIn, amountIn] = [assetOut, amountOut];
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

/** The wallets of a swap, from the first to the one of the requested jetton. */
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
