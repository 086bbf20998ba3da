import { struct, tagged, uint16, uint32, uint64, type ValueOf } from "../../cell/codec.ts";
import { inlineDictionary } from "../../cell/dictionary.ts";
import { uintKey } from "../../cell/keys.ts";
import { Coins } from "../Currency.ts";

// _#cc utime_since:uint32 bit_price_ps:uint64 cell_price_ps:uint64
//   mc_bit_price_ps:uint64 mc_cell_price_ps:uint64 = StoragePrices;
export const StoragePrices = tagged("#cc", {
  sinceAt: uint32,
  bitPrice: uint64,
  cellPrice: uint64,
  mcBitPrice: uint64,
  mcCellPrice: uint64,
});
export type StoragePrices = ValueOf<typeof StoragePrices>;

// _ (Hashmap 32 StoragePrices) = ConfigParam 18;
/** By number, oldest first. */
export const StoragePriceList = inlineDictionary(uintKey(32), StoragePrices);

// msg_forward_prices#ea lump_price:uint64 bit_price:uint64 cell_price:uint64
//   ihr_price_factor:uint32 first_frac:uint16 next_frac:uint16 = MsgForwardPrices;
export const MsgForwardPrices = tagged("#ea", {
  lumpPrice: uint64,
  bitPrice: uint64,
  cellPrice: uint64,
  ihrPriceFactor: uint32,
  firstFrac: uint16,
  nextFrac: uint16,
});
export type MsgForwardPrices = ValueOf<typeof MsgForwardPrices>;

// _ mint_new_price:Grams mint_add_price:Grams = ConfigParam 6;
export const MintPrices = struct({ mintNewPrice: Coins, mintAddPrice: Coins });

// complaint_prices#1a deposit:Grams bit_price:Grams cell_price:Grams = ComplaintPricing;
export const ComplaintPricing = tagged("#1a", { deposit: Coins, bitPrice: Coins, cellPrice: Coins });

// block_grams_created#6b masterchain_block_fee:Grams basechain_block_fee:Grams = BlockCreateFees;
export const BlockCreateFees = tagged("#6b", { masterchainBlockFee: Coins, basechainBlockFee: Coins });
