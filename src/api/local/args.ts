import { Type } from "typebox";
import { CellError } from "../../cell/base/errors.ts";
import { readRoot } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { type Codec, loadCell } from "../../cell/codec.ts";
import { isCoded } from "../../lib/errors.ts";
import { asText } from "../../lib/json.ts";
import { type Arg, makeArg } from "../../lib/kit/arg.ts";
import { findCoins } from "../../model/coins.ts";
import { ModelError } from "../../model/errors.ts";
import { bytesArg, refuse } from "../v2/args.ts";

/** An amount in coins, not in nanocoins. */
export const coinsArg = makeArg<bigint>({
  schema: Type.Union(
    [Type.String({ pattern: "^[0-9]{1,20}(\\.[0-9]{1,9})?$" }), Type.Number({ exclusiveMinimum: 0 })],
    { description: "Coins, with at most nine digits behind the point.", examples: ["0.25"] },
  ),
  allowed: "coins, such as 5 or 0.25",
  read: (value) => findCoins(asText(value)),
});

const bytes = bytesArg();

/** A cell as a bag of cells in base64. */
export const bagArg: Arg<Cell> = {
  ...bytes,
  decode: (value, name) => readPart(name, "a bag of cells with one root", () => readRoot(bytes.decode(value, name))),
};

/** A value of this type as a bag of cells in base64. */
export function valueArg<T>(codec: Codec<T>, what: string): Arg<T> {
  return { ...bytes, decode: (value, name) => readPart(name, what, () => loadCell(codec, bagArg.decode(value, name))) };
}

function readPart<T>(name: string, what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const isBad = error instanceof CellError || error instanceof ModelError || isCoded(error, "lib/base64");
    if (!isBad) throw error;
    throw refuse(`${name} is not ${what}: ${error.message}`);
  }
}
