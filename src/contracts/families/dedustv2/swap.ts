import { sliceOf } from "../../../cell/Slice.ts";
import type { Address } from "../../../model/Address.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { bodyOf, isAborted, known } from "../../engine/messageParts.ts";
import { isCall } from "../../engine/nodes.ts";
import { call, firstOf, type Pattern, recursive, where } from "../../engine/pattern.ts";
import { byStart, type TraceNode } from "../../engine/TraceNode.ts";
import type { FieldValue } from "../../kit/declare.ts";
import { refusable } from "../../kit/entity.ts";
import type { JettonSwap, PeerSwap, SwapTransfer } from "../exchange/swap.ts";
import { jettonMoved, jettonSwap, tonMoved } from "../exchange/swap.ts";
import { type Carrier, findOrder, isCarrier, isLeg, type LegNode, quiet, returnedExcess, senderOf } from "./carrier.ts";
import { payNative, payoutBody, swapLog, swapOrder, swapStep } from "./messages.ts";

function findSwapOrder(node: Carrier) {
  const order = findOrder(node);
  return order && swapOrder.find(order);
}

/** TON must come with the order of a swap; jettons are known by the report of the pool. */
function isStart(node: TraceNode): node is Carrier {
  return isCarrier(node) && (!isCall(node) || findSwapOrder(node) !== undefined);
}

const log = call(swapLog, quiet);
const paid = where(isLeg);
const nextHop: Pattern<Carrier> = recursive(() => laterHop);
/** Whichever comes first: a message to a further pool, or the payment. */
const hopParts: readonly Pattern[] = [log, firstOf<TraceNode>([nextHop, paid]), returnedExcess];
const laterHop = where(isCarrier, { ...quiet, children: hopParts });
const firstHop = where(isStart, { children: hopParts });

/** A swap through one pool or a chain of pools; every pool reports its part. */
export const dedustV2SwapMatcher = matcher({
  name: "dedust_v2_swap",
  pattern: firstHop,
  opcodes: [swapLog.opcode],
  build: (match) => {
    const first = match.get(firstHop);
    const carriers = [first, ...match.list(laterHop).sort(byStart)];
    const logs = match.list(log).sort(byStart);
    const out = match.get(paid);
    // The route broke: the pool that should have gone on did not.
    if (!isCall(out) && findSwapOrder(out) !== undefined) return undefined;
    const reports = logs.map((node) => bodyOf(node, swapLog));
    const assets = [...carriers.map(assetOf), assetOf(out)];
    const data: JettonSwap = {
      dex: "dedust_v2",
      sender: senderOf(first),
      assetIn: assetOf(first),
      assetOut: assetOf(out),
      incoming: movedBy(first, known(reports[0]).amountIn),
      outgoing: movedBy(out, known(reports.at(-1)).amountOut),
      peers: logs.length > 1 && carriers.length === logs.length ? listPeers(reports, assets) : [],
      minOutAmount: refusable(() => readMinOut(first)),
    };
    return made(jettonSwap, data, { failed: logs.some(isFailed) });
  },
});

function isFailed(node: TraceNode): boolean {
  return isAborted(node) || node.nodes.some(({ transaction }) => (transaction.exitCode ?? 0) !== 0);
}

function assetOf(node: Carrier | LegNode): Address | undefined {
  return isCall(node) ? undefined : node.data.asset;
}

/** Who moved what; the amount is that of a report or of the order. */
function movedBy(node: Carrier | LegNode, amount: bigint): SwapTransfer {
  if (!isCall(node)) return { ...jettonMoved(node.data), amount };
  return tonMoved({ amount, source: node.data.source, destination: node.data.destination });
}

type Report = NonNullable<ReturnType<typeof swapLog.find>>;

function listPeers(reports: readonly Report[], assets: readonly (Address | undefined)[]): PeerSwap[] {
  return reports.map(({ amountIn, amountOut }, at) => ({
    assetIn: assets[at],
    amountIn,
    assetOut: assets[at + 1],
    amountOut,
  }));
}

const maxSteps = 16;

/** The least amount that the last pool of the route may pay. */
function readMinOut(node: Carrier): bigint {
  let order: Pick<FieldValue<typeof swapStep>, "minOut" | "next"> = known(findSwapOrder(node));
  for (let steps = 0; order.next !== undefined && steps < maxSteps; steps++) order = swapStep.load(sliceOf(order.next));
  return order.minOut;
}

function isReport(node: TraceNode): boolean {
  return isCall(node) && node.data.opcode === swapLog.opcode;
}

/** A swap that the pool refuses: it sends no report. */
function isRefused(node: TraceNode): node is Carrier {
  return isCarrier(node) && !node.next.some(isReport) && findSwapOrder(node) !== undefined;
}

/** Whether a pool returns to the sender what came: the same asset; TON comes with the reason. */
function isRefund(node: LegNode, given: Carrier): boolean {
  if (!isCall(node))
    return !isCall(given) && node.data.receiver === senderOf(given) && node.data.asset === given.data.asset;
  if (!isCall(given) || node.data.destination !== given.data.source) return false;
  return bodyOf(node, payoutBody).exitCode !== 0;
}

const refund = where(isLeg);
const refused = where(isRefused, { children: [refund, returnedExcess] });

/** A swap whose pool returns what came in. */
export const dedustV2FailedSwapMatcher = matcher({
  name: "dedust_v2_failed_swap",
  pattern: refused,
  build: (match, facts) => {
    const node = match.get(refused);
    if (!isRefund(match.get(refund), node)) return undefined;
    const incoming = movedBy(node, isCall(node) ? bodyOf(node, payNative).amount : node.data.amount);
    const { source: sender, destination: pool } = incoming;
    const assets = pool === undefined ? undefined : facts.findDedustPool(pool)?.assets;
    const assetOut = assets?.find((asset) => asset !== incoming.asset);
    const data: JettonSwap = {
      dex: "dedust_v2",
      sender,
      assetIn: incoming.asset,
      assetOut,
      incoming,
      outgoing: { ...tonMoved({ amount: 0n, source: pool, destination: sender }), asset: assetOut },
      peers: [],
      // A route that cannot be read to its end is refused with jettons only.
      minOutAmount: isCall(node) ? refusable(() => readMinOut(node)) : readMinOut(node),
    };
    return made(jettonSwap, data, { failed: true });
  },
});
