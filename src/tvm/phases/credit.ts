import { TvmError } from "../errors.ts";
import type { Draft } from "./Draft.ts";
import { addMoney, extraCurrencies } from "./Money.ts";

/** Adds the message's value to the balance. Debts are collected for storage only. */
export function credit(draft: Draft): void {
  const { messageBalance } = draft;
  if (messageBalance === undefined) throw new TvmError("tvm/input", "no message whose value could be credited");
  draft.balance = addMoney(draft.balance, messageBalance);
  const credited = { coins: messageBalance.coins, extra: extraCurrencies(messageBalance.extra) };
  draft.credit = { dueFeesCollected: undefined, credit: credited };
}
