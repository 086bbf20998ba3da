import type { Cell } from "../../../cell/Cell.ts";
import { sliceOf } from "../../../cell/Slice.ts";
import type { Address } from "../../../model/Address.ts";
import type { Facts } from "../../engine/Facts.ts";
import { kind } from "../../engine/kind.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { bodyOf, cellOf, destinationOf, excessOpcode, known, sourceOf } from "../../engine/messageParts.ts";
import { type CallNode, isCall } from "../../engine/nodes.ts";
import { built, call, firstOf, type Match, type Pattern, recursive } from "../../engine/pattern.ts";
import { byStart, type TraceNode } from "../../engine/TraceNode.ts";
import { address } from "../../kit/addressFields.ts";
import type { JettonSwap, PeerSwap, SwapTransfer } from "../exchange/swap.ts";
import { jettonMoved, jettonSwap, unwrapped } from "../exchange/swap.ts";
import { jettonTransfer } from "../jetton/actions.ts";
import { jettonNotify } from "../jetton/messages.ts";
import { ptonTonTransfer } from "../stonfi/messages.ts";
import { arrived, given, readIncoming, wrapped } from "../stonfi/wrappedCoins.ts";
import { findPayTo, type ToncoPayTo, toncoPayTo } from "./innerMessages.ts";
import { toncoPoolInit, toncoPoolSwap, toncoRouterCreatePool } from "./messages.ts";

const nextHop: Pattern<CallNode> = recursive(() => hop);
/** Between two pools the router pays itself, in jettons or in TON. */
const passedOnTon = built(jettonTransfer, {
  child: call(ptonTonTransfer, { child: call(jettonNotify, { child: nextHop }) }),
});
const passedOn = built(jettonTransfer, { child: nextHop });
const paidOut = built(jettonTransfer);
const payment = call(toncoPayTo, { child: firstOf([passedOnTon, passedOn, paidOut]) });
const hop = call(toncoPoolSwap, { child: payment });
const firstHop = call(toncoPoolSwap, { child: payment, parent: firstOf<TraceNode>([given, arrived]) });

/** The answer of a pool on success. */
const swapOk: ReadonlySet<number> = new Set([0, 200]);

export const toncoSwapMatcher = matcher({
  name: "tonco_swap",
  pattern: firstHop,
  build: (match, facts) => {
    const hops = [match.get(firstHop), ...match.list(hop)].sort(byStart);
    const payments = match.list(payment).sort(byStart);
    if (hops.length !== payments.length) return undefined;
    const steps = hops
      .map((node, index) => readStep(node, known(payments[index])))
      .filter((step) => step !== undefined);
    const failed = steps.length < hops.length || steps.some(({ paid }) => !swapOk.has(paid.exitCode));
    const incoming = readIncoming(match, firstHop);
    const last = known(match.list(paidOut).sort(byStart).at(-1));
    const moved = jettonMoved(last.data);
    const outgoing = { ...moved, asset: unwrapped(moved.asset) };
    const assets = listAssets(steps, outgoing, facts);
    const wanted = failed && steps.length > 0 ? findRequested(match, assets, facts) : undefined;
    const data: JettonSwap = {
      dex: "tonco",
      sender: incoming.source,
      assetIn: incoming.asset,
      assetOut: wanted === undefined ? outgoing.asset : wanted.asset,
      incoming,
      outgoing,
      peers: steps.length > 1 ? listSwaps(incoming, steps, assets) : [],
      minOutAmount: wanted === undefined ? outgoing.amount : wanted.minOut,
    };
    const unwrapping = last.next.filter(isCall).find(({ data: { opcode } }) => opcode === ptonTonTransfer.opcode);
    return made(jettonSwap, data, { failed, also: [unwrapping] });
  },
});

interface Step {
  readonly order: NonNullable<ReturnType<typeof toncoPoolSwap.find>>;
  readonly paid: ToncoPayTo;
}

/** One pool's order and its payment; undefined when one of them is unreadable, and then the swap counts as failed. */
function readStep(ordered: CallNode, answered: CallNode): Step | undefined {
  const [order, paid] = [toncoPoolSwap.find(cellOf(ordered)), findPayTo(cellOf(answered))];
  return order === undefined || paid === undefined ? undefined : { order, paid };
}

type Assets = ReadonlyMap<Address, Address | undefined>;

/** Assets by the wallets in the orders and in the last payout. */
function listAssets(
  steps: readonly Step[],
  { asset, sourceWallet, destinationWallet }: SwapTransfer,
  facts: Facts,
): Assets {
  const assets = new Map<Address, Address | undefined>();
  for (const { order } of steps) {
    const wallet = order.sourceWallet;
    const jetton = wallet === undefined ? undefined : facts.findJettonWallet(wallet)?.jetton;
    if (wallet !== undefined && jetton !== undefined) assets.set(wallet, unwrapped(jetton));
  }
  for (const wallet of [destinationWallet, sourceWallet]) if (wallet !== undefined) assets.set(wallet, asset);
  return assets;
}

