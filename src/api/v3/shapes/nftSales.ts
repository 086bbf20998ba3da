import { Type } from "typebox";
import type { NftSaleRow } from "../../../history/queries/fill/fillItems.ts";
import type { FullNftSale } from "../../../history/queries/nftSales.ts";
import type { JsonValue } from "../../../lib/json.ts";
import { decimal, field, int, objectSchema, omittable, shape } from "../../../lib/kit/shape.ts";
import { type Address, findAddress } from "../../../model/Address.ts";
import { nftItem } from "./nfts.ts";
import { address, hash, named, word } from "./scalars.ts";

const [flag, number, account] = [Type.Boolean(), Type.Integer(), address.schema];
const amount = decimal.schema;

const minBid = "Smallest bid that is accepted, in nanocoins.";
const maxBid = "Bid that ends the auction at once, in nanocoins; 0 for none.";
const endTime = "Time when the auction ends, in Unix seconds.";

/** The stored fields of each kind of sale. */
const detailSchemas = [
  objectSchema({
    is_complete: ["Whether the sale is over.", flag],
    full_price: ["Price with all fees, in nanocoins.", amount],
    marketplace_fee_address: ["Address that receives the marketplace's fee.", account],
    marketplace_fee: ["Fee of the marketplace, in nanocoins.", amount],
    royalty_address: ["Address that receives the royalty.", account],
    royalty_amount: ["Royalty in nanocoins.", amount],
  }),
  objectSchema({
    end_flag: ["Whether the auction has ended.", flag],
    end_time: [endTime, number],
    last_bid: ["Highest bid, in nanocoins.", amount],
    last_member: ["Address of the highest bidder.", account],
    min_step: ["Smallest raise of a bid, in percent.", number],
    mp_fee_address: ["Address that receives the marketplace's fee.", account],
    mp_fee_factor: ["Numerator of the marketplace's fee.", number],
    mp_fee_base: ["Denominator of the marketplace's fee.", number],
    royalty_fee_address: ["Address that receives the royalty.", account],
    royalty_fee_factor: ["Numerator of the share of the price that is the royalty.", number],
    royalty_fee_base: ["Denominator of the share of the price that is the royalty.", number],
    max_bid: [maxBid, amount],
    min_bid: [minBid, amount],
    last_bid_at: ["Time of the highest bid, in Unix seconds.", number],
    is_canceled: ["Whether the auction was cancelled.", flag],
  }),
  objectSchema({
    token_name: ["Name of the token for sale.", Type.String()],
    bidder_address: ["Address of the highest bidder.", account],
    bid: ["Highest bid, in nanocoins.", amount],
    bid_ts: ["Time of the highest bid, in Unix seconds.", amount],
    min_bid: [minBid, amount],
    end_time: [endTime, number],
    beneficiary_address: ["Address that receives the price.", account],
    initial_min_bid: ["Smallest first bid, in nanocoins.", amount],
    max_bid: [maxBid, amount],
    min_bid_step: ["Smallest raise of a bid, in percent.", amount],
    min_extend_time: ["Time by which a late bid extends the auction, in seconds.", amount],
    duration: ["Length of the auction, in seconds.", amount],
    royalty_numerator: ["Numerator of the share of the price that is the royalty.", number],
    royalty_denominator: ["Denominator of the share of the price that is the royalty.", number],
    royalty_destination: ["Address that receives the royalty.", account],
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
    type: word("getgems_sale", "getgems_auction", "telemint")("Kind of sale.", (s) => s.row.kind),
    address: address("Address of the sale or auction contract, in raw form.", (s) => s.row.address),
    nft_address: omittable(address)("Address of the item.", (s) => s.row.nftAddress),
    nft_owner_address: omittable(address)("Address of the seller of the item.", (s) => s.row.nftOwnerAddress),
    marketplace_address: omittable(address)(
      "Address of the marketplace that the seller uses; absent if unknown.",
      (s) => s.row.marketplaceAddress,
    ),
    created_at: omittable(int)(
      "Time when the sale was created, in Unix seconds; absent if unknown.",
      (s) => s.row.createdAt,
    ),
    last_transaction_lt: omittable(decimal)(
      "Logical time of the account's last transaction.",
      (s) => s.row.lastTransactionLt,
    ),
    code_hash: omittable(hash)("Hash of the code cell, in base64.", (s) => s.row.codeHash),
    data_hash: omittable(hash)("Hash of the data cell, in base64.", (s) => s.row.dataHash),
    details: details("Terms and state of the sale, as its kind has them.", (s) => s.row.details),
    nft_item: omittable(nftItem)("Item for sale; absent while it is not indexed.", (s) => s.item),
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
