import { Type } from "typebox";
import type { BalanceChanges } from "../../../history/queries/balanceChanges.ts";
import { decimal, field, shape } from "../../../lib/kit/shape.ts";
import { type Address, formatRawAddress } from "../../../model/Address.ts";
import { mapOf, named } from "./scalars.ts";

/** A whole number as a JSON number, however large. */
export const wholeNumber = field({
  schema: Type.Integer(),
  encode: (value: bigint): number | bigint =>
    value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value,
});

const keyOf = (key: Address) => formatRawAddress(key);

/** Balance changes of accounts. */
export const balanceChangesShape = named(
  "BalanceChanges",
  shape<BalanceChanges>()({
    changes: mapOf(keyOf, wholeNumber)("Change of each account's coins, in nanocoins.", (c) => c.coins),
    fees: mapOf(keyOf, wholeNumber)("Fees, in nanocoins.", (c) => c.fees),
    jettons: mapOf(keyOf, mapOf(keyOf, decimal))("Changes of jetton balances, by master.", (c) => c.jettons),
  }),
);
