import type { MsgForwardPrices, StoragePrices } from "../../model/config/prices.ts";
import type { AccountData } from "./AccountData.ts";

/** A product with a price in 2^-16 nanocoins, rounded up. */
function roundUp(value: bigint): bigint {
  return (value + 0xffffn) >> 16n;
}

/** What a message of this size costs; the root's own bits are in the lump price. */
export function forwardFee(prices: MsgForwardPrices, cells: number, bits: number): bigint {
  return prices.lumpPrice + roundUp(prices.bitPrice * BigInt(bits) + prices.cellPrice * BigInt(cells));
}

/** The part of a message's fee that stays with the block that sends it. */
export function firstPart(prices: MsgForwardPrices, fee: bigint): bigint {
  return (fee * BigInt(prices.firstFrac)) >> 16n;
}

/** What an account owes for the time since it paid last. */
export function storageFee(prices: readonly StoragePrices[], account: AccountData, now: number): bigint {
  const { lastPaid, isSpecial } = account;
  const [oldest] = prices;
  if (now <= lastPaid || lastPaid === 0 || isSpecial || oldest === undefined || now <= oldest.sinceAt) return 0n;
  let total = 0n;
  for (const [i, price] of prices.entries()) {
    const from = Math.max(lastPaid, price.sinceAt);
    const until = Math.min(now, prices[i + 1]?.sinceAt ?? now);
    if (from < until) total += perSecond(price, account) * BigInt(until - from);
  }
  return roundUp(total);
}

function perSecond(price: StoragePrices, { isMasterchain, usedCells, usedBits }: AccountData): bigint {
  const [cell, bit] = isMasterchain ? [price.mcCellPrice, price.mcBitPrice] : [price.cellPrice, price.bitPrice];
  return cell * BigInt(usedCells) + bit * BigInt(usedBits);
}
