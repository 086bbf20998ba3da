import type { Cell } from "../../../cell/Cell.ts";
import { type Slice, sliceOf } from "../../../cell/Slice.ts";
import { isCoded } from "../../../lib/errors.ts";
import type { Address } from "../../../model/Address.ts";
import { type Hash, parseHash } from "../../../model/Hash.ts";
import { address } from "../../kit/addressFields.ts";

/** The parameters of a sale or an auction, read from its initial state, which never changes. */
export interface SaleState {
  readonly marketplace: Address | undefined;
  readonly fullPrice: bigint;
  readonly marketFeeAddress: Address | undefined;
  readonly marketFee: bigint | undefined;
  readonly royaltyAddress: Address | undefined;
  readonly royaltyAmount: bigint | undefined;
}

export interface AuctionState {
  readonly marketFeeAddress: Address | undefined;
  readonly marketFeeFactor: bigint;
  readonly marketFeeBase: bigint;
  readonly royaltyAddress: Address | undefined;
  readonly royaltyFeeBase: bigint;
  readonly minBid: bigint;
  readonly maxBid: bigint;
}

/** Versions by code hash (v3-actions.md §5.3). */
const saleReaders = new Map<Hash, (data: Slice) => SaleState>([
  [parseHash("2pufziLofEllctIDZSWVebzO+RpyA1fMvowFLvyb4I8="), readSaleV1],
  [parseHash("gnj0xSM95vvtyWmvUZNEp6m//FRIVtuphqlcC8+Fcck="), readSaleV3],
  [parseHash("MgUN+sRPZIZrzIbyzZ4TBf6dyts5WcACI3z7CQLUQyM="), readSaleV3],
  [parseHash("3rU7bFdlwebNI4v0e8XoO6WWvcwEsLhM1Qqx5HSgjzE="), readSaleV3],
  [parseHash("JCIfpXHlQuBVx3vt/b9SfHr0YM/cfzRMRQeHtM+h600="), readSaleV3],
  [parseHash("a5WmQYucnSNZBF0edVm41UmuDlBvJMqrWPowyPsf64Y="), readSaleV4],
]);

const auctionReaders = new Map<Hash, (data: Slice) => AuctionState | undefined>([
  [parseHash("/ACindAgW83MDT/7nKOMw8jBWexg2KpUMkCpLxBZLUA="), readAuctionV1],
  [parseHash("ZmiHL6eXBUQ//UdSPo6eqfdquZ+aC1nSfej4GhwnudQ="), () => undefined],
  [parseHash("G9nFo5v/t6DzQViLXdkrgTqEK/Ze8UEJOCIAzq+Pct8="), readAuctionV3R2],
  [parseHash("u29ireD+stefqzuK6/CTCvmFU99gCTsgJ/Covxab/Ow="), readAuctionV3R3],
  [parseHash("zlp4U06qps7tja/UhtB262CpsNbb+1Nnb2YmScBomVY="), readAuctionV4],
]);

export function findSaleState(codeHash: Hash | undefined, data: Cell | undefined): SaleState | undefined {
  return read(data, (codeHash === undefined ? undefined : saleReaders.get(codeHash)) ?? readSaleV4);
}

export function findAuctionState(codeHash: Hash | undefined, data: Cell | undefined): AuctionState | undefined {
  return read(data, (codeHash === undefined ? undefined : auctionReaders.get(codeHash)) ?? readAuctionV3R3);
}

function read<V>(data: Cell | undefined, reader: (data: Slice) => V): V | undefined {
  if (data === undefined) return undefined;
  try {
    return reader(sliceOf(data));
  } catch (error) {
    if (isCoded(error)) return undefined;
    throw error;
  }
}

// marketplace:addr nft:addr nft_owner:addr full_price:Coins ^fees
function readSaleTerms(data: Slice) {
  const marketplace = address.load(data);
  address.load(data);
  address.load(data);
  return { terms: { marketplace, fullPrice: data.loadCoins() }, fees: sliceOf(data.loadRef()) };
}

// royalty:addr royalty:Coins
function readRoyalty(fees: Slice) {
  const royaltyAddress = address.load(fees);
  return { royaltyAddress, royaltyAmount: fees.loadCoins() };
}

// terms, fees:^[ fee:Coins fee:addr royalty ]
function readSaleV1(data: Slice): SaleState {
  const { terms, fees } = readSaleTerms(data);
  const marketFee = fees.loadCoins();
  return { ...terms, marketFee, marketFeeAddress: address.load(fees), ...readRoyalty(fees) };
}

