import { Type } from "typebox";
import { asText } from "../../lib/json.ts";
import { makeArg } from "../../lib/kit/arg.ts";
import { findCoins } from "../../model/coins.ts";

/** An amount in coins, not in nanocoins. */
export const coinsArg = makeArg<bigint>({
  schema: Type.Union(
    [Type.String({ pattern: "^[0-9]{1,20}(\\.[0-9]{1,9})?$" }), Type.Number({ exclusiveMinimum: 0 })],
    { description: "Coins, with at most nine digits behind the point.", examples: ["0.25"] },
  ),
  allowed: "coins, such as 5 or 0.25",
  read: (value) => findCoins(asText(value)),
});
