import type { Address } from "../../../model/Address.ts";
import type { Facts } from "../../engine/Facts.ts";
import { kind, type NodeKind } from "../../engine/kind.ts";
import { type Made, made, matcher } from "../../engine/matcher.ts";
import { call, known, messageOf, where } from "../../engine/pattern.ts";
import { isKind, type TraceNode } from "../../engine/TraceNode.ts";
import { type AuctionEnd, auctionEnd } from "../nft/listing.ts";
import { findMarketName, type NftTransfer, nftPurchase, nftTransfer } from "../nft/NftTransfer.ts";
import { isCall, isTonTransfer } from "../transfer/blocks.ts";
import { itemOf } from "./actions.ts";
import { auctionCancel, auctionFinish, auctionStop, saleCancel } from "./messages.ts";

export const nftCancelAuction = auctionEnd("nft_cancel_auction");
export const nftFinishAuction = auctionEnd("nft_finish_auction");

export const nftCancelSale = kind<AuctionEnd>({
  type: "nft_cancel_sale",
  showsParts: true,
  parties: (e) => ({ source: e.owner, destination: e.auction }),
  mentions: (e) => [e.nft],
  details: (f) => ({
    owner: f.address((e) => e.owner),
    nft_item: f.address((e) => e.nft),
    nft_collection: f.address((e) => e.collection),
    sale_address: f.address((e) => e.auction),
    marketplace_address: f.address((e) => e.marketplace),
    marketplace: f.text((e) => e.marketName),
  }),
});

interface Offer {
  readonly nft: Address | undefined;
  readonly marketplace: Address | undefined;
}

/** The item goes to its new owner after the message; that stays an event of its own. */
function makeEnd(
  end: NodeKind<AuctionEnd>,
  block: TraceNode,
  handedOver: TraceNode<NftTransfer> | undefined,
  findOffer: (contract: Address) => Offer | undefined,
  facts: Facts,
): Made | undefined {
  const contract = contractOf(block);
  const offer = findOffer(contract);
  const item = handedOver?.data;
  if (offer === undefined || item === undefined || offer.nft !== item.nft) return undefined;
  const data = {
    ...itemOf(item),
    owner: item.newOwner,
    auction: contract,
    marketplace: offer.marketplace,
    marketName: findMarketName(facts, offer.marketplace, item.collection),
  };
  return made(end, data, { from: [block] });
}

function contractOf(block: TraceNode): Address {
  return known(messageOf(block).destination);
}

function isTransfer(block: TraceNode): block is TraceNode<NftTransfer> {
  return isKind(block, nftTransfer);
}

function isPurchase(block: TraceNode): block is TraceNode<NftTransfer> {
  return isKind(block, nftPurchase);
}

const cancelledSale = call(saleCancel, { child: where(isTransfer) });

export const getgemsCancelSaleMatcher = matcher({
  name: "nft_cancel_sale",
  pattern: cancelledSale,
  build: (match, facts) => {
    const block = match.get(cancelledSale);
    return makeEnd(nftCancelSale, block, block.next.find(isTransfer), (sale) => facts.findNftSale(sale), facts);
  },
});

function saysAny(block: TraceNode, comments: readonly string[], opcodes: readonly number[]): boolean {
  if (isTonTransfer(block)) return comments.includes(block.data.comment ?? "");
  return isCall(block) && opcodes.includes(block.data.opcode ?? -1);
}

function isFinish(block: TraceNode): boolean {
  return saysAny(block, ["finish", "stop"], [auctionFinish.opcode, auctionStop.opcode]);
}

function isCancel(block: TraceNode): boolean {
  return saysAny(block, ["cancel"], [auctionCancel.opcode]);
}

const finished = where(isFinish, { child: where(isPurchase) });

export const getgemsFinishMatcher = matcher({
  name: "nft_finish_auction",
  pattern: finished,
  build: (match, facts) => {
    const block = match.get(finished);
    // The service does not say the marketplace when a purchase ends the auction.
    const findOffer = (auction: Address) => {
      const offer = facts.findNftAuction(auction);
      return offer && { nft: offer.nft, marketplace: undefined };
    };
    return makeEnd(nftFinishAuction, block, block.next.find(isPurchase), findOffer, facts);
  },
});

const ended = where((block) => isCancel(block) || isFinish(block), { child: where(isTransfer) });

export const getgemsCancelAuctionMatcher = matcher({
  name: "nft_cancel_auction",
  pattern: ended,
  build: (match, facts) => {
    const block = match.get(ended);
    const end = isFinish(block) ? nftFinishAuction : nftCancelAuction;
    return makeEnd(end, block, block.next.find(isTransfer), (auction) => facts.findNftAuction(auction), facts);
  },
});
