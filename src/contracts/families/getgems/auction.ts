import type { Address } from "../../../model/Address.ts";
import { entity } from "../../kit/entity.ts";
import { getMethod } from "../../kit/getMethod.ts";
import { addressOrNone, flag, notThis, num, stack, stackAddress, stackInt } from "../../kit/stack.ts";
import { soldItem } from "./sale.ts";

/** An auction of an item. */
export interface NftAuction {
  readonly kind: "nftAuction";
  /** Which get-method it has: that of all auctions up to version 3, or that of version 4. */
  readonly version: "auction" | "v4";
  readonly isEnded: boolean;
  readonly endAt: number;
  readonly marketplace: Address;
  readonly nft: Address;
  readonly nftOwner: Address | undefined;
  readonly lastBid: bigint;
  readonly lastMember: Address | undefined;
  readonly minStep: bigint;
  readonly marketplaceFeeAddress: Address;
  readonly marketplaceFeeFactor: bigint;
  readonly marketplaceFeeBase: bigint;
  readonly royaltyFeeAddress: Address;
  readonly royaltyFeeFactor: bigint;
  readonly royaltyFeeBase: bigint;
  readonly maxBid: bigint;
  readonly minBid: bigint;
  readonly createdAt: number;
  readonly lastBidAt: number;
  readonly isCanceled: boolean;
  /** Version 4 only, like those below. */
  readonly isActivated: boolean | undefined;
  readonly stepTime: number | undefined;
  readonly lastQueryId: bigint | undefined;
  readonly jettonWallet: Address | undefined;
  readonly jettonMaster: Address | undefined;
  readonly isBrokenState: boolean | undefined;
  readonly publicKey: bigint | undefined;
}

const terms = {
  isEnded: flag,
  endAt: num,
  ...soldItem,
  lastBid: stackInt,
  lastMember: addressOrNone,
  minStep: stackInt,
  marketplaceFeeAddress: stackAddress,
  marketplaceFeeFactor: stackInt,
  marketplaceFeeBase: stackInt,
  royaltyFeeAddress: stackAddress,
  royaltyFeeFactor: stackInt,
  royaltyFeeBase: stackInt,
  maxBid: stackInt,
  minBid: stackInt,
  createdAt: num,
  lastBidAt: num,
  isCanceled: flag,
};

/** "AUC" */
const auctionMark = 0x415543n;
export const getAuctionData = getMethod("get_sale_data", stack({ mark: stackInt, ...terms }));
export const getAuctionDataV4 = getMethod(
  "get_auction_data_v4",
  stack({
    isActivated: flag,
    ...terms,
    stepTime: num,
    lastQueryId: stackInt,
    jettonWallet: addressOrNone,
    jettonMaster: addressOrNone,
    isBrokenState: flag,
    publicKey: stackInt,
  }),
);

const onlyOfV4 = {
  isActivated: undefined,
  stepTime: undefined,
  lastQueryId: undefined,
  jettonWallet: undefined,
  jettonMaster: undefined,
  isBrokenState: undefined,
  publicKey: undefined,
};

export const auction = entity({
  methods: ["get_sale_data"],
  run: (asking) => asking.own(getAuctionData.name, getAuctionData.result),
  confirm: ({ mark, ...found }): NftAuction => {
    if (mark !== auctionMark) throw notThis("another kind of sale");
    return { kind: "nftAuction", version: "auction", ...found, ...onlyOfV4 };
  },
});

export const auctionV4 = entity({
  methods: ["get_auction_data_v4"],
  run: (asking) => asking.own(getAuctionDataV4.name, getAuctionDataV4.result),
  confirm: (found): NftAuction => ({ kind: "nftAuction", version: "v4", ...found }),
});
