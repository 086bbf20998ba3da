import type { Address } from "../../../model/Address.ts";
import type { Facts, NftAuctionFact, NftSaleFact } from "../../engine/Facts.ts";
import { kind } from "../../engine/kind.ts";
import { type Made, made, matcher } from "../../engine/matcher.ts";
import { bodyOf, destinationOf, isAborted, messageOf, sourceOf } from "../../engine/messageParts.ts";
import { isCall, isTonTransfer } from "../../engine/nodes.ts";
import { built, call, where } from "../../engine/pattern.ts";
import { deployedBy, type TraceNode } from "../../engine/TraceNode.ts";
import { type Auction, auctionStart } from "../nft/listing.ts";
import { findMarketName, type NftReference, type NftTransfer, nftTransfer } from "../nft/NftTransfer.ts";
import { saleUpdateMessage } from "./messages.ts";
import { findAuctionState, findSaleState } from "./state.ts";

interface Sale extends NftReference {
  readonly owner: Address;
  readonly listing: Address;
  readonly sale: Address;
  readonly marketplace: Address | undefined;
  readonly marketName: string | undefined;
  readonly fullPrice: bigint;
  readonly marketFee: bigint | undefined;
  readonly marketFeeAddress: Address | undefined;
  readonly royaltyAmount: bigint | undefined;
  readonly royaltyAddress: Address | undefined;
}

export const nftPutOnSale = kind<Sale>({
  type: "nft_put_on_sale",
  showsParts: true,
  parties: (s) => ({ source: s.owner, sourceSecondary: s.listing, destination: s.sale }),
  details: (f) => ({
    nft_collection: f.address("Address of the collection; null for an item without one.", (s) => s.collection),
    nft_item: f.address("Address of the item.", (s) => s.nft),
    nft_item_index: f.amount("Number of the item within its collection, in decimal.", (s) => s.index),
    owner: f.address("Address of the owner.", (s) => s.owner),
    listing_address: f.address("Address of the contract that holds the item.", (s) => s.listing),
    sale_address: f.address("Address of the sale.", (s) => s.sale),
    marketplace_address: f.address("Address of the marketplace.", (s) => s.marketplace),
    full_price: f.amount("Price with all fees, in nanocoins.", (s) => s.fullPrice),
    marketplace_fee: f.amount("Fee of the marketplace, in nanocoins.", (s) => s.marketFee),
    royalty_amount: f.amount("Royalty, in nanocoins.", (s) => s.royaltyAmount),
    marketplace_fee_address: f.address("Address that receives the marketplace's fee.", (s) => s.marketFeeAddress),
    royalty_address: f.address("Address that receives the royalty.", (s) => s.royaltyAddress),
    marketplace: f.text("Name of the marketplace; null for an unknown one.", (s) => s.marketName),
  }),
});

export const nftPutOnAuction = auctionStart("nft_put_on_auction");

const deployment = where((node) => (isTonTransfer(node) || isCall(node)) && deployedBy(node).length > 0);
const toMarket = built(nftTransfer);
const listed = built(nftTransfer, { children: [deployment, toMarket] });

/** The item goes to the market, which deploys a contract for the offer and forwards the item to it. */
export const getgemsListingMatcher = matcher({
  name: "nft_put_on_sale",
  pattern: listed,
  build: (match, facts) => {
    const nftTransfer = match.get(listed).data;
    const passed = match.get(toMarket).data;
    const deploying = match.get(deployment);
    const contract = messageOf(deploying).destination;
    if (contract === undefined || passed.nft !== nftTransfer.nft || passed.newOwner !== contract) return undefined;
    const sale = facts.findNftSale(contract);
    if (sale !== undefined) return makeSale(nftTransfer, deploying, contract, sale, facts);
    const auction = facts.findNftAuction(contract);
    return auction && makeAuction(nftTransfer, deploying, contract, auction, facts);
  },
});

