import type { Builder } from "../cell/Builder.ts";
import type { Cell } from "../cell/Cell.ts";
import { varUint } from "../cell/codec.ts";
import { Dictionary } from "../cell/dictionary.ts";
import { uintKey } from "../cell/keys.ts";

const currencyId = uintKey(32);
const amount = varUint(32);

/** Coins and the dictionary of extra currencies as its root, so that what nobody changes keeps its cells. */
export interface Money {
  readonly coins: bigint;
  readonly extra: Cell | undefined;
}

export const noMoney: Money = { coins: 0n, extra: undefined };

/** More currencies than fit into a message or an account: the reference reads at most 1024 cells of one collection. */
const maxCurrencies = 1024;

export function extraCurrencies(root: Cell | undefined): Dictionary<number, bigint> {
  return new Dictionary(root, currencyId, amount, maxCurrencies);
}

export function withCoins(money: Money, coins: bigint): Money {
  return { coins, extra: money.extra };
}

export function isZero(money: Money): boolean {
  return money.coins === 0n && money.extra === undefined;
}

export function addMoney(a: Money, b: Money): Money {
  return { coins: a.coins + b.coins, extra: addExtra(a.extra, b.extra) };
}

/** The sums of amounts of each currency. */
export function addExtra(a: Cell | undefined, b: Cell | undefined): Cell | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const before = extraCurrencies(a);
  const sums = extraCurrencies(b).entries();
  for (const entry of sums) entry[1] += before.find(entry[0]) ?? 0n;
  return before.changed(sums).root;
}

/** The difference, or `undefined` when there is too little of any currency. */
export function subtractMoney(a: Money, b: Money): Money | undefined {
  const extra = subtractExtra(a.extra, b.extra);
  return a.coins < b.coins || extra === "short" ? undefined : { coins: a.coins - b.coins, extra };
}

/** A currency of which nothing is left disappears. */
export function subtractExtra(a: Cell | undefined, b: Cell | undefined): Cell | undefined | "short" {
  if (b === undefined) return a;
  const before = extraCurrencies(a);
  const changes: [id: number, left: bigint | undefined][] = [];
  for (const [id, value] of extraCurrencies(b).entries()) {
    const had = before.find(id);
    if (had === undefined || had < value) return "short";
    changes.push([id, had === value ? undefined : had - value]);
  }
  return before.changed(changes).root;
}

/** At most what the other has, of each currency. */
export function clampMoney(money: Money, max: Money): Money {
  const extra = extraCurrencies(money.extra);
  const others = extraCurrencies(max.extra);
  const changes: [id: number, limit: bigint | undefined][] = [];
  extra.forEach((value, id) => {
    const limit = others.find(id) ?? 0n;
    if (value > limit) changes.push([id, limit === 0n ? undefined : limit]);
  });
  return { coins: money.coins < max.coins ? money.coins : max.coins, extra: extra.changed(changes).root };
}

/** The currencies with an amount above zero; `undefined` when more than `max` are named, zeros included. */
export function findPositiveExtra(
  root: Cell | undefined,
  max: number,
): { readonly extra: Cell | undefined } | undefined {
  if (root === undefined) return { extra: undefined };
  const entries = extraCurrencies(root).entries({ limit: max + 1 });
  if (entries.length > max) return undefined;
  let extra = extraCurrencies(root);
  for (const [id, value] of entries) if (value === 0n) extra = extra.delete(id);
  return { extra: extra.root };
}

export function storeMoney(builder: Builder, money: Money): Builder {
  return builder.storeCoins(money.coins).storeMaybeRef(money.extra);
}
