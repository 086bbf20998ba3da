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
import { findReceived, jettonBurn, jettonTransfer } from "../jetton/actions.ts";
import { jettonInternalTransfer } from "../jetton/messages.ts";
import type { CallBlock } from "../transfer/blocks.ts";
import {
  coffeeCreateLiquidityDepositoryRequest,
  coffeeDeploy,
  coffeeDepositLiquidity,
  coffeeDepositLiquidityInternal,
  coffeeDepositLiquiditySucceeded,
  coffeeWithdrawLiquiditySucceeded,
} from "./messages.ts";
import { findJettonPayment, findTonPayment, jettonOf, payout } from "./payout.ts";

export const coffeeDeposit = liquidityDeposit("coffee", "coffee_deposit_liquidity");
export const coffeeWithdrawal = liquidityWithdrawal("coffee", "dex_withdraw_liquidity");

const given = built(jettonTransfer);
const minted = call(jettonInternalTransfer);
const leftover = payout({ optional: true });
const poured = call(coffeeDepositLiquidityInternal, {
  optional: true,
  children: [minted, call(coffeeDepositLiquiditySucceeded), leftover],
});
const deployed = call(coffeeDeploy, { child: poured });
const requested = call(coffeeCreateLiquidityDepositoryRequest, {
  parent: either<TraceNode>([call(coffeeDepositLiquidity), given]),
  child: deployed,
});

/** One side given; with the second both go to the pool. */
export const coffeeDepositMatcher = matcher({
  name: "coffee_deposit_liquidity",
  pattern: requested,
  build: (match) => {
    const block = match.get(requested);
    const { amount, sender, params } = bodyOf(block, coffeeCreateLiquidityDepositoryRequest);
    const transfer = match.find(given)?.data;
    const [first, second] = [jettonOf(params.poolParams.first), jettonOf(params.poolParams.second)];
    const asset = transfer?.asset;
    if (asset !== first && asset !== second) return undefined;
    const side: Side = { asset, amount, wallet: transfer?.senderWallet };
    const nothing: Side = { asset: undefined, amount: undefined, wallet: undefined };
    const pool = match.find(poured);
    const mint = match.find(minted);
    const data: LiquidityDeposit = {
      sender,
      pool: pool === undefined ? undefined : destinationOf(pool),
      depositContract: destinationOf(match.get(deployed)),
      ...(asset === first ? { first: side, second: nothing } : { first: nothing, second: side }),
      lpMinted: mint === undefined ? undefined : known(findReceived(mint)).amount,
      // What was given first, then the other; how much of each may still change.
      targets: [
        { asset, amount: undefined },
        { asset: asset === first ? second : first, amount: undefined },
      ],
      excesses: listExcesses(match),
    };
    return made(coffeeDeposit, data);
  },
});

function listExcesses(match: Match): AssetAmount[] {
  const block = match.find(leftover);
  if (block === undefined) return [];
  const jetton = findJettonPayment(block);
  if (jetton !== undefined) return [{ asset: jetton.asset, amount: jetton.amount }];
  return [{ asset: undefined, amount: coinsOf(known(findTonPayment(block))) }];
}

const firstPayout = payout();
const secondPayout = payout();
const withdrawnEvent = call(coffeeWithdrawLiquiditySucceeded);
const burnt = built(jettonBurn, { children: [firstPayout, secondPayout, withdrawnEvent] });

export const coffeeWithdrawMatcher = matcher({
  name: "coffee_withdraw_liquidity",
  pattern: burnt,
  build: (match) => {
    const burn = match.get(burnt).data;
    const log = match.get(withdrawnEvent);
    const { amount1, amount2 } = bodyOf(log, coffeeWithdrawLiquiditySucceeded);
    const data = {
      sender: burn.owner,
      senderWallet: burn.wallet,
      pool: sourceOf(log),
      first: readPayout(match.get(firstPayout), amount1),
      second: readPayout(match.get(secondPayout), amount2),
      lpBurnt: burn.amount,
    };
    return made(coffeeWithdrawal, data);
  },
});

/** TON has no wallet; the public index names who got it. */
function readPayout(block: CallBlock, amount: bigint): Side {
  const jetton = findJettonPayment(block);
  if (jetton !== undefined) return { asset: jetton.asset, amount, wallet: jetton.receiverWallet };
  return { asset: undefined, amount, wallet: findTonPayment(block)?.data.destination };
}
