import { sliceOf } from "../../../cell/Slice.ts";
import type { Address } from "../../../model/Address.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { bodyOf, cellOf, destinationOf, isAborted, known, sourceOf } from "../../engine/messageParts.ts";
import { isCall } from "../../engine/nodes.ts";
import { call, firstOf, type MatchContext, type Pattern, recursive, where } from "../../engine/pattern.ts";
import { byStart, isKind, type TraceNode } from "../../engine/TraceNode.ts";
import type { FieldValue } from "../../kit/declare.ts";
import type { JettonSwap, PeerSwap, SwapTransfer } from "../exchange/swap.ts";
import { jettonMoved, jettonSwap, tonMoved } from "../exchange/swap.ts";
import { jettonTransfer } from "../jetton/actions.ts";
import { type Carrier, findOrder, isCarrier, leg, quiet, returnedExcess, senderOf } from "./carrier.ts";
import { payNative, payoutBody, swapLog, swapOrder, swapStep } from "./messages.ts";

function findSwapOrder(node: Carrier) {
  const order = findOrder(node);
  return order && swapOrder.find(order);
}

/** TON must come with the order of a swap; jettons are known by the report of the pool. */
function isHop(node: TraceNode): node is Carrier {
  return isCarrier(node) && (!isCall(node) || findSwapOrder(node) !== undefined);
}

const log = call(swapLog, quiet);
const paid = leg();
const nextHop: Pattern<Carrier> = recursive(() => hop);
const around = (next: Pattern): MatchContext => ({ ...quiet, children: [log, next, returnedExcess] });
/** A further pool is looked for among all messages of a pool before one of them counts as the payment. */
const hops: readonly Pattern<Carrier>[] = [where(isHop, around(nextHop)), where(isHop, around(paid))];
const hop = firstOf<Carrier>(hops);

/** A swap through one pool or a chain of pools; every pool reports its part. */
export const dedustV2SwapMatcher = matcher({
  name: "dedust_v2_swap",
  pattern: hop,
  opcodes: [swapLog.opcode],
  build: (match) => {
    const carriers = hops.flatMap((pattern) => match.list(pattern)).sort(byStart);
    const logs = match.list(log).sort(byStart);
    const out = match.get(paid);
    // The route broke: the pool that should have gone on did not.
    if (!isCall(out) && findSwapOrder(out) !== undefined) return undefined;
    const first = known(carriers[0]);
    const reports = logs.map((node) => bodyOf(node, swapLog));
    const assets = [...carriers.map(assetOf), assetOf(out)];
    const data: JettonSwap = {
      dex: "dedust_v2",
      sender: senderOf(first),
      assetIn: assetOf(first),
      assetOut: assetOf(out),
      incoming: { ...movedBy(first), amount: known(reports[0]).amountIn },
      outgoing: { ...movedBy(out), amount: known(reports.at(-1)).amountOut },
      peers: logs.length > 1 && carriers.length === logs.length ? listPeers(reports, assets) : [],
      minOutAmount: readMinOut(first),
    };
    return made(jettonSwap, data, { failed: logs.some(isAborted) });
  },
});

function assetOf(node: Carrier): Address | undefined {
  return isCall(node) ? undefined : node.data.asset;
}

function movedBy(node: Carrier): SwapTransfer {
  if (!isCall(node)) return jettonMoved(node.data);
  const { amount } = node.data.opcode === payNative.opcode ? bodyOf(node, payNative) : bodyOf(node, payoutBody);
  return tonMoved({ amount, source: sourceOf(node), destination: destinationOf(node) });
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

/** What a pool returns to the sender: the same asset; TON comes with the reason. */
function isRefund(node: TraceNode): boolean {
  const given = node.previous;
  if (given === undefined || !isCarrier(given)) return false;
  if (isKind(node, jettonTransfer))
    return !isCall(given) && node.data.receiver === senderOf(given) && node.data.asset === given.data.asset;
  if (!isCall(node) || !isCall(given) || node.data.destination !== given.data.source) return false;
  return (payoutBody.find(cellOf(node))?.exitCode ?? 0) !== 0;
}

const refused = where(isRefused, { ...quiet, children: [where(isRefund, quiet), returnedExcess] });

/** A swap whose pool returns what came in. */
export const dedustV2FailedSwapMatcher = matcher({
  name: "dedust_v2_failed_swap",
  pattern: refused,
  build: (match, facts) => {
    const node = match.get(refused);
    const incoming = movedBy(node);
    const { source: sender, destination: pool } = incoming;
    const assets = pool === undefined ? undefined : facts.findDedustPool(pool)?.assets;
    const assetOut = assets?.[0] === incoming.asset ? assets?.[1] : assets?.[0];
    const data: JettonSwap = {
      dex: "dedust_v2",
      sender,
      assetIn: incoming.asset,
      assetOut,
      incoming,
      outgoing: { ...tonMoved({ amount: 0n, source: pool, destination: sender }), asset: assetOut },
      peers: [],
      minOutAmount: readMinOut(node),
    };
    return made(jettonSwap, data, { failed: true });
  },
});
