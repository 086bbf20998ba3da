import { sliceOf } from "../../../cell/Slice.ts";
import type { Address } from "../../../model/Address.ts";
import { between, kind } from "../../engine/kind.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { bodyOf, cellOf, destinationOf, sourceOf } from "../../engine/messageParts.ts";
import { built, call } from "../../engine/pattern.ts";
import type { TraceNode } from "../../engine/TraceNode.ts";
import { address, partyAddress } from "../../kit/addressFields.ts";
import { jettonTransfer } from "../jetton/actions.ts";
import { nftMint } from "../nft/actions.ts";
import {
  coffeeStakingClaimRewards as claimBody,
  coffeeStakingDepositBody as depositBody,
  coffeeStakingWithdrawBody as withdrawBody,
} from "./messages.ts";

interface Deposit {
  readonly source: Address;
  readonly sourceWallet: Address | undefined;
  readonly pool: Address;
  readonly poolWallet: Address | undefined;
  readonly asset: Address | undefined;
  readonly amount: bigint;
  readonly item: Address;
  readonly itemIndex: bigint | undefined;
}

export const coffeeStakingDeposit = kind<Deposit>({
  type: "coffee_staking_deposit",
  showsParts: true,
  parties: (d) => between([d.source, d.sourceWallet], [d.pool, d.poolWallet]),
  details: (f) => ({
    source: f.address("Address of the sender.", (d) => d.source),
    source_jetton_wallet: f.address(
      "Address of the jetton wallet of the sender; null for coins.",
      (d) => d.sourceWallet,
    ),
    pool: f.address("Address of the pool.", (d) => d.pool),
    pool_jetton_wallet: f.address("Address of the jetton wallet of the pool.", (d) => d.poolWallet),
    asset: f.address("Address of the jetton's master; null for coins.", (d) => d.asset),
    amount: f.amount("Amount in the smallest units of the asset.", (d) => d.amount),
    minted_item_address: f.address("Address of the item that stands for the stake.", (d) => d.item),
    minted_item_index: f.amount("Number of the item that stands for the stake, in decimal.", (d) => d.itemIndex),
  }),
});

const position = built(nftMint);
const depositLog = call(depositBody, { optional: true });
const pooled = call(depositBody, { children: [depositLog, position] });
const deposited = built(jettonTransfer, { child: pooled });

export const coffeeStakingDepositMatcher = matcher({
  name: "coffee_staking_deposit",
  pattern: deposited,
  build: (match) => {
    const transfer = match.get(deposited);
    const mint = match.get(position);
    const { data: jettonTransfer } = transfer;
    const { data: item } = mint;
    const data: Deposit = {
      source: jettonTransfer.sender,
      sourceWallet: jettonTransfer.senderWallet,
      pool: destinationOf(match.get(pooled)),
      poolWallet: jettonTransfer.receiverWallet,
      asset: jettonTransfer.asset,
      amount: jettonTransfer.amount,
      item: item.nft,
      itemIndex: item.index,
    };
    // Only these are merged; messages that return money stay separate.
    return made(coffeeStakingDeposit, data, {
      from: [transfer, match.get(pooled), mint],
      also: [match.find(depositLog)],
    });
  },
});

interface Withdrawal {
  readonly source: Address | undefined;
  readonly sourceWallet: Address | undefined;
  readonly pool: Address;
  readonly poolWallet: Address | undefined;
  readonly asset: Address | undefined;
  readonly amount: bigint;
  readonly nft: Address;
  readonly nftIndex: bigint;
  readonly points: bigint;
}

export const coffeeStakingWithdraw = kind<Withdrawal>({
  type: "coffee_staking_withdraw",
  showsParts: true,
  parties: (w) => between([w.source, w.sourceWallet], [w.pool, w.poolWallet]),
  details: (f) => ({
    source: f.address("Address of the sender.", (w) => w.source),
    source_jetton_wallet: f.address(
      "Address of the jetton wallet of the sender; null for coins.",
      (w) => w.sourceWallet,
    ),
    pool: f.address("Address of the pool.", (w) => w.pool),
    pool_jetton_wallet: f.address("Address of the jetton wallet of the pool.", (w) => w.poolWallet),
    asset: f.address("Address of the jetton's master; null for coins.", (w) => w.asset),
    amount: f.amount("Amount in the smallest units of the asset.", (w) => w.amount),
    nft_address: f.address("Address of the item.", (w) => w.nft),
    nft_index: f.amount("Number of the item within its collection, in decimal.", (w) => w.nftIndex),
    points: f.amount("Points that the stake has earned.", (w) => w.points),
  }),
});

