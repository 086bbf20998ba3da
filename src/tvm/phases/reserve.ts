import type { Slice } from "../../cell/Slice.ts";
import { addMoney, clampMoney, type Money, subtractExtra, subtractMoney, withCoins } from "../../model/Money.ts";
import { cellBudget, follows, skipStrictCurrencies } from "../../model/strict/schemes.ts";
import type { Actions, Draft } from "./Draft.ts";
import { ResultCode } from "./Draft.ts";

const { invalid, noFunds, noExtraFunds } = ResultCode;

/** Bits of the mode. */
const allBut = 1;
const atMost = 2;
const withOriginal = 4;
const negated = 8;

/** Puts money aside: 0, or the result code with which the phase fails. */
export function reserve(draft: Draft, actions: Actions, mode: number, currency: Slice): number {
  if (mode > 15 || (mode & (withOriginal | negated)) === negated) return invalid;
  if (!follows(() => skipStrictCurrencies(currency.clone(), cellBudget()))) return invalid;
  const slice = currency.clone();
  const money: Money = { coins: slice.loadCoins(), extra: slice.loadMaybeRef() };
  if (draft.rules.version >= 10 && money.extra !== undefined) return invalid;
  const wanted = findReserve(draft, mode, money);
  return wanted === undefined ? invalid : putAside(draft, actions, mode, limited(draft, actions, mode, wanted));
}

function findReserve({ rules, originalBalance }: Draft, mode: number, money: Money): Money | undefined {
  if ((mode & withOriginal) === 0) return money;
  if (originalBalance === undefined) return undefined;
  const isNew = rules.version >= 10;
  if ((mode & negated) === 0)
    return isNew ? withCoins(money, money.coins + originalBalance.coins) : addMoney(money, originalBalance);
  if (!isNew) return subtractMoney(originalBalance, money);
  const coins = originalBalance.coins - money.coins;
  return coins < 0n ? undefined : withCoins(money, coins);
}

function limited({ rules }: Draft, { remaining }: Actions, mode: number, money: Money): Money {
  if ((mode & atMost) === 0) return money;
  if (rules.version >= 9) return clampMoney(money, remaining);
  return money.coins < remaining.coins ? money : withCoins(money, remaining.coins);
}

function putAside({ rules }: Draft, actions: Actions, mode: number, money: Money): number {
  const { remaining } = actions;
  if (money.coins > remaining.coins) return noFunds;
  const extra = subtractExtra(remaining.extra, money.extra);
  if (extra === "short") return noExtraFunds;
  const left: Money = { coins: remaining.coins - money.coins, extra };
  const swapped =
    rules.version >= 10
      ? ([withCoins(left, money.coins), withCoins(money, left.coins)] as const)
      : ([money, left] as const);
  const [kept, aside] = (mode & allBut) === 0 ? [left, money] : swapped;
  actions.remaining = kept;
  actions.reserved = addMoney(actions.reserved, aside);
  actions.specialActions++;
  return 0;
}
