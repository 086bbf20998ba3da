import type { Address } from "../../../model/Address.ts";
import type { Facts } from "../../engine/Facts.ts";
import { made, matcher } from "../../engine/matcher.ts";
import {
  bodyOf,
  built,
  call,
  cellOf,
  coinsOf,
  destinationOf,
  either,
  known,
  type Match,
  type Pattern,
  sourceOf,
  transfer,
} from "../../engine/pattern.ts";
import { isKind, type TraceNode } from "../../engine/TraceNode.ts";
import {
  type AssetAmount,
  type LiquidityDeposit,
  liquidityDeposit,
  liquidityWithdrawal,
  type Side,
} from "../../kit/liquidity.ts";
import { findReceived, jettonTransfer } from "../jetton/actions.ts";
import {
  jettonBurn,
  jettonBurnNotification,
  jettonInternalTransfer,
  jettonNotify,
  jettonTransfer as transferBody,
} from "../jetton/messages.ts";
import { type CallBlock, isCall } from "../transfer/blocks.ts";
import { dedustInstallDeposit, jettonOf } from "./innerMessages.ts";
import {
  dedustCreateLiquidityDeposit,
  dedustDepositAsset,
  dedustDepositLiquidityAll,
  dedustFulfillDeposit,
  dedustPayOutFromDeposit,
  dedustPayOutFromPool,
  dedustPayout,
  dedustRejectDeposit,
  dedustDepositLiquidity as depositBody,
} from "./messages.ts";

export const dedustDeposit = liquidityDeposit("dedust", "dedust_deposit_liquidity");
export const dedustPartialDeposit = liquidityDeposit("dedust", "dedust_deposit_liquidity_partial");
export const dedustWithdrawal = liquidityWithdrawal("dedust", "dex_withdraw_liquidity");

/** One side on its way: TON or a jetton into its vault, and from there to the contract that gathers both. */
function givenSide(installIsOptional: boolean) {
  const sent = call(transferBody);
  const jetton = call(jettonNotify, { parent: call(jettonInternalTransfer, { parent: sent }) });
  const created = call(dedustCreateLiquidityDeposit, {
    parent: either([call(depositBody), jetton]),
    child: call(dedustInstallDeposit, { optional: installIsOptional }),
  });
  return { sent, created };
}

function readSide(match: Match, { sent, created }: ReturnType<typeof givenSide>): Side {
  const { deposit } = bodyOf(match.get(created), dedustCreateLiquidityDeposit);
  return {
    asset: jettonOf(deposit.depositAsset),
    amount: deposit.depositAmount,
    wallet: match.find(sent)?.data.destination,
  };
}

const returnedJetton = call(jettonInternalTransfer, { child: call(jettonNotify, { optional: true }) });
const returnedTon = call(dedustPayout);
const returned = call(dedustPayOutFromDeposit, {
  child: either<TraceNode>([returnedTon, call(transferBody, { child: returnedJetton })], { optional: true }),
});
const leftovers = either<TraceNode>([returned, transfer()], { optional: true });
const minted = call(jettonInternalTransfer, { child: call(jettonNotify, { optional: true }) });
const rejected = call(dedustRejectDeposit, { child: leftovers });
const fulfilled = call(dedustFulfillDeposit, { child: leftovers, optional: true });

const lastSide = givenSide(true);
const toppedUp: Pattern<CallBlock> = call(dedustDepositAsset, { parent: lastSide.created });
const deposited = call(dedustDepositLiquidityAll, {
  parent: toppedUp,
  children: [either([minted, rejected]), fulfilled],
});

