import type { NftAuction } from "../../contracts/families/getgems/auction.ts";
import type { NftSale } from "../../contracts/families/getgems/sale.ts";
import type { Teleitem } from "../../contracts/families/teleitem/item.ts";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { type Address, formatRawAddress } from "../../model/Address.ts";
import { address, amount, int53, json, nullable, text } from "../store/schema/columns.ts";
import { keepNewestAndFirstId } from "../store/schema/conflictRule.ts";
import { type Row, table } from "../store/schema/Table.ts";
import { indexedEntity } from "./indexedEntity.ts";
import { listedColumns, stateColumns } from "./sharedColumns.ts";

export type SaleKind = "getgems_sale" | "getgems_auction" | "telemint";

export const nftSales = table("nft_sales", {
  ...listedColumns,
  kind: text<SaleKind>(),
  nftAddress: nullable(address),
  nftOwnerAddress: nullable(address),
  marketplaceAddress: nullable(address),
  createdAt: nullable(int53),
  price: nullable(amount),
  details: json<JsonObject>(),
  ...stateColumns,
});

export const nftSaleEntity = indexedEntity({
  table: nftSales,
  account: "address",
  key: ["address"],
  conflict: keepNewestAndFirstId(),
  notVerified: ["id"],
  rows: {
    nftSale: (nftSale, place) => [{ ...saleColumns(nftSale), ...place }],
    nftAuction: (nftAuction, place) => [{ ...auctionColumns(nftAuction), ...place }],
    teleitem: (teleitem, place) => [{ ...teleitemColumns(place.address, teleitem), ...place }],
  },
  facts: {
    findNftSale: (row) => (row.kind === "getgems_sale" ? { ...listing(row), fullPrice: row.price } : undefined),
    findNftAuction: (row) => (row.kind === "getgems_auction" ? { ...listing(row), lastBid: row.price } : undefined),
  },
});

type SaleRow = Row<typeof nftSales>;

function listing(row: SaleRow) {
  return { nft: row.nftAddress, nftOwner: row.nftOwnerAddress, marketplace: row.marketplaceAddress };
}

interface SaleColumns {
  readonly kind: SaleKind;
  readonly nftAddress: Address | undefined;
  readonly nftOwnerAddress: Address | undefined;
  readonly marketplaceAddress: Address | undefined;
  readonly createdAt: number | undefined;
  readonly price: bigint | undefined;
  readonly details: { readonly [key: string]: JsonValue };
}

function offerColumns({ nft, nftOwner, marketplace, createdAt }: NftSale | NftAuction) {
  return { nftAddress: nft, nftOwnerAddress: nftOwner, marketplaceAddress: marketplace, createdAt };
}

function saleColumns(sale: NftSale): SaleColumns {
  return {
    kind: "getgems_sale",
    ...offerColumns(sale),
    price: sale.fullPrice,
    details: {
      is_complete: sale.isComplete,
      full_price: decimal(sale.fullPrice),
      marketplace_fee_address: raw(sale.marketplaceFeeAddress),
      marketplace_fee: decimal(sale.marketplaceFee),
      royalty_address: raw(sale.royaltyAddress),
      royalty_amount: decimal(sale.royaltyAmount),
    },
  };
}

function auctionColumns(auction: NftAuction): SaleColumns {
  return {
    kind: "getgems_auction",
    ...offerColumns(auction),
    price: auction.lastBid,
    details: {
      end_flag: auction.isEnded,
      end_time: auction.endAt,
      last_bid: decimal(auction.lastBid),
      last_member: raw(auction.lastMember),
      min_step: auction.minStep,
      mp_fee_address: raw(auction.marketplaceFeeAddress),
      mp_fee_factor: auction.marketplaceFeeFactor,
      mp_fee_base: auction.marketplaceFeeBase,
      royalty_fee_address: raw(auction.royaltyFeeAddress),
      royalty_fee_factor: auction.royaltyFeeFactor,
      royalty_fee_base: auction.royaltyFeeBase,
      max_bid: decimal(auction.maxBid),
      min_bid: decimal(auction.minBid),
      last_bid_at: auction.lastBidAt,
      is_canceled: auction.isCanceled,
    },
  };
}

function teleitemColumns(address: Address, item: Teleitem): SaleColumns {
  return {
    kind: "telemint",
    nftAddress: address,
    nftOwnerAddress: undefined,
    marketplaceAddress: undefined,
    createdAt: undefined,
    price: item.bid,
    details: {
      token_name: item.tokenName,
      bidder_address: raw(item.bidder),
      bid: decimal(item.bid),
      bid_ts: String(item.bidAt),
      min_bid: decimal(item.minBid),
      end_time: item.endAt,
      beneficiary_address: raw(item.beneficiary),
      initial_min_bid: decimal(item.initialMinBid),
      max_bid: decimal(item.maxBid),
      min_bid_step: decimal(item.minBidStep),
      min_extend_time: String(item.minExtendTime),
      duration: String(item.duration),
      royalty_numerator: item.royaltyNumerator,
      royalty_denominator: item.royaltyDenominator,
      royalty_destination: raw(item.royaltyDestination),
    },
  };
}

function raw(address: Address | undefined): string | null {
  return address === undefined ? null : formatRawAddress(address);
}

function decimal(value: bigint): string {
  return value.toString();
}
