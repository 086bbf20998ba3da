import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { storeCell } from "../../src/cell/codec.ts";
import {
  addCurrency,
  Coins,
  CurrencyCollection,
  coinsOnly,
  currencySum,
  ExtraCurrencies,
  noCurrency,
  subtractCurrency,
} from "../../src/model/Currency.ts";
import { itHoldsForRandom, plainValue } from "../kit/cell/checkCodec.ts";
import { anyCurrency, anyExtra } from "../kit/model/messageValues.ts";
import { anyBig, anyCoins } from "../kit/model/modelValues.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

/** Nonzero amounts, small enough that sums fit. */
const anyAmounts = anyCurrency.map(({ coins, extra }) => {
  let extraCurrencies = noCurrency.extra;
  for (const [id, amount] of extra.entries()) extraCurrencies = extraCurrencies.set(id, (amount >> 8n) + 1n);
  return { coins: coins >> 8n, extra: extraCurrencies };
});

describe("amounts", () => {
  itHoldsForRandom("Coins", Coins, anyCoins);
  itHoldsForRandom("ExtraCurrencies", ExtraCurrencies, anyExtra);
  itHoldsForRandom("CurrencyCollection", CurrencyCollection, anyCurrency);

  it("are added and subtracted", () => {
    fc.assert(
      fc.property(anyAmounts, anyAmounts, (a, b) => {
        const sum = addCurrency(a, b);
        expect(plainValue(subtractCurrency(sum, b))).toEqual(plainValue(a));
        expect(plainValue(addCurrency(b, a))).toEqual(plainValue(sum));
        expect(plainValue(addCurrency(a, noCurrency))).toEqual(plainValue(a));
      }),
    );
  });

  it("that become zero disappear", () => {
    const some = { coins: 5n, extra: noCurrency.extra.set(7, 3n) };
    expect(plainValue(subtractCurrency(some, some))).toEqual(plainValue(noCurrency));
  });

  it("never become negative", () => {
    const extra = { coins: 0n, extra: noCurrency.extra.set(7, 3n) };
    expect(refusalCode(() => subtractCurrency(coinsOnly(1n), coinsOnly(2n)))).toBe("model/value");
    expect(refusalCode(() => subtractCurrency(coinsOnly(1n), extra))).toBe("model/value");
  });

  it("of more than fifteen bytes do not fit", () => {
    expect(refusalCode(() => storeCell(Coins, 1n << 120n))).toBe("cell/range");
    expect(refusalCode(() => storeCell(Coins, -1n))).toBe("cell/range");
  });

  it("are summed at the nodes of dictionaries", () => {
    fc.assert(
      fc.property(anyBig(64), anyBig(64), (a, b) => {
        expect(currencySum.combine(coinsOnly(a), coinsOnly(b)).coins).toBe(a + b);
      }),
    );
    expect(currencySum.empty).toBe(noCurrency);
  });
});