/** The side that makes a deposit whole: from here it goes to the pool. */
export const dedustDepositMatcher = matcher({
  name: "dedust_deposit_liquidity",
  pattern: deposited,
  build: (match, facts) => {
    const block = match.get(deposited);
    const { ownerAddr, assets } = bodyOf(block, dedustDepositLiquidityAll);
    const mint = match.find(minted);
    const data: LiquidityDeposit = {
      sender: ownerAddr,
      pool: destinationOf(block),
      depositContract: sourceOf(block),
      first: readSide(match, lastSide),
      lpMinted: mint === undefined ? undefined : known(findReceived(mint)).amount,
      targets: [
        { asset: jettonOf(assets.asset0), amount: assets.asset0Amount },
        { asset: jettonOf(assets.asset1), amount: assets.asset1Amount },
      ],
      excesses: listExcesses(match, ownerAddr, facts),
    };
    return made(dedustDeposit, data, { failed: match.find(rejected) !== undefined });
  },
});

function listExcesses(match: Match, owner: Address | undefined, facts: Facts): AssetAmount[] {
  const excesses: AssetAmount[] = match
    .list(returnedTon)
    .filter(({ data }) => data.destination === owner)
    .map((block) => ({ asset: undefined, amount: coinsOf(block) }));
  for (const block of match.list(returnedJetton)) {
    const wallet = facts.findJettonWallet(destinationOf(block));
    if (wallet?.owner === owner && wallet !== undefined)
      excesses.push({ asset: wallet.jetton, amount: findReceived(block)?.amount });
  }
  return excesses;
}

const firstSide = givenSide(false);
const waiting = call(dedustDepositAsset, { parent: firstSide.created });

/** The side that has to wait for the other. */
export const dedustPartialMatcher = matcher({
  name: "dedust_deposit_liquidity_partial",
  pattern: waiting,
  build: (match) => {
    const block = match.get(waiting);
    if (block.next.some(isWhole)) return undefined;
    const { ownerAddr, poolParams, deposit } = bodyOf(match.get(firstSide.created), dedustCreateLiquidityDeposit);
    const data: LiquidityDeposit = {
      sender: ownerAddr,
      pool: undefined,
      depositContract: destinationOf(block),
      first: readSide(match, firstSide),
      targets: [
        { asset: jettonOf(poolParams.asset0), amount: deposit.asset0TargetBalance },
        { asset: jettonOf(poolParams.asset1), amount: deposit.asset1TargetBalance },
      ],
    };
    return made(dedustPartialDeposit, data);
  },
});

function isWhole(block: TraceNode): boolean {
  const { opcode } = isCall(block) ? block.data : { opcode: undefined };
  return opcode === dedustDepositLiquidityAll.opcode || opcode === dedustRejectDeposit.opcode;
}

const paidJetton = built(jettonTransfer);
const firstPayout = call(dedustPayOutFromPool, { child: either<TraceNode>([call(dedustPayout), paidJetton]) });
const secondPayout = call(dedustPayOutFromPool, { child: either<TraceNode>([call(dedustPayout), paidJetton]) });
const notified = call(jettonBurnNotification, { children: [firstPayout, secondPayout] });
const burnt = call(jettonBurn, { child: notified });

export const dedustWithdrawMatcher = matcher({
  name: "dedust_withdraw_liquidity",
  pattern: burnt,
  build: (match, facts) => {
    const block = match.get(burnt);
    if (facts.findJettonWallet(destinationOf(block)) === undefined) return undefined;
    const data = {
      sender: sourceOf(block),
      senderWallet: destinationOf(block),
      pool: destinationOf(match.get(notified)),
      first: readPayout(match.get(firstPayout)),
      second: readPayout(match.get(secondPayout)),
      lpBurnt: bodyOf(block, jettonBurn).amount,
    };
    return made(dedustWithdrawal, data);
  },
});

function readPayout(block: CallBlock): Side {
  const paid = block.next.find((next) => isKind(next, jettonTransfer));
  const { amount } = known(dedustPayOutFromPool.find(cellOf(block)));
  if (!isKind(paid, jettonTransfer)) return { asset: undefined, amount, wallet: undefined };
  return { asset: paid.data.asset, amount, wallet: paid.data.receiverWallet };
}
