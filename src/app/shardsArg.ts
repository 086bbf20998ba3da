import { makeArg } from "../lib/kit/arg.ts";
import { type ShardCount, shardCounts } from "../localnet/shardCount.ts";

/** In how many shards the basechain of a new local network is. */
export const shardsArg = makeArg<ShardCount>({
  schema: { enum: [...shardCounts] },
  allowed: `one of ${shardCounts.join(", ")}`,
  read: (value) => shardCounts.find((count) => count === value || String(count) === value),
});
