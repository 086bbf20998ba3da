import type { Cell } from "../../cell/Cell.ts";
import type { Hash } from "../../cell/Hash.ts";
import type { StorageInfo } from "../../model/Account.ts";
import { type Config, getConfigParam } from "../../model/config/ConfigParams.ts";

/** Forward and storage prices. */
export interface CellCount {
  readonly cells: bigint;
  readonly bits: bigint;
}

/** Counts distinct cells and their bits, including all cells below. */
export function countCells(roots: readonly Cell[]): CellCount {
  const seen = new Set<Hash>();
  const stack = [...roots];
  let bits = 0;
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (seen.has(next.hash())) continue;
    seen.add(next.hash());
    bits += next.bitLength;
    stack.push(...next.refs());
  }
  return { cells: BigInt(seen.size), bits: BigInt(bits) };
}

/** Prices are per 2^16 units, rounded up. */
function roundUp(price: bigint): bigint {
  return (price + 0xffffn) >> 16n;
}

/** The forward fee of a message with these cells below the root. */
export function forwardPrice(config: Config, isMaster: boolean, { cells, bits }: CellCount): bigint {
  const { lumpPrice, bitPrice, cellPrice } = getConfigParam(config, isMaster ? 24 : 25);
  return lumpPrice + roundUp(bits * bitPrice + cells * cellPrice);
}

/** The storage fee of the account since the last payment, price by price. */
export function storagePrice(
  config: Config,
  isMaster: boolean,
  storage: StorageInfo | undefined,
  nowAt: number,
): bigint {
  if (storage === undefined || storage.lastPaid === 0) return 0n;
  const [cells, bits] = [BigInt(storage.used.cells), BigInt(storage.used.bits)];
  const prices = getConfigParam(config, 18).values();
  let until = nowAt;
  let total = 0n;
  for (const { sinceAt, bitPrice, cellPrice, mcBitPrice, mcCellPrice } of prices.toReversed()) {
    const from = Math.max(sinceAt, storage.lastPaid);
    if (from >= until) continue;
    const perSecond = isMaster ? bits * mcBitPrice + cells * mcCellPrice : bits * bitPrice + cells * cellPrice;
    total += perSecond * BigInt(until - from);
    until = from;
  }
  return roundUp(total);
}
