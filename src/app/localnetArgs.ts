import { type Arg, makeArg } from "../lib/kit/arg.ts";
import { networkVersions } from "../localnet/ledger/networkVersion.ts";
import { shardCounts } from "../localnet/ledger/shardCount.ts";

/** One of these numbers. */
function oneOfArg<N extends number>(numbers: readonly N[]): Arg<N> {
  return makeArg<N>({
    schema: { enum: [...numbers] },
    allowed: `one of ${numbers.join(", ")}`,
    read: (value) => numbers.find((each) => each === value || String(each) === value),
  });
}

/** The number of basechain shards of a new local network. */
export const shardsArg = oneOfArg(shardCounts);

/** The global version of a new local network. */
export const versionArg = oneOfArg(networkVersions);
