import { Type } from "typebox";
import type { AccountNow } from "../../../chain/accounts.ts";
import { decimal, field } from "../../../lib/kit/shape.ts";

const stateWords = ["uninitialized", "active", "frozen"] as const;

function wordOf({ content }: AccountNow): (typeof stateWords)[number] {
  if (content.kind === "frozen") return "frozen";
  return content.kind === "active" && content.code !== undefined ? "active" : "uninitialized";
}

/** Frozen, active, or neither. */
export const stateWord = field({
  schema: Type.Union(stateWords.map((word) => Type.Literal(word))),
  encode: wordOf,
});

/** The balance in nanocoins. */
export const balance = field({ schema: decimal.schema, encode: (account: AccountNow) => `${account.balance.coins}` });
