import type { StoragePrices } from "../../model/config/prices.ts";
import type { StatusChange } from "../../model/phases.ts";
import { TvmError } from "../errors.ts";
import { roundUp } from "../machine/data/fees.ts";
import type { AccountData } from "./AccountData.ts";
import { type Draft, withCoins } from "./Draft.ts";

/** Collects what is due for storage; who owes too much is frozen or deleted. */
export function payStorage(draft: Draft): void {
  const { rules, account, now } = draft;
  if (now < account.lastPaid) throw new TvmError("tvm/undefined", `time ${now} is before the last payment`);
  const due = storageFee(rules.storage, account, now) + draft.duePayment;
  draft.lastPaid = account.isSpecial ? 0 : now;
  const collected = due < draft.balance.coins ? due : draft.balance.coins;
  const left = due - collected;
  draft.balance = withCoins(draft.balance, draft.balance.coins - collected);
  let statusChange: StatusChange = "unchanged";
  if (left > 0n && !account.isSpecial) {
    statusChange = punish(draft, left);
    if (rules.version >= 4) draft.duePayment = left;
  } else if (due > 0n && left === 0n && rules.version >= 7) {
    draft.duePayment = 0n;
  }
  draft.totalFees += collected;
  draft.storage = { feesCollected: collected, feesDue: left === 0n ? undefined : left, statusChange };
}

function punish(draft: Draft, due: bigint): StatusChange {
  const { rules, account, status } = draft;
  const { freezeDueLimit, deleteDueLimit } = account.isMasterchain ? rules.gas.masterchain : rules.gas.basechain;
  if (status === "active" && due > freezeDueLimit) {
    draft.status = "frozen";
    draft.wasFrozen = true;
    return "frozen";
  }
  // Extra currencies cannot be collected, so that an account that has some is kept.
  if (status !== "active" && due > deleteDueLimit && draft.balance.extra === undefined) {
    draft.status = "deleted";
    draft.wasDeleted = rules.version >= 13;
    return "deleted";
  }
  return "unchanged";
}

/** After a credit that came first, the message has no more to spend than the account has. */
export function limitMessageBalance(draft: Draft): void {
  const { messageBalance, balance } = draft;
  if (messageBalance !== undefined && messageBalance.coins > balance.coins)
    draft.messageBalance = withCoins(messageBalance, balance.coins);
}

/** What an account owes for the time since it paid last. */
function storageFee(prices: readonly StoragePrices[], account: AccountData, now: number): bigint {
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
