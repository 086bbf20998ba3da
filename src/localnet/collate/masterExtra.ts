import { setEntry } from "../../cell/augmentedEdits.ts";
import { makeDictionary } from "../../cell/dictionary.ts";
import { hashKey } from "../../cell/keys.ts";
import { type BlockCreateStats, CreatorStats, type McStateExtra } from "../../model/block/McStateExtra.ts";
import type { ValueFlow } from "../../model/block/ValueFlow.ts";
import { addCurrency, type CurrencyCollection, subtractCurrency } from "../../model/Currency.ts";
import { type ConfigParams, findConfigParam } from "../../model/config/ConfigParams.ts";
import { capability, hasCapability } from "../../model/config/GlobalVersion.ts";
import type { Hash } from "../../model/Hash.ts";
import type { BlockInput } from "./BlockInput.ts";
import { countBlocks } from "./counters.ts";
import { type NewShardBlock, nextShardHashes, shardFeesOf } from "./shardList.ts";

export interface NextExtraInput {
  readonly input: BlockInput & {
    readonly shardBlocks: readonly (NewShardBlock & { readonly createdBy: Hash })[];
    readonly hashOfSet: (config: ConfigParams, catchainSeqno: number) => number;
    readonly prevIsKey: boolean;
  };
  readonly before: McStateExtra;
  /** When the previous state was made. */
  readonly beforeUtime: number;
  readonly config: ConfigParams;
  readonly keyBlock: boolean;
  readonly created: CurrencyCollection;
  /** The value flows of this block and of the shard blocks that it commits: what they minted and burned. */
  readonly flows: readonly ValueFlow[];
}

/** The masterchain part of the state after the next block. */
export function nextExtra({
  input,
  before,
  beforeUtime,
  config,
  keyBlock,
  created,
  flows,
}: NextExtraInput): McStateExtra {
  const { seqno, rootHash, fileHash } = input.prev.id;
  const prev = { endLt: input.prev.endLt, seqno, rootHash, fileHash };
  const catchain = findConfigParam(input.config, 28);
  const isNew = (lifetime: number): boolean =>
    keyBlock || Math.floor(input.now / lifetime) > Math.floor(beforeUtime / lifetime);
  const isUpdated = isNew(catchain?.mcCatchainLifetime ?? 1);
  const { validatorInfo, prevBlocks, lastKeyBlock, blockCreateStats } = before.history;
  const catchainSeqno = validatorInfo.catchainSeqno + (isUpdated ? 1 : 0);
  return {
    shardHashes: nextShardHashes(before.shardHashes, {
      blocks: input.shardBlocks,
      masterSeqno: seqno + 1,
      now: input.now,
      isNewSession: isNew(catchain?.shardCatchainLifetime ?? 1),
      config,
      keepsShards: input.isFork === true,
    }),
    config,
    history: {
      validatorInfo: {
        // It changes with the session, and with the set.
        listHashShort: isUpdated ? input.hashOfSet(config, catchainSeqno) : validatorInfo.listHashShort,
        catchainSeqno,
        nextCatchainUpdated: isUpdated,
      },
      prevBlocks: setEntry(
        prevBlocks,
        seqno,
        { key: input.prevIsKey, block: prev },
        { key: input.prevIsKey, maxEndLt: prev.endLt },
      ),
      afterKeyBlock: keyBlock,
      lastKeyBlock: input.prevIsKey ? prev : lastKeyBlock,
      // Of the validators before a fork nothing is counted any more.
      blockCreateStats: nextStats(input, input.prev.fork === undefined ? blockCreateStats : undefined),
    },
    globalBalance: flows.reduce(
      (sum, flow) => burn(addCurrency(sum, flow.made.minted), flow),
      [created, shardFeesOf(input.shardBlocks, []).rootExtra().create].reduce(addCurrency, before.globalBalance),
    ),
  };
}

function burn(sum: CurrencyCollection, flow: ValueFlow): CurrencyCollection {
  return flow.kind === "v2" ? subtractCurrency(sum, flow.burned) : sum;
}

function nextStats(input: NextExtraInput["input"], stats: BlockCreateStats | undefined): BlockCreateStats | undefined {
  if (!hasCapability(findConfigParam(input.config, 8), capability.createStats) || stats?.kind === "extended")
    return stats;
  return countBlocks(
    stats ?? { kind: "plain", counters: makeDictionary(hashKey, CreatorStats, []) },
    input.createdBy,
    input.shardBlocks.map(({ createdBy }) => createdBy),
    input.now,
  );
}
