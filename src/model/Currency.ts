import type { Augmentation } from "../cell/augmentedDictionary.ts";
import { type Codec, struct, type ValueOf } from "../cell/codec.ts";
import type { Dictionary } from "../cell/dictionary.ts";
import { ModelError } from "./errors.ts";
import { addExtra, extraCurrencies } from "./Money.ts";

/** Amounts of other currencies by their number. */
export type ExtraCurrencies = Dictionary<number, bigint>;

const noExtra: ExtraCurrencies = extraCurrencies(undefined);

// extra_currencies$_ dict:(HashmapE 32 (VarUInteger 32)) = ExtraCurrencyCollection;
export const ExtraCurrencies: Codec<ExtraCurrencies> = {
  load: (slice) => (slice.loadBit() ? extraCurrencies(slice.loadRef()) : noExtra),
  store: (builder, value) => void builder.storeMaybeRef(value.root),
};

// nanograms$_ amount:(VarUInteger 16) = Grams;
export const Coins: Codec<bigint> = {
  load: (slice) => slice.loadCoins(),
  store: (builder, value) => void builder.storeCoins(value),
};

// currencies$_ grams:Grams other:ExtraCurrencyCollection = CurrencyCollection;
export const CurrencyCollection = struct({ coins: Coins, extra: ExtraCurrencies }, (f, s) => ({
  coins: f.coins.load(s),
  extra: f.extra.load(s),
}));
export type CurrencyCollection = ValueOf<typeof CurrencyCollection>;

export const noCurrency: CurrencyCollection = { coins: 0n, extra: noExtra };

export function coinsOnly(coins: bigint): CurrencyCollection {
  return { coins, extra: noExtra };
}

export function addCurrency(a: CurrencyCollection, b: CurrencyCollection): CurrencyCollection {
  const coins = a.coins + b.coins;
  if (a.extra.isEmpty && b.extra.isEmpty) return { coins, extra: noExtra };
  return { coins, extra: extraCurrencies(addExtra(a.extra.root, b.extra.root)) };
}

/** Throws when an amount would become negative; amounts that become zero disappear. */
export function subtractCurrency(a: CurrencyCollection, b: CurrencyCollection): CurrencyCollection {
  let extra = a.extra;
  b.extra.forEach((value, id) => {
    const left = (extra.find(id) ?? 0n) - value;
    if (left < 0n) throw new ModelError("model/value", `currency ${id} would become ${left}`);
    extra = left === 0n ? extra.delete(id) : extra.set(id, left);
  });
  const coins = a.coins - b.coins;
  if (coins < 0n) throw new ModelError("model/value", `an amount would become ${coins}`);
  return { coins, extra };
}

/** A total of which one part has changed. Other currencies are looked at only if that part has changed there. */
export function exchangeCurrency(
  total: CurrencyCollection,
  before: CurrencyCollection,
  after: CurrencyCollection,
): CurrencyCollection {
  if (before.extra.root?.hash() !== after.extra.root?.hash())
    return addCurrency(subtractCurrency(total, before), after);
  return { coins: total.coins - before.coins + after.coins, extra: total.extra };
}

/** Sums of money at every node of a dictionary. */
export const currencySum: Augmentation<CurrencyCollection> = {
  codec: CurrencyCollection,
  empty: noCurrency,
  combine: addCurrency,
};
