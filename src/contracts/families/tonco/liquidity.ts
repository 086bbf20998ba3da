import { type Address, parseAddress } from "../../../model/Address.ts";
import type { Facts } from "../../engine/Facts.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { bodyOf, cellOf, destinationOf, excessOpcode, known, messageOf, sourceOf } from "../../engine/messageParts.ts";
import { type CallNode, isCall } from "../../engine/nodes.ts";
import { built, call, firstOf, type Match } from "../../engine/pattern.ts";
import type { TraceNode } from "../../engine/TraceNode.ts";
import { type AssetAmount, type LiquidityDeposit, liquidityActions, type Side } from "../exchange/liquidity.ts";
import { unwrapped } from "../exchange/swap.ts";
import { type JettonTransfer, jettonTransfer } from "../jetton/actions.ts";
import { jettonNotify } from "../jetton/messages.ts";
import { nftMint } from "../nft/actions.ts";
import { ptonTonTransfer } from "../stonfi/messages.ts";
import { findPayTo, type ToncoPayTo, toncoFundOrder, toncoPayTo } from "./innerMessages.ts";
import {
  toncoAccountAddLiquidity,
  toncoPoolBurn,
  toncoPoolFundAccount,
  toncoPoolMintAndRefund,
  toncoPoolStartBurn,
  toncoPositionNftBurn,
  toncoPositionNftInit,
} from "./messages.ts";

const nodeNames = { deposit: "tonco_deposit_liquidity", withdrawal: "tonco_withdraw_liquidity" };
export const toncoLiquidity = liquidityActions("tonco", nodeNames);

/** A payment by the router, in jettons or in TON. */
function routerPayment() {
  return built(jettonTransfer, { optional: true, child: call(ptonTonTransfer, { optional: true }) });
}

const firstRefund = routerPayment();
const secondRefund = routerPayment();

const wrapped = call(ptonTonTransfer);
const arrived = call(jettonNotify, { parent: wrapped });
const given = built(jettonTransfer);
const minted = built(nftMint);
const funded = call(toncoPoolFundAccount, { parent: firstOf<TraceNode>([given, arrived]) });
const added = call(toncoAccountAddLiquidity, {
  parent: funded,
  child: call(toncoPoolMintAndRefund, {
    optional: true,
    children: [
      call(toncoPayTo, { optional: true, children: [firstRefund, secondRefund] }),
      minted,
      call(excessOpcode, { optional: true }),
    ],
  }),
});

/** One side of a deposit; the second one opens the position. */
export const toncoDepositMatcher = matcher({
  name: "tonco_deposit_liquidity",
  pattern: added,
  build: (match, facts) => {
    const node = match.get(added);
    const body = bodyOf(node, toncoAccountAddLiquidity);
    const side = readSide(match, facts);
    const isFirst = body.newAmount0 > 0n;
    const mint = match.find(minted);
    const position = mint === undefined ? undefined : bodyOf(mint, toncoPositionNftInit);
    const [asset1, asset2] = isFirst ? [side.asset, side.other] : [side.other, side.asset];
    const data: LiquidityDeposit = {
      sender: side.sender,
      senderWallet: side.wallet,
      pool: sourceOf(node),
      depositContract: destinationOf(node),
      // The deposited side comes first, but its wallet is in the position of its asset in the pool.
      first: { asset: side.asset, amount: side.amount, wallet: isFirst ? side.wallet : undefined },
      second: { asset: undefined, amount: undefined, wallet: isFirst ? undefined : side.wallet },
      lpMinted: position?.liquidity,
      targets: [
        { asset: asset1, amount: body.newEnough0 },
        { asset: asset2, amount: body.newEnough1 },
      ],
      excesses: [firstRefund, secondRefund]
        .flatMap((refund) => match.find(refund) ?? [])
        .map(({ data: transfer, next }) => readPaid(transfer, next)),
      tickLower: BigInt(body.tickLower),
      tickUpper: BigInt(body.tickUpper),
      nftIndex: position?.oldFeeCell.nftIndex,
      nft: mint === undefined ? undefined : messageOf(mint).destination,
    };
    return made(toncoLiquidity.deposit, data);
  },
});

/** The deposited side, from the notification of the router. */
function readSide(match: Match, facts: Facts) {
  const transfer = match.find(given);
  const notice = known(match.find(arrived) ?? transfer?.parts.filter(isCall).find(isNotice));
  const { sender, amount, forwardPayload } = bodyOf(notice, jettonNotify);
  const order = known(forwardPayload === undefined ? undefined : toncoFundOrder.find(forwardPayload));
  return {
    sender,
    wallet: transfer?.data.senderWallet,
    amount,
    asset: findAsset(sourceOf(notice), facts),
    other: findAsset(known(order.otherJettonWallet), facts),
  };
}

