import type { Cell } from "../../cell/Cell.ts";
import type { StorageInfo } from "../../model/Account.ts";
import { CellCounter } from "../../model/CellCounter.ts";
import type { Config } from "../../model/config/ConfigParams.ts";
import { forwardFee, storageFee } from "../../model/config/fees.ts";
import { MsgForwardPrices, StoragePriceList } from "../../model/config/prices.ts";
import { getParam } from "../../model/config/readConfig.ts";

/** Counts distinct cells and their bits, including all cells below. */
export function countCells(roots: readonly Cell[]): Pick<CellCounter, "cells" | "bits"> {
  const counter = new CellCounter();
  for (const root of roots) counter.add(root);
  return counter;
}

/** The forward fee of a message with these cells below the root. */
export function forwardPrice(
  config: Config,
  isMaster: boolean,
  { cells, bits }: ReturnType<typeof countCells>,
): bigint {
  return forwardFee(getParam(config, isMaster ? 24 : 25, MsgForwardPrices), cells, bits);
}

/** The storage fee of the account since the last payment, price by price. */
export function storagePrice(
  config: Config,
  isMasterchain: boolean,
  storage: StorageInfo | undefined,
  nowAt: number,
): bigint {
  if (storage === undefined) return 0n;
  const { lastPaid, used } = storage;
  return storageFee(getParam(config, 18, StoragePriceList).values(), { ...used, lastPaid, isMasterchain }, nowAt);
}
