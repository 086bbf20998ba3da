import type { Cell } from "../../../cell/Cell.ts";
import type { Codec } from "../../../cell/codec.ts";
import { Dictionary } from "../../../cell/dictionary.ts";
import { hashKey } from "../../../cell/keys.ts";
import type { Address } from "../../../model/Address.ts";
import type { Hash } from "../../../model/Hash.ts";
import { entity } from "../../kit/entity.ts";
import { getMethod } from "../../kit/getMethod.ts";
import {
  addressOrNone,
  cell,
  flag,
  listBounded,
  notThis,
  num,
  orNull,
  stack,
  stackAddress,
  stackInt,
} from "../../kit/stack.ts";

/** A sale at a fixed price. */
export interface NftSale {
  readonly kind: "nftSale";
  /** Which get-method it has: that of all sales up to version 3, or that of version 4. */
  readonly version: "fixPrice" | "v4";
  readonly isComplete: boolean;
  readonly createdAt: number;
  readonly marketplace: Address;
  readonly nft: Address;
  readonly nftOwner: Address | undefined;
  readonly fullPrice: bigint;
  readonly marketplaceFeeAddress: Address;
  /** Nanocoins; in version 4 a share in 1/100000. */
  readonly marketplaceFee: bigint;
  readonly royaltyAddress: Address;
  /** As the fee. */
  readonly royaltyAmount: bigint;
  /** Version 4 only, like those below. */
  readonly soldAt: number | undefined;
  readonly soldQueryId: bigint | undefined;
  readonly jettonPrices: readonly JettonPrice[] | undefined;
}

/** The price of an item in a jetton. */
export interface JettonPrice {
  /** The account of the jetton, the key in the sale's dictionary. */
  readonly key: Hash;
  readonly price: bigint;
}

/** The item in the data of a sale or an auction. */
export const soldItem = { marketplace: stackAddress, nft: stackAddress, nftOwner: addressOrNone };

const terms = {
  isComplete: flag,
  createdAt: num,
  ...soldItem,
  fullPrice: stackInt,
  marketplaceFeeAddress: stackAddress,
  marketplaceFee: stackInt,
  royaltyAddress: stackAddress,
  royaltyAmount: stackInt,
};

/** "FIXP" */
const fixPriceMark = 0x46495850n;
export const getSaleData = getMethod("get_sale_data", stack({ mark: stackInt, ...terms }));
export const getFixPriceDataV4 = getMethod(
  "get_fix_price_data_v4",
  stack({ ...terms, soldAt: num, soldQueryId: stackInt, jettonPrices: orNull(cell) }),
);

export const fixPriceSale = entity({
  methods: ["get_sale_data"],
  run: (asking) => asking.own(getSaleData.name, getSaleData.result),
  confirm: ({ mark, ...sale }): NftSale => {
    if (mark !== fixPriceMark) throw notThis("another kind of sale");
    const later = { soldAt: undefined, soldQueryId: undefined, jettonPrices: undefined };
    return { kind: "nftSale", version: "fixPrice", ...sale, ...later };
  },
});

// price:Coins …
const price: Codec<bigint> = {
  load: (slice) => {
    const coins = slice.loadCoins();
    slice.skip(slice.remainingBits).skipRefs(slice.remainingRefs);
    return coins;
  },
  store: (builder, value) => void builder.storeCoins(value),
};

function readPrices(root: Cell | undefined): readonly JettonPrice[] {
  return listBounded(new Dictionary(root, hashKey, price)).map(([key, value]) => ({ key, price: value }));
}

export const saleV4 = entity({
  methods: ["get_fix_price_data_v4"],
  run: (asking) => asking.own(getFixPriceDataV4.name, getFixPriceDataV4.result),
  confirm: ({ jettonPrices, ...sale }): NftSale => ({
    kind: "nftSale",
    version: "v4",
    ...sale,
    jettonPrices: readPrices(jettonPrices),
  }),
});