/** The indexed code decides the layout of the state; a deleted contract still has its initial code. */
function readInit(deploying: TraceNode, contract: Address, facts: Facts) {
  const init = messageOf(deploying).init;
  return { code: facts.findCodeHash(contract) ?? init?.code?.hash(), data: init?.data };
}

function makeSale(
  nftTransfer: NftTransfer,
  deploying: TraceNode,
  sale: Address,
  fact: NftSaleFact,
  facts: Facts,
): Made | undefined {
  const { code, data: initData } = readInit(deploying, sale, facts);
  const state = findSaleState(code, initData);
  if (state === undefined) return undefined;
  if (fact.nft !== nftTransfer.nft || fact.nftOwner === undefined || fact.nftOwner !== nftTransfer.oldOwner)
    return undefined;
  const data: Sale = {
    ...itemOf(nftTransfer),
    ...state,
    owner: fact.nftOwner,
    listing: nftTransfer.newOwner,
    sale,
    marketName: findMarketName(facts, state.marketplace, nftTransfer.collection),
  };
  return made(nftPutOnSale, data);
}

function makeAuction(
  nftTransfer: NftTransfer,
  deploying: TraceNode,
  auction: Address,
  fact: NftAuctionFact,
  facts: Facts,
): Made | undefined {
  const { code, data: initData } = readInit(deploying, auction, facts);
  const state = findAuctionState(code, initData);
  if (state === undefined) return undefined;
  if (fact.nft !== nftTransfer.nft || fact.nftOwner === undefined || fact.nftOwner !== nftTransfer.oldOwner)
    return undefined;
  const data: Auction = {
    ...itemOf(nftTransfer),
    ...state,
    owner: fact.nftOwner,
    listing: nftTransfer.newOwner,
    auction,
    marketplace: fact.marketplace,
    marketName: findMarketName(facts, fact.marketplace, nftTransfer.collection),
  };
  return made(nftPutOnAuction, data);
}

export function itemOf({ nft, collection, index }: NftReference): NftReference {
  return { nft, collection, index };
}

interface SaleUpdate {
  readonly source: Address;
  readonly sale: Address;
  readonly nft: Address | undefined;
  readonly marketplace: Address | undefined;
  readonly marketName: string | undefined;
  readonly fullPrice: bigint;
  readonly marketFee: bigint;
  readonly royaltyAmount: bigint;
}

export const nftUpdateSale = kind<SaleUpdate>({
  type: "nft_update_sale",
  showsParts: true,
  parties: (u) => ({ source: u.source, destination: u.sale }),
  mentions: (u) => [u.nft],
  details: (f) => ({
    source: f.address("Address of the sender.", (u) => u.source),
    sale_contract: f.address("Address of the sale.", (u) => u.sale),
    nft_address: f.address("Address of the item.", (u) => u.nft),
    marketplace_address: f.address("Address of the marketplace.", (u) => u.marketplace),
    marketplace: f.text("Name of the marketplace; null for an unknown one.", (u) => u.marketName),
    full_price: f.amount("Price with all fees, in nanocoins.", (u) => u.fullPrice),
    marketplace_fee: f.amount("Fee of the marketplace, in nanocoins.", (u) => u.marketFee),
    royalty_amount: f.amount("Royalty, in nanocoins.", (u) => u.royaltyAmount),
  }),
});

const updated = call(saleUpdateMessage);

export const getgemsUpdateMatcher = matcher({
  name: "nft_update_sale",
  pattern: updated,
  build: (match, facts) => {
    const node = match.get(updated);
    const sale = facts.findNftSale(destinationOf(node));
    if (sale === undefined) return undefined;
    const body = bodyOf(node, saleUpdateMessage);
    const data = {
      source: sourceOf(node),
      sale: destinationOf(node),
      nft: sale.nft,
      marketplace: sale.marketplace,
      marketName: findMarketName(facts, sale.marketplace, undefined),
      fullPrice: body.newFullPrice,
      marketFee: body.newMpFee,
      royaltyAmount: body.newRoyaltyAmount,
    };
    return made(nftUpdateSale, data, { failed: isAborted(node) });
  },
});
