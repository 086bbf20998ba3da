import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addExtra,
  addMoney,
  clampMoney,
  extraCurrencies,
  findPositiveExtra,
  type Money,
  subtractExtra,
  subtractMoney,
} from "../../src/model/Money.ts";

function money(coins: bigint, extra: Readonly<Record<number, bigint>> = {}): Money {
  let dictionary = extraCurrencies(undefined);
  for (const [id, amount] of Object.entries(extra)) dictionary = dictionary.set(Number(id), amount);
  return { coins, extra: dictionary.root };
}

function plain(value: Money | undefined) {
  return value === undefined ? undefined : [value.coins, extraCurrencies(value.extra).entries()];
}

describe("money", () => {
  it("adds each currency", () => {
    expect(plain(addMoney(money(1n, { 7: 5n }), money(2n, { 7: 1n, 9: 4n })))).toEqual([
      3n,
      [
        [7, 6n],
        [9, 4n],
      ],
    ]);
  });

  it("subtracts, and a currency without a rest disappears", () => {
    expect(plain(subtractMoney(money(5n, { 7: 5n, 9: 1n }), money(2n, { 7: 5n })))).toEqual([3n, [[9, 1n]]]);
  });

  it("returns no difference if the amount is too small", () => {
    expect(subtractMoney(money(1n), money(2n))).toBeUndefined();
    expect(subtractExtra(money(0n, { 7: 1n }).extra, money(0n, { 7: 2n }).extra)).toBe("short");
    expect(subtractExtra(undefined, money(0n, { 7: 2n }).extra)).toBe("short");
  });

  it("takes at most the available amount of each currency", () => {
    expect(plain(clampMoney(money(9n, { 7: 5n, 8: 1n }), money(4n, { 7: 3n })))).toEqual([4n, [[7, 3n]]]);
  });

  it("counts currencies of zero against the limit and then drops them", () => {
    const { extra } = money(0n, { 1: 0n, 2: 3n });
    expect(extraCurrencies(findPositiveExtra(extra, 2)?.extra).entries()).toEqual([[2, 3n]]);
    expect(findPositiveExtra(extra, 1)).toBeUndefined();
  });

  it("changes many currencies as if one after the other", () => {
    const amounts = fc.dictionary(fc.integer({ min: 0, max: 20 }).map(String), fc.bigInt({ min: 1n, max: 4n }), {
      maxKeys: 20,
    });
    fc.assert(
      fc.property(amounts, amounts, (a, b) => {
        const [from, other] = [money(0n, a), money(0n, b)];
        const ids = Object.keys(b);
        const added = Object.keys({ ...a, ...b }).map((id) => [id, (a[id] ?? 0n) + (b[id] ?? 0n)] as const);
        expect(addExtra(from.extra, other.extra)?.hash()).toBe(money(0n, Object.fromEntries(added)).extra?.hash());
        const rest = Object.entries(a).map(([id, value]) => [id, value - (b[id] ?? 0n)] as const);
        const isShort = ids.some((id) => (a[id] ?? 0n) < (b[id] ?? 0n));
        const left = money(0n, Object.fromEntries(rest.filter(([, value]) => value !== 0n && !isShort))).extra;
        const difference = subtractExtra(from.extra, other.extra);
        expect(typeof difference === "string" ? difference : difference?.hash()).toBe(isShort ? "short" : left?.hash());
        const both = Object.entries(a).map(
          ([id, value]) => [id, value < (b[id] ?? 0n) ? value : (b[id] ?? 0n)] as const,
        );
        const clamped = money(0n, Object.fromEntries(both.filter(([, value]) => value !== 0n))).extra;
        expect(clampMoney(from, other).extra?.hash()).toBe(clamped?.hash());
      }),
    );
  });
});
