import { type Arg, makeArg } from "../lib/kit/arg.ts";
import { networkVersions } from "../localnet/ledger/networkVersion.ts";
import { shardCounts } from "../localnet/ledger/shardCount.ts";

/** One of these values. */
function oneOfArg<N extends number | string>(values: readonly N[]): Arg<N> {
  return makeArg<N>({
    schema: { enum: [...values] },
    allowed: `one of ${values.join(", ")}`,
    read: (value) => values.find((each) => each === value || String(each) === value),
  });
}

/** The number of basechain shards of a new local network. */
export const shardsArg = oneOfArg(shardCounts);

/** The global version of a new local network. */
export const versionArg = oneOfArg(networkVersions);
