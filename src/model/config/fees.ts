import type { GasPrices } from "./GasLimitsPrices.ts";
import type { MsgForwardPrices, StoragePrices } from "./prices.ts";

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

/** A state in storage: its size, and when its account paid last. */
interface StateInStorage {
  readonly cells: number;
  readonly bits: number;
  readonly lastPaid: number;
  readonly isMasterchain: boolean;
}

/** What an account owes for the time since it paid last; prices are oldest first. One that never pays owes nothing. */
export function storageFee(prices: readonly StoragePrices[], state: StateInStorage, now: number): bigint {
  const { cells, bits, lastPaid, isMasterchain } = state;
  if (lastPaid === 0) return 0n;
  let total = 0n;
  for (const [i, price] of prices.entries()) {
    const from = Math.max(lastPaid, price.sinceAt);
    const until = Math.min(now, prices[i + 1]?.sinceAt ?? now);
    const [cell, bit] = isMasterchain ? [price.mcCellPrice, price.mcBitPrice] : [price.cellPrice, price.bitPrice];
    if (from < until) total += (cell * BigInt(cells) + bit * BigInt(bits)) * BigInt(until - from);
  }
  return roundUp(total);
}
