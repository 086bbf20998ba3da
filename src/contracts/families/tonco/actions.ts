import type { Cell } from "../../../cell/Cell.ts";
import { sliceOf } from "../../../cell/Slice.ts";
import type { Address } from "../../../model/Address.ts";
import type { Facts } from "../../engine/Facts.ts";
import { kind } from "../../engine/kind.ts";
import { made, matcher } from "../../engine/matcher.ts";
import {
  bodyOf,
  built,
  call,
  cellOf,
  destinationOf,
  either,
  known,
  type Match,
  type Pattern,
  recursive,
  sourceOf,
} from "../../engine/pattern.ts";
import { byStart, type TraceNode } from "../../engine/TraceNode.ts";
import { address } from "../../kit/addressFields.ts";
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
import { ptonTonTransfer } from "../stonfi/messages.ts";
import type { CallBlock } from "../transfer/blocks.ts";
import { toncoPayTo } from "./innerMessages.ts";
import { toncoPoolInit, toncoPoolSwap, toncoRouterCreatePool } from "./messages.ts";

const wrapped = call(ptonTonTransfer);
const arrived = call(jettonNotify, { parent: wrapped });
const given = built(jettonTransfer);

const nextHop: Pattern<CallBlock> = recursive(() => hop);
const paidTon = call(ptonTonTransfer);
const paidOut = built(jettonTransfer, { child: either([nextHop, paidTon], { optional: true }) });
const payment = call(toncoPayTo, { child: paidOut });
const hop = call(toncoPoolSwap, { child: payment });
const firstHop = call(toncoPoolSwap, { child: payment, parent: either<TraceNode>([given, arrived]) });

/** What a pool answers when all went well. */
const swapOk: ReadonlySet<number> = new Set([0, 200]);

export const toncoSwapMatcher = matcher({
  name: "tonco_swap",
  pattern: firstHop,
  build: (match, facts) => {
    const swap = bodyOf(match.get(firstHop), toncoPoolSwap);
    const payments = match
      .list(payment)
      .sort(byStart)
      .map((block) => bodyOf(block, toncoPayTo));
    const failed = payments.some(({ exitCode }) => !swapOk.has(exitCode));
    const incoming = readIncoming(match, facts);
    const outgoing = readOutgoing(match);
    const paid = payments.flatMap(({ coins }) => (coins === undefined ? [] : [coins]));
    const peers = listPeers(incoming, paid, facts);
    const data: JettonSwap = {
      dex: "tonco",
      sender: swap.ownerAddress,
      assetIn: incoming.asset,
      assetOut: failed ? findTarget(match, facts) : outgoing.asset,
      incoming,
      outgoing,
      peers: peers.length > 1 ? peers : [],
      minOutAmount: failed ? listOrders(match).at(-1)?.minOut : outgoing.amount,
    };
    return made(jettonSwap, data, { failed });
  },
});

function readIncoming(match: Match, facts: Facts): SwapTransfer {
  const transfer = match.find(given)?.data;
  if (transfer !== undefined) return { ...jettonMoved(transfer), asset: unwrapped(transfer.asset) };
  const block = match.get(wrapped);
  return {
    asset: unwrapped(facts.findJettonWallet(destinationOf(block))?.jetton),
    amount: bodyOf(block, ptonTonTransfer).tonAmount,
    source: sourceOf(block),
    sourceWallet: undefined,
    destination: destinationOf(match.get(arrived)),
    destinationWallet: destinationOf(block),
  };
}

function readOutgoing(match: Match): SwapTransfer {
  const transfer = known(match.list(paidOut).sort(byStart).at(-1)).data;
  const ton = match.find(paidTon);
  return moneyPaidOut(transfer, ton === undefined ? undefined : bodyOf(ton, ptonTonTransfer).tonAmount);
}

interface Order {
  readonly wallet: Address | undefined;
  readonly minOut: bigint;
}

const maxHops = 16;

/** The steps that were ordered, each naming the wallet of the asset it is to give. */
function listOrders(match: Match): Order[] {
  const transfer = match.find(given)?.data;
  const payload = transfer?.forwardPayload ?? jettonNotify.find(cellOf(match.get(arrived)))?.forwardPayload;
  return listSteps(payload);
}

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

function findTarget(match: Match, facts: Facts): Address | undefined {
  const wallet = listOrders(match).at(-1)?.wallet;
  return unwrapped(wallet === undefined ? undefined : facts.findJettonWallet(wallet)?.jetton);
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
    source: f.address((d) => d.source),
    pool: f.address((d) => d.pool),
    router: f.address((d) => d.router),
    router_jetton_wallet_1: f.address((d) => d.wallets[0]),
    router_jetton_wallet_2: f.address((d) => d.wallets[1]),
    jetton_minter_1: f.address((d) => d.minters[0]),
    jetton_minter_2: f.address((d) => d.minters[1]),
    tick_spacing: f.amount((d) => d.tickSpacing),
    initial_price_x96: f.amount((d) => d.initialPrice),
    protocol_fee: f.amount((d) => d.protocolFee),
    lp_fee_base: f.amount((d) => d.lpFeeBase),
    lp_fee_current: f.amount((d) => d.lpFeeCurrent),
    pool_active: f.bool((d) => d.isActive),
  }),
});

const initialised = call(toncoPoolInit);
const created = call(toncoRouterCreatePool, { child: initialised });

export const toncoDeployPoolMatcher = matcher({
  name: "tonco_deploy_pool",
  pattern: created,
  build: (match) => {
    const block = match.get(created);
    const body = bodyOf(block, toncoRouterCreatePool);
    const init = match.get(initialised);
    const data: DeployedPool = {
      source: sourceOf(block),
      router: destinationOf(block),
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
    return made(toncoDeployPool, data, { failed: block.failed || init.failed });
  },
});