function isNotice({ data }: CallNode): boolean {
  return data.opcode === jettonNotify.opcode;
}

function findAsset(wallet: Address | undefined, facts: Facts): Address | undefined {
  return unwrapped(wallet === undefined ? undefined : facts.findJettonWallet(wallet)?.jetton);
}

function readPaid(transfer: JettonTransfer, next: readonly TraceNode[]): AssetAmount {
  const ton = next.filter(isCall).find(({ data }) => data.opcode === ptonTonTransfer.opcode);
  if (ton === undefined) return { asset: transfer.asset, amount: transfer.amount };
  return { asset: undefined, amount: bodyOf(ton, ptonTonTransfer).tonAmount };
}

/** Two slots, so that the order of the payouts is known. */
const firstPaid = routerPayment();
const secondPaid = routerPayment();
const payment = call(toncoPayTo, { children: [firstPaid, secondPaid] });
const pooled = call(toncoPoolBurn, { child: payment });
const burnt = call(toncoPositionNftBurn, { child: pooled });
const started = call(toncoPoolStartBurn, { child: burnt });

/** The answer of the router on success. */
const burnOk: ReadonlySet<number> = new Set([0, 201]);
/** The router's wallet of wrapped TON, which represents TON. */
const routerTonWallet = parseAddress("0:871da9215b14902166f0ea2a16db56278d528108377f8158c5f4ccfdfdd22e17").address;

export const toncoWithdrawMatcher = matcher({
  name: "tonco_withdraw_liquidity",
  pattern: started,
  build: (match, facts) => {
    const node = match.get(started);
    const body = bodyOf(node, toncoPoolStartBurn);
    const position = match.get(burnt);
    const payTo = known(findPayTo(cellOf(match.get(payment))));
    const pooledIndex = toncoPoolBurn.find(cellOf(match.get(pooled)))?.burnedIndex ?? 0n;
    const [first, second] = readPayouts(match, payTo, facts);
    const data = {
      sender: bodyOf(position, toncoPositionNftBurn).nftOwner,
      senderWallet: undefined,
      pool: destinationOf(node),
      first,
      second,
      lpBurnt: body.liquidityToBurn,
      nftIndex: pooledIndex === 0n ? body.burnedIndex : pooledIndex,
      nft: destinationOf(position),
      tickLower: BigInt(body.tickLower),
      tickUpper: BigInt(body.tickUpper),
    };
    return made(toncoLiquidity.withdrawal, data, { failed: !burnOk.has(payTo.exitCode) });
  },
});

interface RouterPayout extends Side {
  /** Of the router; payouts are ordered by it. */
  readonly routerWallet: Address | undefined;
}

/**
 * Both sides in the order of the pool. A payout has its own asset and amount; without a payout the order of the pool is
 * used, with the receiver in place of a wallet.
 */
function readPayouts(match: Match, { coins, receiver0, receiver1 }: ToncoPayTo, facts: Facts): [Side, Side] {
  const { amount0, wallet0, amount1, wallet1 } = known(coins);
  const orders = [
    { amount: amount0, routerWallet: findRouterWallet(wallet0), receiver: receiver0 },
    { amount: amount1, routerWallet: findRouterWallet(wallet1), receiver: receiver1 },
  ] as const;
  const first = readPayout(match.find(firstPaid), orders[0], facts);
  const second = readPayout(match.find(secondPaid), orders[1], facts);
  return first.routerWallet === orders[0].routerWallet ? [first, second] : [second, first];
}

function findRouterWallet(wallet: Address | undefined): Address | undefined {
  return known(wallet) === routerTonWallet ? undefined : wallet;
}

function readPayout(
  payout: TraceNode<JettonTransfer> | undefined,
  order: {
    readonly amount: bigint;
    readonly routerWallet: Address | undefined;
    readonly receiver: Address | undefined;
  },
  facts: Facts,
): RouterPayout {
  if (payout === undefined) {
    const { amount, routerWallet, receiver } = order;
    return { asset: findAsset(routerWallet, facts), amount, wallet: receiver, routerWallet };
  }
  const { receiverWallet, senderWallet } = payout.data;
  return { ...readPaid(payout.data, payout.next), wallet: receiverWallet, routerWallet: senderWallet };
}
