import type { Address } from "../../../model/Address.ts";
import { type Made, made, matcher } from "../../engine/matcher.ts";
import { bodyOf, coinsOf, destinationOf, known, messageOf, sourceOf } from "../../engine/messageParts.ts";
import { type CallNode, isCall } from "../../engine/nodes.ts";
import { call, firstOf, type Match } from "../../engine/pattern.ts";
import { isKind, type TraceNode } from "../../engine/TraceNode.ts";
import { stakingActions } from "../exchange/staking.ts";
import { findReceived } from "../jetton/actions.ts";
import { jettonBurnNotification, jettonBurnShort, jettonInternalTransfer, jettonNotify } from "../jetton/messages.ts";
import { nftMint } from "../nft/actions.ts";
import {
  tonstakeNftBurn,
  tonstakeNftBurnShort,
  tonstakeNftInit,
  tonstakeNftPayout,
  tonstakePayoutMintJettons,
  tonstakePoolDeposit,
  tonstakePoolWithdraw,
  tonstakePoolWithdrawal,
} from "./messages.ts";

export const tonstakersStaking = stakingActions("liquid_staking", {
  deposit: "tonstakers_deposit",
  withdrawal: "tonstakers_withdraw",
  request: "tonstakers_withdraw_request",
});

/** The fee of a deposit. */
const depositFee = 1_000_000_000n;

const received = call(jettonInternalTransfer, { child: call(jettonNotify, { optional: true }) });
const minted = call(tonstakePayoutMintJettons, { optional: true, child: received });
const deposited = call(tonstakePoolDeposit, { child: minted });

export const tonstakersDepositMatcher = matcher({
  name: "tonstakers_deposit",
  pattern: deposited,
  build: (match) => {
    const node = match.get(deposited);
    const arrival = match.find(received);
    const isMinted = arrival !== undefined && !node.failed;
    const data = {
      holder: sourceOf(node),
      pool: destinationOf(node),
      amount: coinsOf(node) - depositFee,
      tokensMinted: isMinted ? known(findReceived(arrival)).amount : undefined,
      asset: arrival === undefined ? undefined : sourceOf(arrival),
    };
    return made(tonstakersStaking.deposit, data, { failed: !isMinted });
  },
});

const paid = call(tonstakePoolWithdrawal);
const promised = call(tonstakePayoutMintJettons);
const request = call(tonstakePoolWithdraw, { child: firstOf([paid, promised]) });
const burnt = call(jettonBurnShort, { child: call(jettonBurnNotification, { child: request }) });

export const tonstakersWithdrawMatcher = matcher({
  name: "tonstakers_withdraw",
  pattern: burnt,
  build: (match) => {
    const payment = match.find(paid);
    return payment === undefined ? makeRequest(match) : makeWithdrawal(match, payment);
  },
});

function makeWithdrawal(match: Match, payment: CallNode): Made {
  const node = match.get(burnt);
  const callNode = match.get(request);
  const data = {
    holder: sourceOf(node),
    holderWallet: destinationOf(node),
    pool: destinationOf(callNode),
    amount: coinsOf(payment) - coinsOf(callNode),
    tokensBurnt: bodyOf(node, jettonBurnShort).amount,
    asset: sourceOf(callNode),
  };
  return made(tonstakersStaking.withdrawal, data, { failed: node.failed });
}

/** The payout is promised by an NFT item and paid when it is burnt. */
function makeRequest(match: Match): Made {
  const node = match.get(burnt);
  const callNode = match.get(request);
  const { next } = match.get(promised);
  const item = next.find((each) => isKind(each, nftMint)) ?? next.find(isItemInit);
  const data = {
    holder: sourceOf(node),
    holderWallet: destinationOf(node),
    pool: destinationOf(callNode),
    tokensBurnt: bodyOf(node, jettonBurnShort).amount,
    payoutNft: item === undefined ? undefined : messageOf(item).destination,
    asset: sourceOf(callNode),
  };
  return made(tonstakersStaking.request, data, { failed: node.failed || item === undefined });
}

function isItemInit(node: TraceNode): boolean {
  return isCall(node) && node.data.opcode === tonstakeNftInit.opcode;
}

const burntItem = call(tonstakeNftBurn);
const notified = call(tonstakeNftBurnShort, { parent: burntItem });
const distributed = call(tonstakeNftPayout, { parent: notified });

export const tonstakersDelayedMatcher = matcher({
  name: "tonstakers_delayed_withdrawal",
  pattern: distributed,
  build: (match) => {
    const notice = match.get(notified);
    const { owner, amount } = bodyOf(notice, tonstakeNftBurnShort);
    const data = {
      holder: owner,
      pool: findPool(notice),
      amount: coinsOf(match.get(distributed)),
      tokensBurnt: amount,
      payoutNft: sourceOf(notice),
    };
    return made(tonstakersStaking.withdrawal, data);
  },
});

const startDistribution = 0x1140a64f;
const onTheWay: ReadonlySet<number> = new Set([
  tonstakeNftBurnShort.opcode,
  tonstakeNftBurn.opcode,
  tonstakeNftPayout.opcode,
]);

/** The pool started the distribution that this payout belongs to. */
function findPool(from: TraceNode): Address | undefined {
  for (let node = from.previous; node !== undefined; node = node.previous) {
    if (isKind(node, tonstakersStaking.withdrawal)) return node.data.pool;
    if (!isCall(node)) return undefined;
    if (node.data.opcode === startDistribution) return node.data.source;
    if (!onTheWay.has(node.data.opcode ?? -1)) return undefined;
  }
  return undefined;
}