const returned = built(jettonTransfer);
const paidOut = call(withdrawBody, { children: [returned] });
const withdrawLog = call(withdrawBody, { optional: true });
const released = call(withdrawBody, { children: [paidOut, withdrawLog] });
const withdrawn = call(withdrawBody, { child: released });

/** The same opcode is used from the owner to the position, to the pool, and to the holder of the jettons. */
export const coffeeStakingWithdrawMatcher = matcher({
  name: "coffee_staking_withdraw",
  pattern: withdrawn,
  build: (match) => {
    const node = match.get(withdrawn);
    const request = match.get(released);
    const order = match.get(paidOut);
    const transfer = match.get(returned);
    const { data: paid } = transfer;
    const data: Withdrawal = {
      ...readRequest(request),
      ...readOrder(order),
      sourceWallet: paid.receiverWallet,
      pool: sourceOf(request),
      asset: paid.asset,
      nft: destinationOf(node),
    };
    return made(coffeeStakingWithdraw, data, {
      from: [node, request, order, transfer],
      also: [match.find(withdrawLog)],
    });
  },
});

// query_id:uint64 nft_id:uint64 owner:addr points:Coins ^[ wallet:addr amount:Coins ]
function readRequest(node: TraceNode) {
  const body = sliceOf(cellOf(node)).skip(96);
  const nftIndex = body.loadBigUint(64);
  const source = partyAddress.load(body);
  const points = body.loadCoins();
  const jettons = sliceOf(body.loadRef());
  address.load(jettons);
  jettons.loadCoins();
  return { nftIndex, source, points };
}

// query_id:uint64 wallet:addr amount:Coins owner:addr
function readOrder(node: TraceNode) {
  const body = sliceOf(cellOf(node)).skip(96);
  const poolWallet = partyAddress.load(body);
  const amount = body.loadCoins();
  address.load(body);
  return { poolWallet, amount };
}

interface Claim {
  readonly pool: Address;
  readonly poolWallet: Address | undefined;
  readonly recipient: Address | undefined;
  readonly recipientWallet: Address | undefined;
  readonly asset: Address | undefined;
  readonly amount: bigint;
}

export const coffeeStakingClaim = kind<Claim>({
  type: "coffee_staking_claim_rewards",
  showsParts: true,
  parties: (c) => between([c.pool, c.poolWallet], [c.recipient, c.recipientWallet]),
  details: (f) => ({
    pool: f.address("Address of the pool.", (c) => c.pool),
    pool_jetton_wallet: f.address("Address of the jetton wallet of the pool.", (c) => c.poolWallet),
    recipient: f.address("Address of the receiver.", (c) => c.recipient),
    recipient_jetton_wallet: f.address("Address of the jetton wallet of the receiver.", (c) => c.recipientWallet),
    asset: f.address("Address of the jetton's master; null for coins.", (c) => c.asset),
    amount: f.amount("Amount in the smallest units of the asset.", (c) => c.amount),
  }),
});

const rewarded = built(jettonTransfer);
const claimLog = call(claimBody, { optional: true });
const claimed = call(claimBody, { children: [rewarded, claimLog] });

export const coffeeStakingClaimMatcher = matcher({
  name: "coffee_staking_claim_rewards",
  pattern: claimed,
  build: (match) => {
    const node = match.get(claimed);
    const body = bodyOf(node, claimBody);
    const transfer = match.get(rewarded);
    const { data: paid } = transfer;
    const data: Claim = {
      pool: destinationOf(node),
      poolWallet: body.jettonWallet,
      recipient: body.receiver,
      recipientWallet: paid.receiverWallet,
      asset: paid.asset,
      amount: body.jettonAmount,
    };
    return made(coffeeStakingClaim, data, { from: [node, transfer], also: [match.find(claimLog)] });
  },
});
