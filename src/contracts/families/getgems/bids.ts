import type { Address } from "../../../model/Address.ts";
import type { Facts } from "../../engine/Facts.ts";
import { kind } from "../../engine/kind.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { coinsOf, known } from "../../engine/messageParts.ts";
import { isCall, isTonTransfer, type TonTransferNode } from "../../engine/nodes.ts";
import { built, transfer } from "../../engine/pattern.ts";
import { deployedBy, type TraceNode } from "../../engine/TraceNode.ts";
import { isDnsItem } from "../dns/collections.ts";
import { outbidNotification } from "../dns/messages.ts";
import { findItem, findMarketName, isTeleitem } from "../nft/NftTransfer.ts";

interface AuctionBid {
  readonly bidder: Address;
  readonly auction: Address;
  readonly amount: bigint;
  readonly nft: Address | undefined;
  readonly collection: Address | undefined;
  readonly index: bigint | undefined;
  readonly marketplace: Address | undefined;
  /** How an outbid amount is returned: by a transfer with a comment, or by a dedicated message. */
  readonly refund: "transfer" | "message";
}

export const auctionBid = kind<AuctionBid>({
  type: "auction_bid",
  parties: (b) => ({ source: b.bidder, destination: b.auction }),
  mentions: (b) => [b.nft],
  details: (f) => ({
    amount: f.amount("Bid in nanocoins.", (b) => b.amount),
    bidder: f.address("Address of the bidder.", (b) => b.bidder),
    auction: f.address("Address of the auction.", (b) => b.auction),
    nft_item: f.address("Address of the item.", (b) => b.nft),
    nft_collection: f.address("Address of the collection; null for an item without one.", (b) => b.collection),
    nft_item_index: f.amount("Number of the item within its collection, in decimal.", (b) => b.index),
  }),
});

const notBids: ReadonlySet<string> = new Set(["cancel", "finish", "stop"]);
const paid = transfer();

export const auctionBidMatcher = matcher({
  name: "auction_bid",
  pattern: paid,
  build: (match, facts) => {
    const node = match.get(paid);
    if (deployedBy(node).length > 0 || notBids.has(node.data.comment ?? "")) return undefined;
    const lot = findLot(node, facts);
    if (lot === undefined) return undefined;
    const { source, destination } = node.data;
    return made(
      auctionBid,
      { ...lot, bidder: source, auction: destination, amount: coinsOf(node) },
      { failed: node.failed },
    );
  },
});

type Lot = Omit<AuctionBid, "bidder" | "auction" | "amount">;

/** The item of a bid: held by an auction contract, or its own auction. */
function findLot(node: TonTransferNode, facts: Facts): Lot | undefined {
  const { destination } = node.data;
  const auction = facts.findNftAuction(destination);
  if (auction !== undefined) {
    const item = auction.nft === undefined ? undefined : findItem(facts, auction.nft);
    const { nft, marketplace } = auction;
    return { nft, collection: item?.collection, index: item?.index, marketplace, refund: "transfer" };
  }
  const item = findItem(facts, destination);
  if (item === undefined) return undefined;
  const isDns = isDnsItem(facts, destination);
  if (!isDns && !isTeleitem(facts, destination)) return undefined;
  // A payment to a domain is a bid only during an auction: a refund shows that.
  if (isDns && !node.next.some(isOutbid)) return undefined;
  return { ...item, marketplace: undefined, refund: "message" };
}

function isOutbid(node: TraceNode): boolean {
  return isCall(node) && node.data.opcode === outbidNotification.opcode;
}

interface AuctionOutbid {
  readonly auction: Address;
  readonly bidder: Address | undefined;
  readonly newBidder: Address;
  readonly nft: Address | undefined;
  readonly collection: Address | undefined;
  readonly amount: bigint;
  readonly comment: string | undefined;
  readonly marketName: string | undefined;
}

export const auctionOutbid = kind<AuctionOutbid>({
  type: "auction_outbid",
  showsParts: true,
  parties: (o) => ({ source: o.auction, sourceSecondary: o.newBidder, destination: o.bidder }),
  mentions: (o) => [o.nft],
  details: (f) => ({
    auction_address: f.address("Address of the auction.", (o) => o.auction),
    bidder: f.address("Address of the bidder.", (o) => o.bidder),
    new_bidder: f.address("Address of the higher bidder.", (o) => o.newBidder),
    nft_item: f.address("Address of the item.", (o) => o.nft),
    nft_collection: f.address("Address of the collection; null for an item without one.", (o) => o.collection),
    amount: f.amount("Earlier bid that is paid back, in nanocoins.", (o) => o.amount),
    comment: f.whenKnown(f.text("Text comment of the transfer; null without one.", (o) => o.comment)),
    marketplace: f.whenKnown(f.text("Name of the marketplace; null for an unknown one.", (o) => o.marketName)),
  }),
});

const bid = built(auctionBid);

/** The refund of the outbid amount; the new bid stays a separate event. */
export const auctionOutbidMatcher = matcher({
  name: "auction_outbid",
  pattern: bid,
  build: (match, facts) => {
    const { data, next } = match.get(bid);
    const refunds = next.filter((node) => isRefund(node, data));
    const [refund] = refunds;
    if (refunds.length !== 1 || refund === undefined || !(isTonTransfer(refund) || isCall(refund))) return undefined;
    const outbid: AuctionOutbid = {
      auction: data.auction,
      bidder: refund.data.destination,
      newBidder: data.bidder,
      nft: data.nft,
      collection: data.collection,
      amount: coinsOf(refund),
      comment: isTonTransfer(refund) ? refund.data.comment : undefined,
      marketName: findMarketName(facts, data.marketplace, data.collection),
    };
    return made(auctionOutbid, outbid, { from: [refund] });
  },
});

function isRefund(node: TraceNode, { auction, refund }: AuctionBid): boolean {
  if (refund === "message") return isCall(node) && isOutbid(node) && node.data.source === auction;
  if (!isTonTransfer(node) || node.data.source !== auction) return false;
  // The service refuses all of it when the auction sends anything without a comment.
  return known(node.data.comment).includes("Your bid has been outbid by another user");
}
