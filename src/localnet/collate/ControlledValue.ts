import type { ShardAccount } from "../../model/Account.ts";
import { addCurrency, type CurrencyCollection, noCurrency } from "../../model/Currency.ts";

/** The coins of a block that its network's owner created and destroyed by controls. */
export class ControlledValue {
  #minted = noCurrency;
  #burned = noCurrency;

  get minted(): CurrencyCollection {
    return this.#minted;
  }

  get burned(): CurrencyCollection {
    return this.#burned;
  }

  /** Counts the change of a balance. */
  add(before: CurrencyCollection, after: CurrencyCollection): void {
    this.#minted = addCurrency(this.#minted, excess(after, before));
    this.#burned = addCurrency(this.#burned, excess(before, after));
  }
}

/** By how much the first is more than the second, of each currency. */
function excess(a: CurrencyCollection, b: CurrencyCollection): CurrencyCollection {
  let { extra } = noCurrency;
  a.extra.forEach((amount, id) => {
    const more = amount - (b.extra.find(id) ?? 0n);
    if (more > 0n) extra = extra.set(id, more);
  });
  return { coins: a.coins > b.coins ? a.coins - b.coins : 0n, extra };
}

/** The balance of an account; nothing if there is none. */
export function balanceOf({ account }: ShardAccount): CurrencyCollection {
  const state = account.load();
  return state.kind === "account" ? state.storage.balance : noCurrency;
}
