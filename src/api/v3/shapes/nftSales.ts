import { Type } from "typebox";
import type { NftSaleRow } from "../../../history/queries/fill/fillItems.ts";
import type { FullNftSale } from "../../../history/queries/nftSales.ts";
import type { JsonValue } from "../../../lib/json.ts";
import { decimal, field, int, omittable, shape } from "../../../lib/kit/shape.ts";
import { type Address, findAddress } from "../../../model/Address.ts";
import { nftItem } from "./nfts.ts";
import { address, hash, named, word } from "./scalars.ts";

const [flag, number, account] = [Type.Boolean(), Type.Integer(), address.schema];
const amount = decimal.schema;

/** The stored fields of each kind of sale. */
const detailSchemas = [
  Type.Object({
    is_complete: flag,
    full_price: amount,
    marketplace_fee_address: account,
    marketplace_fee: amount,
    royalty_address: account,
    royalty_amount: amount,
  }),
  Type.Object({
    end_flag: flag,
    end_time: number,
    last_bid: amount,
    last_member: account,
    min_step: number,
    mp_fee_address: account,
    mp_fee_factor: number,
    mp_fee_base: number,
    royalty_fee_address: account,
    royalty_fee_factor: number,
    royalty_fee_base: number,
    max_bid: amount,
    min_bid: amount,
    last_bid_at: number,
    is_canceled: flag,
  }),
  Type.Object({
    token_name: Type.String(),
    bidder_address: account,
    bid: amount,
    bid_ts: amount,
    min_bid: amount,
    end_time: number,
    beneficiary_address: account,
    initial_min_bid: amount,
    max_bid: amount,
    min_bid_step: amount,
    min_extend_time: amount,
    duration: amount,
    royalty_numerator: number,
    royalty_denominator: number,
    royalty_destination: account,
  }),
].map((each) => Type.Partial(each));

/** Missing fields are omitted. */
const details = field({
  schema: Type.Union(detailSchemas),
  encode: (value: { readonly [key: string]: JsonValue }) =>
    Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null)),
});

/** A sale or auction of an NFT item. */
export const nftSale = named(
  "NFTSale",
  shape<FullNftSale>()({
    type: word("getgems_sale", "getgems_auction", "telemint")((s) => s.row.kind),
    address: address((s) => s.row.address),
    nft_address: omittable(address)((s) => s.row.nftAddress),
    nft_owner_address: omittable(address)((s) => s.row.nftOwnerAddress),
    marketplace_address: omittable(address)((s) => s.row.marketplaceAddress),
    created_at: omittable(int)((s) => s.row.createdAt),
    last_transaction_lt: omittable(decimal)((s) => s.row.lastTransactionLt),
    code_hash: omittable(hash)((s) => s.row.codeHash),
    data_hash: omittable(hash)((s) => s.row.dataHash),
    details: details((s) => s.row.details),
    nft_item: omittable(nftItem)((s) => s.item),
  }),
);

const addressDetails: ReadonlySet<string> = new Set([
  "marketplace_fee_address",
  "royalty_address",
  "last_member",
  "mp_fee_address",
  "royalty_fee_address",
  "bidder_address",
  "beneficiary_address",
  "royalty_destination",
]);

/** The accounts of a sale. */
export function saleAddresses({ details: stored, ...sale }: NftSaleRow): readonly (Address | undefined)[] {
  const named = Object.entries(stored).map(([name, value]) =>
    addressDetails.has(name) && typeof value === "string" ? findAddress(value)?.address : undefined,
  );
  return [sale.address, sale.nftAddress, sale.nftOwnerAddress, sale.marketplaceAddress, ...named];
}
