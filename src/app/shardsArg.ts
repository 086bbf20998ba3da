import { makeArg } from "../lib/kit/arg.ts";
import { type ShardCount, shardCounts } from "../localnet/ledger/shardCount.ts";

/** The number of basechain shards of a new local network. */
export const shardsArg = makeArg<ShardCount>({
  schema: { enum: [...shardCounts] },
  allowed: `one of ${shardCounts.join(", ")}`,
  read: (value) => shardCounts.find((count) => count === value || String(count) === value),
});