/** The steps of a swap by the payments of the pools; undefined when the asset of the first is unknown. */
function listSwaps(incoming: SwapTransfer, steps: readonly Step[], assets: Assets): PeerSwap[] {
  const swaps: PeerSwap[] = [];
  let [assetIn, amountIn] = [incoming.asset, incoming.amount];
  for (const [index, { paid }] of steps.entries()) {
    const { exitCode, coins } = paid;
    if (coins === undefined || (index > 0 && !swapOk.has(exitCode))) continue;
    const isFirst = coins.amount0 >= coins.amount1;
    const wallet = known(isFirst ? coins.wallet0 : coins.wallet1);
    if (index === 0 && !assets.has(wallet)) return [];
    const [assetOut, amountOut] = [assets.get(wallet), isFirst ? coins.amount0 : coins.amount1];
    swaps.push({ assetIn, amountIn, assetOut, amountOut });
    [assetIn, amountIn] = [assetOut, amountOut];
  }
  return swaps;
}

/** The target of a failed swap. The service reads it from the order that comes with TON, not from that of jettons. */
function findRequested(match: Match, assets: Assets, facts: Facts) {
  const ton = match.find(wrapped);
  const payload = ton === undefined ? undefined : ptonTonTransfer.find(cellOf(ton))?.forwardPayload;
  const { wallet, minOut } = listSteps(payload).at(-1) ?? {};
  if (wallet === undefined) return undefined;
  if (assets.has(wallet)) return { asset: assets.get(wallet), minOut };
  const jetton = facts.findJettonWallet(wallet)?.jetton;
  return jetton === undefined ? undefined : { asset: unwrapped(jetton), minOut };
}

interface Order {
  readonly wallet: Address | undefined;
  readonly minOut: bigint;
}

const maxHops = 16;

/** The ordered steps, each with the wallet of its target asset. */
// 0xa7fb58f8 wallet:addr price_limit:uint160 min_out:VarUInteger 16 recipient:addr next:(Maybe ^Cell) …
export function listSteps(payload: Cell | undefined): Order[] {
  const orders: Order[] = [];
  let next = payload;
  while (next !== undefined && orders.length < maxHops) {
    const slice = sliceOf(next);
    if (slice.remainingBits < 32 || slice.loadUint(32) !== toncoPoolSwap.opcode) break;
    const wallet = address.load(slice);
    orders.push({ wallet, minOut: slice.skip(160).loadCoins() });
    address.load(slice);
    next = slice.remainingBits > 0 ? slice.loadMaybeRef() : undefined;
  }
  return orders;
}

interface DeployedPool {
  readonly source: Address;
  readonly router: Address;
  readonly pool: Address;
  readonly wallets: readonly [Address | undefined, Address | undefined];
  readonly minters: readonly [Address | undefined, Address | undefined];
  readonly tickSpacing: bigint;
  readonly initialPrice: bigint;
  readonly protocolFee: bigint;
  readonly lpFeeBase: bigint;
  readonly lpFeeCurrent: bigint;
  readonly isActive: boolean;
}

export const toncoDeployPool = kind<DeployedPool>({
  type: "tonco_deploy_pool",
  showsParts: true,
  parties: (d) => ({ source: d.source, destination: d.router, destinationSecondary: d.pool }),
  details: (f) => ({
    source: f.address("Address of the sender.", (d) => d.source),
    pool: f.address("Address of the pool.", (d) => d.pool),
    router: f.address("Address of the exchange's router.", (d) => d.router),
    router_jetton_wallet_1: f.address("Router's wallet of the first jetton.", (d) => d.wallets[0]),
    router_jetton_wallet_2: f.address("Router's wallet of the second jetton.", (d) => d.wallets[1]),
    jetton_minter_1: f.address("Address of the master of the first jetton.", (d) => d.minters[0]),
    jetton_minter_2: f.address("Address of the master of the second jetton.", (d) => d.minters[1]),
    tick_spacing: f.amount("Distance between two usable ticks of the price range.", (d) => d.tickSpacing),
    initial_price_x96: f.amount("First price, with 96 bits after the point.", (d) => d.initialPrice),
    protocol_fee: f.amount("Fee of the protocol.", (d) => d.protocolFee),
    lp_fee_base: f.amount("Base fee of the liquidity providers.", (d) => d.lpFeeBase),
    lp_fee_current: f.amount("Current fee of the liquidity providers.", (d) => d.lpFeeCurrent),
    pool_active: f.bool("Whether the pool is open.", (d) => d.isActive),
  }),
});

const returned = call(excessOpcode, { optional: true });
const initialised = call(toncoPoolInit, { child: returned });
const created = call(toncoRouterCreatePool, { child: initialised });

export const toncoDeployPoolMatcher = matcher({
  name: "tonco_deploy_pool",
  pattern: created,
  build: (match) => {
    const node = match.get(created);
    const body = bodyOf(node, toncoRouterCreatePool);
    const init = match.get(initialised);
    const data: DeployedPool = {
      source: sourceOf(node),
      router: destinationOf(node),
      pool: destinationOf(init),
      wallets: [body.jettonWallet0, body.jettonWallet1],
      minters: [body.minterCell.jetton0Minter, body.minterCell.jetton1Minter],
      tickSpacing: BigInt(body.tickSpacing),
      initialPrice: body.initialPriceX96,
      protocolFee: BigInt(body.protocolFee),
      lpFeeBase: BigInt(body.lpFeeBase),
      lpFeeCurrent: BigInt(body.lpFeeCurrent),
      isActive: bodyOf(init, toncoPoolInit).poolActive,
    };
    const rest = match.find(returned);
    // A pool counts as deployed as soon as its first message was sent, whatever its outcome.
    return made(toncoDeployPool, data, { from: rest === undefined ? [node, init] : [node, init, rest] });
  },
});
