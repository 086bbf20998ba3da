import type { Address } from "../../../model/Address.ts";
import type { Facts } from "../../engine/Facts.ts";
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
  messageOf,
  sourceOf,
} from "../../engine/pattern.ts";
import type { TraceNode } from "../../engine/TraceNode.ts";
import {
  type AssetAmount,
  type LiquidityDeposit,
  liquidityDeposit,
  liquidityWithdrawal,
  type Side,
} from "../../kit/liquidity.ts";
import { unwrapped } from "../../kit/swap.ts";
import { type JettonTransfer, jettonTransfer } from "../jetton/actions.ts";
import { jettonNotify } from "../jetton/messages.ts";
import { nftMint } from "../nft/actions.ts";
import { ptonTonTransfer } from "../stonfi/messages.ts";
import { isCall } from "../transfer/blocks.ts";
import { toncoPayTo } from "./innerMessages.ts";
import {
  toncoAccountAddLiquidity,
  toncoPoolBurn,
  toncoPoolFundAccount,
  toncoPoolFundAccountPayload,
  toncoPoolMintAndRefund,
  toncoPoolStartBurn,
  toncoPositionNftBurn,
  toncoPositionNftInit,
} from "./messages.ts";

export const toncoDeposit = liquidityDeposit("tonco", "tonco_deposit_liquidity");
export const toncoWithdrawal = liquidityWithdrawal("tonco", "tonco_withdraw_liquidity");

/** A payment of the router's, in jettons or in TON. */
const paid = built(jettonTransfer, { optional: true, child: call(ptonTonTransfer, { optional: true }) });

const wrapped = call(ptonTonTransfer);
const arrived = call(jettonNotify, { parent: wrapped });
const given = built(jettonTransfer);
const minted = built(nftMint);
const funded = call(toncoPoolFundAccount, { parent: either<TraceNode>([given, arrived]) });
const added = call(toncoAccountAddLiquidity, {
  parent: funded,
  child: call(toncoPoolMintAndRefund, {
    optional: true,
    children: [call(toncoPayTo, { optional: true, children: [paid, paid] }), minted],
  }),
});

/** One side given; with the second the position is opened. */
export const toncoDepositMatcher = matcher({
  name: "tonco_deposit_liquidity",
  pattern: added,
  build: (match, facts) => {
    const block = match.get(added);
    const body = bodyOf(block, toncoAccountAddLiquidity);
    const side = readSide(match, facts);
    const isFirst = body.newAmount0 > 0n;
    const mint = match.find(minted);
    const position = mint === undefined ? undefined : bodyOf(mint, toncoPositionNftInit);
    const [asset1, asset2] = isFirst ? [side.asset, side.other] : [side.other, side.asset];
    const data: LiquidityDeposit = {
      sender: side.sender,
      senderWallet: side.wallet,
      pool: sourceOf(block),
      depositContract: destinationOf(block),
      // What was given always comes first, but its wallet stands where the asset stands in the pool.
      first: { asset: side.asset, amount: side.amount, wallet: isFirst ? side.wallet : undefined },
      second: { asset: undefined, amount: undefined, wallet: isFirst ? undefined : side.wallet },
      lpMinted: position?.liquidity,
      targets: [
        { asset: asset1, amount: body.newEnough0 },
        { asset: asset2, amount: body.newEnough1 },
      ],
      excesses: match.list(paid).map(({ data: transfer, next }) => readPaid(transfer, next)),
      tickLower: BigInt(body.tickLower),
      tickUpper: BigInt(body.tickUpper),
      nftIndex: position?.oldFeeCell.nftIndex,
      nft: mint === undefined ? undefined : messageOf(mint).destination,
    };
    return made(toncoDeposit, data);
  },
});

function readSide(match: Match, facts: Facts) {
  const transfer = match.find(given)?.data;
  const notice = match.find(arrived);
  const told = notice === undefined ? undefined : known(jettonNotify.find(cellOf(notice)));
  const payload = transfer?.forwardPayload ?? told?.forwardPayload;
  const order = known(payload === undefined ? undefined : toncoPoolFundAccountPayload.find(payload));
  const routerWallet = transfer === undefined ? sourceOf(known(notice)) : transfer.receiverWallet;
  return {
    sender: transfer?.sender ?? told?.sender,
    wallet: transfer?.senderWallet,
    amount: transfer?.amount ?? told?.amount,
    asset: findAsset(routerWallet, facts),
    other: findAsset(order.otherJettonWallet, facts),
  };
}

function findAsset(wallet: Address | undefined, facts: Facts): Address | undefined {
  return unwrapped(wallet === undefined ? undefined : facts.findJettonWallet(wallet)?.jetton);
}

function readPaid(transfer: JettonTransfer, next: readonly TraceNode[]): AssetAmount {
  const ton = next.filter(isCall).find(({ data }) => data.opcode === ptonTonTransfer.opcode);
  const amount = ton === undefined ? transfer.amount : bodyOf(ton, ptonTonTransfer).tonAmount;
  return { asset: unwrapped(transfer.asset), amount };
}

const payment = call(toncoPayTo, { children: [paid, paid] });
const burnt = call(toncoPositionNftBurn, { child: call(toncoPoolBurn, { child: payment }) });
const started = call(toncoPoolStartBurn, { child: burnt });

/** What the router answers when all went well. */
const burnOk: ReadonlySet<number> = new Set([0, 201]);

export const toncoWithdrawMatcher = matcher({
  name: "tonco_withdraw_liquidity",
  pattern: started,
  build: (match, facts) => {
    const block = match.get(started);
    const body = bodyOf(block, toncoPoolStartBurn);
    const position = match.get(burnt);
    const payTo = bodyOf(match.get(payment), toncoPayTo);
    const coins = known(payTo.coins);
    const payouts = match.list(paid).map(({ data }) => data);
    const data = {
      sender: bodyOf(position, toncoPositionNftBurn).nftOwner,
      senderWallet: undefined,
      pool: destinationOf(block),
      first: readPayout(coins.amount0, coins.wallet0, payTo.receiver0, payouts, facts),
      second: readPayout(coins.amount1, coins.wallet1, payTo.receiver1, payouts, facts),
      lpBurnt: body.liquidityToBurn,
      nftIndex: body.burnedIndex,
      nft: destinationOf(position),
      tickLower: BigInt(body.tickLower),
      tickUpper: BigInt(body.tickUpper),
    };
    return made(toncoWithdrawal, data, { failed: !burnOk.has(payTo.exitCode) });
  },
});

/** One side of the payout; where nothing was paid, the public index names its receiver in place of a wallet. */
function readPayout(
  amount: bigint,
  routerWallet: Address | undefined,
  receiver: Address | undefined,
  payouts: readonly JettonTransfer[],
  facts: Facts,
): Side {
  const jetton = routerWallet === undefined ? undefined : facts.findJettonWallet(routerWallet)?.jetton;
  const payout = payouts.find(({ asset }) => asset === jetton);
  const asset = unwrapped(jetton);
  if (payout === undefined) return { asset, amount, wallet: asset === undefined ? undefined : receiver };
  return { asset, amount, wallet: payout.hasInternalTransfer ? payout.receiverWallet : undefined };
}
