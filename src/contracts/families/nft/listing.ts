import type { Address } from "../../../model/Address.ts";
import type { DetailFieldMakers } from "../../engine/details.ts";
import { kind, type NodeKind } from "../../engine/kind.ts";
import type { NftReference } from "./NftTransfer.ts";

/** An item offered to the highest bidder. */
export interface Auction extends NftReference {
  readonly owner: Address;
  readonly listing: Address | undefined;
  readonly auction: Address;
  readonly marketplace: Address | undefined;
  readonly marketName: string | undefined;
  readonly marketFeeAddress: Address | undefined;
  readonly marketFeeFactor: bigint | undefined;
  readonly marketFeeBase: bigint | undefined;
  readonly royaltyAddress: Address | undefined;
  readonly royaltyFeeBase: bigint | undefined;
  readonly maxBid: bigint | undefined;
  readonly minBid: bigint | undefined;
}

function auctionFields(f: DetailFieldMakers<Auction>) {
  return {
    nft_collection: f.address("Address of the collection; null for an item without one.", (a) => a.collection),
    nft_item: f.address("Address of the item.", (a) => a.nft),
    nft_item_index: f.amount("Number of the item within its collection, in decimal.", (a) => a.index),
    owner: f.address("Address of the owner.", (a) => a.owner),
    listing_address: f.address("Address of the contract that holds the item.", (a) => a.listing),
    auction_address: f.address("Address of the auction.", (a) => a.auction),
    marketplace_address: f.address("Address of the marketplace.", (a) => a.marketplace),
    marketplace_fee_factor: f.amount("Numerator of the marketplace's fee.", (a) => a.marketFeeFactor),
    marketplace_fee_base: f.amount("Denominator of the marketplace's fee.", (a) => a.marketFeeBase),
    royalty_fee_base: f.amount("Denominator of the royalty.", (a) => a.royaltyFeeBase),
    max_bid: f.amount("Bid that ends the auction at once, in nanocoins.", (a) => a.maxBid),
    min_bid: f.amount("Smallest allowed bid, in nanocoins.", (a) => a.minBid),
    marketplace_fee_address: f.address("Address that receives the marketplace's fee.", (a) => a.marketFeeAddress),
    royalty_address: f.address("Address that receives the royalty.", (a) => a.royaltyAddress),
    marketplace: f.text("Name of the marketplace; null for an unknown one.", (a) => a.marketName),
  };
}

/** The beginning of an auction, with the name that its market uses. */
export function auctionStart(type: string): NodeKind<Auction> {
  return kind({
    type,
    showsParts: true,
    parties: (a) => ({ source: a.owner, sourceSecondary: a.listing, destination: a.auction }),
    details: auctionFields,
  });
}

/** The end of an auction, by its owner or by a bid. */
export interface AuctionEnd extends NftReference {
  readonly owner: Address;
  readonly auction: Address;
  readonly marketplace: Address | undefined;
  readonly marketName: string | undefined;
}

function auctionEndFields(f: DetailFieldMakers<AuctionEnd>) {
  return {
    owner: f.address("Address of the owner.", (a) => a.owner),
    nft_item: f.address("Address of the item.", (a) => a.nft),
    nft_collection: f.address("Address of the collection; null for an item without one.", (a) => a.collection),
    auction_address: f.address("Address of the auction.", (a) => a.auction),
    marketplace_address: f.address("Address of the marketplace.", (a) => a.marketplace),
    marketplace: f.text("Name of the marketplace; null for an unknown one.", (a) => a.marketName),
  };
}

/** A cancelled or ended offer. `auction` is the contract of the offer; for a sale it is shown as such. */
export function auctionEnd(type: string): NodeKind<AuctionEnd> {
  return kind({
    type,
    showsParts: true,
    parties: (e) => ({ source: e.owner, destination: e.auction }),
    mentions: (e) => [e.nft],
    details: auctionEndFields,
  });
}
