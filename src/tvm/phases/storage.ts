import { storageFee } from "../../model/config/fees.ts";
import { addMoney, extraCurrencies, withCoins } from "../../model/Money.ts";
import type { StatusChange } from "../../model/phases.ts";
import { TvmError } from "../errors.ts";
import type { Draft } from "./Draft.ts";

/** Collects what is due for storage; who owes too much is frozen or deleted. */
export function payStorage(draft: Draft): void {
  const { rules, account, now } = draft;
  if (now < account.lastPaid) throw new TvmError("tvm/undefined", `time ${now} is before the last payment`);
  const { usedCells: cells, usedBits: bits, lastPaid, isMasterchain } = account;
  const fee = account.isSpecial ? 0n : storageFee(rules.storage, { cells, bits, lastPaid, isMasterchain }, now);
  const due = fee + draft.duePayment;
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

/** Adds the message's value to the balance. Debts are collected for storage only. */
export function credit(draft: Draft): void {
  const { messageBalance } = draft;
  if (messageBalance === undefined) throw new TvmError("tvm/input", "no message whose value could be credited");
  draft.balance = addMoney(draft.balance, messageBalance);
  const credited = { coins: messageBalance.coins, extra: extraCurrencies(messageBalance.extra) };
  draft.credit = { dueFeesCollected: undefined, credit: credited };
}
