import { storeCell } from "../../../../src/cell/codec.ts";
import { LocalnetError } from "../../../../src/localnet/errors.ts";
import { CurrencyCollection } from "../../../../src/model/Currency.ts";

/** Throws with the rule that the block breaks. */
export function rejectBlock(rule: string): never {
  throw new LocalnetError("localnet/block", rule);
}

export function sameCurrency(a: CurrencyCollection, b: CurrencyCollection): boolean {
  if (a.coins !== b.coins) return false;
  if (a.extra.isEmpty && b.extra.isEmpty) return true;
  return storeCell(CurrencyCollection, a).hash() === storeCell(CurrencyCollection, b).hash();
}
