import type { Address } from "../../../model/Address.ts";
import type { Facts } from "../../engine/Facts.ts";
import { kind, type NodeKind } from "../../engine/kind.ts";
import { type Made, made, matcher } from "../../engine/matcher.ts";
import { known, messageOf } from "../../engine/messageParts.ts";
import { isCall, isTonTransfer } from "../../engine/nodes.ts";
import { call, where } from "../../engine/pattern.ts";
import { isKind, type TraceNode } from "../../engine/TraceNode.ts";
import { type AuctionEnd, auctionEnd } from "../nft/listing.ts";
import { findMarketName, type NftTransfer, nftPurchase, nftTransfer } from "../nft/NftTransfer.ts";
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
    owner: f.address("Address of the owner.", (e) => e.owner),
    nft_item: f.address("Address of the item.", (e) => e.nft),
    nft_collection: f.address("Address of the collection; null for an item without one.", (e) => e.collection),
    sale_address: f.address("Address of the sale.", (e) => e.auction),
    marketplace_address: f.address("Address of the marketplace.", (e) => e.marketplace),
    marketplace: f.text("Name of the marketplace; null for an unknown one.", (e) => e.marketName),
  }),
});

interface Offer {
  readonly nft: Address | undefined;
  readonly marketplace: Address | undefined;
}

/** The item goes to its new owner after the message; that stays a separate event. */
function makeEnd(
  end: NodeKind<AuctionEnd>,
  node: TraceNode,
  handedOver: TraceNode<NftTransfer> | undefined,
  findOffer: (contract: Address) => Offer | undefined,
  facts: Facts,
): Made | undefined {
  const contract = contractOf(node);
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
  return made(end, data, { from: [node] });
}

function contractOf(node: TraceNode): Address {
  return known(messageOf(node).destination);
}

function isTransfer(node: TraceNode): node is TraceNode<NftTransfer> {
  return isKind(node, nftTransfer);
}

function isPurchase(node: TraceNode): node is TraceNode<NftTransfer> {
  return isKind(node, nftPurchase);
}

const cancelledSale = call(saleCancel, { child: where(isTransfer) });

export const getgemsCancelSaleMatcher = matcher({
  name: "nft_cancel_sale",
  pattern: cancelledSale,
  build: (match, facts) => {
    const node = match.get(cancelledSale);
    return makeEnd(nftCancelSale, node, node.next.find(isTransfer), (sale) => facts.findNftSale(sale), facts);
  },
});

function saysAny(node: TraceNode, comments: readonly string[], opcodes: readonly number[]): boolean {
  if (isTonTransfer(node)) return comments.includes(node.data.comment ?? "");
  return isCall(node) && opcodes.includes(node.data.opcode ?? -1);
}

function isFinish(node: TraceNode): boolean {
  return saysAny(node, ["finish", "stop"], [auctionFinish.opcode, auctionStop.opcode]);
}

function isCancel(node: TraceNode): boolean {
  return saysAny(node, ["cancel"], [auctionCancel.opcode]);
}

const finished = where(isFinish, { child: where(isPurchase) });

export const getgemsFinishMatcher = matcher({
  name: "nft_finish_auction",
  pattern: finished,
  build: (match, facts) => {
    const node = match.get(finished);
    // The service omits the marketplace when a purchase ends the auction.
    const findOffer = (auction: Address) => {
      const offer = facts.findNftAuction(auction);
      return offer && { nft: offer.nft, marketplace: undefined };
    };
    return makeEnd(nftFinishAuction, node, node.next.find(isPurchase), findOffer, facts);
  },
});

const ended = where((node) => isCancel(node) || isFinish(node), { child: where(isTransfer) });

export const getgemsCancelAuctionMatcher = matcher({
  name: "nft_cancel_auction",
  pattern: ended,
  build: (match, facts) => {
    const node = match.get(ended);
    const end = isFinish(node) ? nftFinishAuction : nftCancelAuction;
    return makeEnd(end, node, node.next.find(isTransfer), (auction) => facts.findNftAuction(auction), facts);
  },
});
