import type { Cell } from "../../../cell/Cell.ts";
import { sliceOf } from "../../../cell/Slice.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { bodyOf, cellOf, coinsOf, destinationOf, isAborted, sourceOf } from "../../engine/messageParts.ts";
import { type CallNode, isCall, isTonTransfer } from "../../engine/nodes.ts";
import { call } from "../../engine/pattern.ts";
import { byStart, isKind, type TraceNode } from "../../engine/TraceNode.ts";
import { refusable } from "../../kit/entity.ts";
import { auctionFillUp } from "../dns/messages.ts";
import { nftMint } from "../nft/actions.ts";
import { type Auction, auctionEnd, auctionStart } from "../nft/listing.ts";
import { nftOwnershipAssigned } from "../nft/messages.ts";
import { findItem, findMarketName, isTeleitem, nftTransfer, type Payout } from "../nft/NftTransfer.ts";
import {
  teleitemAuctionConfig,
  teleitemBidInfo,
  teleitemMsgCancelAuction,
  teleitemMsgDeploy,
  teleitemMsgStartAuction,
  teleitemOk,
} from "./messages.ts";

const assigned = call(nftOwnershipAssigned);

/** A change of owner announced by the item itself: how Telegram's markets transfer what was bought. */
export const teleitemTransferMatcher = matcher({
  name: "teleitem_transfer",
  pattern: assigned,
  build: (match, facts) => {
    const node = match.get(assigned);
    const item = findItem(facts, sourceOf(node));
    if (item === undefined) return undefined;
    const body = bodyOf(node, nftOwnershipAssigned);
    const { bid, forwardPayload } = readPayload(body.forwardPayload);
    const payment = bid !== undefined && isPayment(node.previous) ? node.previous : undefined;
    const payouts = payment === undefined ? [] : payment.next.filter(isFillUp).sort(byStart);
    const [royalty, payout] = payouts.length > 1 ? payouts : [undefined, payouts[0]];
    const name = findMarketName(facts, undefined, item.collection);
    const purchase =
      bid === undefined || isMint(node.previous)
        ? undefined
        : { market: "fragment" as const, marketplace: undefined, name, price: bid.bid, seller: undefined };
    const data = {
      ...item,
      oldOwner: body.prevOwner,
      newOwner: destinationOf(node),
      queryId: body.queryId,
      responseDestination: undefined,
      customPayload: undefined,
      forwardPayload,
      forwardAmount: undefined,
      purchase,
      payout: payout === undefined ? undefined : readPayout(payout),
      royalty: royalty === undefined ? undefined : readPayout(royalty),
    };
    return made(nftTransfer, data, { also: [payment, ...payouts] });
  },
});

/** With an unreadable bid the service drops the whole payload. */
function readPayload(forwardPayload: Cell | undefined) {
  if (forwardPayload === undefined) return { bid: undefined, forwardPayload };
  const isBid =
    !forwardPayload.isExotic && forwardPayload.bitLength >= 32 && opcodeIn(forwardPayload) === teleitemBidInfo.opcode;
  const bid = isBid ? teleitemBidInfo.find(forwardPayload) : undefined;
  return { bid, forwardPayload: isBid && bid === undefined ? undefined : forwardPayload };
}

function opcodeIn(cell: Cell): number {
  return sliceOf(cell).loadUint(32);
}

function readPayout(node: CallNode): Payout {
  return { amount: coinsOf(node), address: node.data.destination, comment: undefined, encrypted: undefined };
}

function isPayment(node: TraceNode | undefined): node is TraceNode {
  return isTonTransfer(node) || (isCall(node) && node.data.source === undefined);
}

function isMint(node: TraceNode | undefined): boolean {
  return isKind(node, nftMint) || (isCall(node) && node.data.opcode === teleitemMsgDeploy.opcode);
}

function isFillUp(node: TraceNode): node is CallNode {
  return isCall(node) && node.data.opcode === auctionFillUp.opcode;
}

export const teleitemStartAuction = auctionStart("teleitem_start_auction");

const started = call(teleitemMsgStartAuction, { child: call(teleitemOk, { optional: true }) });

export const teleitemStartMatcher = matcher({
  name: "teleitem_start_auction",
  pattern: started,
  build: (match, facts) => {
    const node = match.get(started);
    const nft = destinationOf(node);
    const item = findItem(facts, nft);
    if (item === undefined || !isTeleitem(facts, nft)) return undefined;
    const auctionConfig = readConfig(node);
    const data: Auction = {
      ...item,
      owner: sourceOf(node),
      listing: undefined,
      auction: nft,
      marketplace: undefined,
      marketName: findMarketName(facts, undefined, item.collection),
      marketFeeAddress: auctionConfig.beneficiaryAddress,
      marketFeeFactor: 0n,
      marketFeeBase: 0n,
      royaltyAddress: undefined,
      royaltyFeeBase: 0n,
      maxBid: auctionConfig.maxBid,
      minBid: auctionConfig.initialMinBid,
    };
    return made(teleitemStartAuction, data, { failed: isAborted(node) });
  },
});

/** An unreadable configuration is an empty one for the service. */
const unreadable = { beneficiaryAddress: undefined, initialMinBid: 0n, maxBid: 0n };

// query_id:uint64 auction_config:^TeleitemAuctionConfig
function readConfig(node: CallNode) {
  const config = sliceOf(cellOf(node)).skip(96).loadRef();
  return refusable(() => teleitemAuctionConfig.load(sliceOf(config))) ?? unreadable;
}

export const teleitemCancelAuction = auctionEnd("teleitem_cancel_auction");

const cancelled = call(teleitemMsgCancelAuction, { child: call(teleitemOk, { optional: true }) });

export const teleitemCancelMatcher = matcher({
  name: "teleitem_cancel_auction",
  pattern: cancelled,
  build: (match, facts) => {
    const node = match.get(cancelled);
    const nft = destinationOf(node);
    const item = findItem(facts, nft);
    if (item === undefined || !isTeleitem(facts, nft)) return undefined;
    const marketName = findMarketName(facts, undefined, item.collection);
    const data = { ...item, owner: sourceOf(node), auction: nft, marketplace: undefined, marketName };
    return made(teleitemCancelAuction, data, { failed: isAborted(node) });
  },
});
