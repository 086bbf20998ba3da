import type { GasPrices } from "../../../model/config/GasLimitsPrices.ts";
import type { MsgForwardPrices } from "../../../model/config/prices.ts";

/** A product with a price in 2^-16 nanocoins, rounded up. */
export function roundUp(value: bigint): bigint {
  return (value + 0xffffn) >> 16n;
}

export function gasFee({ flatGasLimit, flatGasPrice, gasPrice }: GasPrices, gas: bigint): bigint {
  return gas <= flatGasLimit ? flatGasPrice : flatGasPrice + roundUp(gasPrice * (gas - flatGasLimit));
}

/** What the cells below the root of a message cost; the root itself is in the lump price. */
export function sizeFee(prices: MsgForwardPrices, cells: bigint | number, bits: bigint | number): bigint {
  return roundUp(prices.bitPrice * BigInt(bits) + prices.cellPrice * BigInt(cells));
}

export function forwardFee(prices: MsgForwardPrices, cells: bigint | number, bits: bigint | number): bigint {
  return prices.lumpPrice + sizeFee(prices, cells, bits);
}

/** The part of a message's fee that stays with the block that sends it. */
export function firstPart(prices: MsgForwardPrices, fee: bigint): bigint {
  return (fee * BigInt(prices.firstFrac)) >> 16n;
}
