import { made, matcher } from "../../engine/matcher.ts";
import { bodyOf, coinsOf, destinationOf, known, sourceOf } from "../../engine/messageParts.ts";
import { type CallNode, isCall } from "../../engine/nodes.ts";
import { built, call, firstOf, type Match } from "../../engine/pattern.ts";
import { isKind, type TraceNode } from "../../engine/TraceNode.ts";
import { type AssetAmount, type LiquidityDeposit, liquidityActions, type Side } from "../exchange/liquidity.ts";
import { jettonBurn, jettonTransfer } from "../jetton/actions.ts";
import { depositoryRequest } from "./innerMessages.ts";
import {
  coffeeDeploy,
  coffeeDepositLiquidity,
  coffeeDepositLiquidityInternal,
  coffeeDepositLiquiditySucceeded,
  coffeePayout,
  coffeeWithdrawLiquiditySucceeded,
} from "./messages.ts";
import { coffeeJettonOf, findJettonPayment, findTonPayment, lpPayout, vaultPayout } from "./payout.ts";

export const coffeeLiquidity = liquidityActions("coffee", { deposit: "coffee_deposit_liquidity" });

const given = built(jettonTransfer);
const succeeded = call(coffeeDepositLiquiditySucceeded);
const leftover = vaultPayout({ optional: true });
const poured = call(coffeeDepositLiquidityInternal, {
  optional: true,
  children: [lpPayout(), succeeded, leftover],
});
const deployed = call(coffeeDeploy, { child: poured });
const requested = call(depositoryRequest, {
  parent: firstOf<TraceNode>([call(coffeeDepositLiquidity), given]),
  child: deployed,
});

/** One side is deposited; with the second one both go to the pool. */
export const coffeeDepositMatcher = matcher({
  name: "coffee_deposit_liquidity",
  pattern: requested,
  build: (match) => {
    const node = match.get(requested);
    const { amount, sender, poolParams } = bodyOf(node, depositoryRequest);
    const transfer = match.find(given)?.data;
    const [first, second] = [coffeeJettonOf(poolParams.first), coffeeJettonOf(poolParams.second)];
    const asset = transfer?.asset;
    if (asset !== first && asset !== second) return undefined;
    const side: Side = { asset, amount, wallet: transfer?.senderWallet };
    const nothing: Side = { asset: undefined, amount: undefined, wallet: undefined };
    const event = match.find(succeeded);
    const data: LiquidityDeposit = {
      sender,
      pool: event?.data.source,
      depositContract: destinationOf(match.get(deployed)),
      ...(asset === first ? { first: side, second: nothing } : { first: nothing, second: side }),
      lpMinted: event === undefined ? undefined : bodyOf(event, coffeeDepositLiquiditySucceeded).lpAmount,
      // The side that was deposited first, then the other; the amounts may still change.
      targets: [
        { asset, amount: undefined },
        { asset: asset === first ? second : first, amount: undefined },
      ],
      excesses: listExcesses(match),
    };
    return made(coffeeLiquidity.deposit, data);
  },
});

function listExcesses(match: Match): AssetAmount[] {
  const node = match.find(leftover);
  if (node === undefined) return [];
  const jetton = findJettonPayment(node);
  if (jetton !== undefined) return [{ asset: jetton.asset, amount: jetton.amount }];
  return [{ asset: undefined, amount: coinsOf(known(findTonPayment(node))) }];
}

const firstPayout = vaultPayout();
const secondPayout = vaultPayout();
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
    return made(coffeeLiquidity.withdrawal, data);
  },
});

/** TON has no wallet; the service shows the receiver, except when the TON comes with a message. */
function readPayout(node: CallNode, amount: bigint): Side {
  for (const next of node.next) {
    if (isKind(next, jettonTransfer)) return { asset: next.data.asset, amount, wallet: next.data.receiverWallet };
    if (isCall(next) && next.data.opcode === coffeePayout.opcode)
      return { asset: undefined, amount, wallet: next.data.destination };
  }
  return { asset: undefined, amount, wallet: undefined };
}
