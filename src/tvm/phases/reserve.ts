import type { Slice } from "../../cell/Slice.ts";
import { addMoney, clampMoney, type Money, subtractExtra, subtractMoney, withCoins } from "../../model/Money.ts";
import { cellBudget, follows, skipStrictCurrencies } from "../../model/strict/schemes.ts";
import type { Actions, Draft } from "./Draft.ts";
import { ResultCode } from "./resultCodes.ts";

const { invalid, noFunds, noExtraFunds } = ResultCode;

/** Bits of the mode. */
const allBut = 1;
const atMost = 2;
const withOriginal = 4;
const negated = 8;

/** Puts money aside: 0, or the result code with which the phase fails. */
export function reserve(draft: Draft, actions: Actions, givenMode: number, currency: Slice): number {
  const { version } = draft.rules;
  const mode = actions.takeBounceMode(givenMode, version);
  if (mode > 15 || (mode & (withOriginal | negated)) === negated) return invalid;
  if (!follows(() => skipStrictCurrencies(currency.clone(), cellBudget()))) return invalid;
  const slice = currency.clone();
  const asked: Money = { coins: slice.loadCoins(), extra: slice.loadMaybeRef() };
  if (version >= 10 && asked.extra !== undefined) return invalid;
  const wanted = findWanted(draft, mode, asked);
  return wanted === undefined ? invalid : putAside(draft, actions, mode, limited(draft, actions, mode, wanted));
}

function findWanted({ rules, originalBalance }: Draft, mode: number, asked: Money): Money | undefined {
  if ((mode & withOriginal) === 0) return asked;
  if (originalBalance === undefined) return undefined;
  const isNew = rules.version >= 10;
  if ((mode & negated) === 0)
    return isNew ? withCoins(asked, asked.coins + originalBalance.coins) : addMoney(asked, originalBalance);
  if (!isNew) return subtractMoney(originalBalance, asked);
  const coins = originalBalance.coins - asked.coins;
  return coins < 0n ? undefined : withCoins(asked, coins);
}

function limited({ rules }: Draft, { remaining }: Actions, mode: number, wanted: Money): Money {
  if ((mode & atMost) === 0) return wanted;
  if (rules.version >= 9) return clampMoney(wanted, remaining);
  return wanted.coins < remaining.coins ? wanted : withCoins(wanted, remaining.coins);
}

function putAside({ rules }: Draft, actions: Actions, mode: number, wanted: Money): number {
  const { remaining } = actions;
  if (wanted.coins > remaining.coins) return noFunds;
  const extra = subtractExtra(remaining.extra, wanted.extra);
  if (extra === "short") return noExtraFunds;
  const left: Money = { coins: remaining.coins - wanted.coins, extra };
  const swapped =
    rules.version >= 10
      ? ([withCoins(left, wanted.coins), withCoins(wanted, left.coins)] as const)
      : ([wanted, left] as const);
  const [kept, aside] = (mode & allBut) === 0 ? [left, wanted] : swapped;
  actions.remaining = kept;
  actions.reserved = addMoney(actions.reserved, aside);
  actions.specialActions++;
  return 0;
}