// is_complete:uint1 created_at:uint32 terms, fees:^[ fee:addr fee:Coins royalty ]
function readSaleV3(data: Slice): SaleState {
  const { terms, fees } = readSaleTerms(data.skip(33));
  const marketFeeAddress = address.load(fees);
  return { ...terms, marketFee: fees.loadCoins(), marketFeeAddress, ...readRoyalty(fees) };
}

// is_complete:uint1 marketplace:addr nft_owner:addr full_price:Coins sold_at:uint32 query_id:uint64
//   ^[ fee:addr royalty:addr fee_percent:uint17 royalty_percent:uint17 ]
function readSaleV4(data: Slice): SaleState {
  data.skip(1);
  const marketplace = address.load(data);
  address.load(data);
  const fullPrice = data.loadCoins();
  const fees = sliceOf(data.skip(96).loadRef());
  const marketFeeAddress = address.load(fees);
  const royaltyAddress = address.load(fees);
  return { marketplace, fullPrice, marketFee: undefined, marketFeeAddress, royaltyAddress, royaltyAmount: undefined };
}

// fee:addr factor:uint32 base:uint32 royalty:addr factor:uint32 base:uint32
function readFees(fees: Slice) {
  const marketFeeAddress = address.load(fees);
  const marketFeeFactor = fees.loadBigUint(32);
  const marketFeeBase = fees.loadBigUint(32);
  const royaltyAddress = address.load(fees);
  fees.skip(32);
  return { marketFeeAddress, marketFeeFactor, marketFeeBase, royaltyAddress, royaltyFeeBase: fees.loadBigUint(32) };
}

// min_bid:Coins max_bid:Coins
function readBids(bids: Slice) {
  const minBid = bids.loadCoins();
  return { minBid, maxBid: bids.loadCoins() };
}

// … ^fees ^[ min_bid:Coins max_bid:Coins … ]
function readAuctionV1(data: Slice): AuctionState {
  return { ...readFees(sliceOf(data.loadRef())), ...readBids(sliceOf(data.loadRef())) };
}

// flags:3 last_member:addr last_bid:Coins last_bid_at:uint32 end_time:uint32 ^fees
//   ^[ sub_gas:uint32 marketplace:addr min_bid:Coins max_bid:Coins … ]
function readAuctionV3R2(data: Slice): AuctionState {
  const fees = readFees(sliceOf(data.loadRef()));
  const constants = sliceOf(data.loadRef()).skip(32);
  address.load(constants);
  return { ...fees, ...readBids(constants) };
}

// flags:2 last_member:addr last_bid:Coins last_bid_at:uint32 end_time:uint32 nft_owner:addr last_query_id:uint64
//   fee_factor:uint32 fee_base:uint32 royalty_factor:uint32 royalty_base:uint32 ^[ fee:addr royalty:addr ]
//   ^[ marketplace:addr min_bid:Coins max_bid:Coins … ]
function readAuctionV3R3(data: Slice): AuctionState {
  skipProgress(data);
  const marketFeeFactor = data.loadBigUint(32);
  const marketFeeBase = data.loadBigUint(32);
  const royaltyFeeBase = data.skip(32).loadBigUint(32);
  const fees = sliceOf(data.loadRef());
  const marketFeeAddress = address.load(fees);
  const royaltyAddress = address.load(fees);
  const constants = sliceOf(data.loadRef());
  address.load(constants);
  const bids = readBids(constants);
  return { marketFeeAddress, marketFeeFactor, marketFeeBase, royaltyAddress, royaltyFeeBase, ...bids };
}

// as v3r3 up to last_query_id, then ^[ fee:addr royalty:addr fee_factor:uint32 fee_base:uint32 royalty_factor:uint32
//   royalty_base:uint32 ] ^[ marketplace:addr min_bid:Coins max_bid:Coins … ]
function readAuctionV4(data: Slice): AuctionState {
  skipProgress(data);
  const fees = sliceOf(data.loadRef());
  const marketFeeAddress = address.load(fees);
  const royaltyAddress = address.load(fees);
  const marketFeeFactor = fees.loadBigUint(32);
  const marketFeeBase = fees.loadBigUint(32);
  const royaltyFeeBase = fees.skip(32).loadBigUint(32);
  const constants = sliceOf(data.loadRef());
  address.load(constants);
  const bids = readBids(constants);
  return { marketFeeAddress, marketFeeFactor, marketFeeBase, royaltyAddress, royaltyFeeBase, ...bids };
}

function skipProgress(data: Slice): void {
  data.skip(2);
  address.load(data);
  data.loadCoins();
  data.skip(64);
  address.load(data);
  data.skip(64);
}
