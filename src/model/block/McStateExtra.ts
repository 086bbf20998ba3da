import { type Augmentation, augmentedDictionary } from "../../cell/augmentedDictionary.ts";
import { CellError } from "../../cell/base/errors.ts";
import type { Cell } from "../../cell/Cell.ts";
import {
  bool,
  type Codec,
  loadCell,
  maybe,
  storeCell,
  struct,
  tagged,
  uint32,
  uint64,
  union,
  type ValueOf,
} from "../../cell/codec.ts";
import { dictionary, maxChainEntries } from "../../cell/dictionary.ts";
import { hashKey, uintKey } from "../../cell/keys.ts";
import { sliceOf } from "../../cell/Slice.ts";
import { CurrencyCollection } from "../Currency.ts";
import { ConfigParams } from "../config/ConfigParams.ts";
import { ModelError } from "../errors.ts";
import { ExtBlkRef } from "./BlockId.ts";
import { ShardHashes } from "./ShardHashes.ts";

// validator_info$_ validator_list_hash_short:uint32 catchain_seqno:uint32 nx_cc_updated:Bool = ValidatorInfo;
export const ValidatorInfo = struct({ listHashShort: uint32, catchainSeqno: uint32, nextCatchainUpdated: bool });

// _ key:Bool max_end_lt:uint64 = KeyMaxLt;
const KeyMaxLt = struct({ key: bool, maxEndLt: uint64 });
type KeyMaxLt = ValueOf<typeof KeyMaxLt>;

// _ key:Bool blk_ref:ExtBlkRef = KeyExtBlkRef;
export const KeyExtBlkRef = struct({ key: bool, block: ExtBlkRef });

const keyMaxLt: Augmentation<KeyMaxLt> = {
  codec: KeyMaxLt,
  empty: { key: false, maxEndLt: 0n },
  combine: joinKeyMaxLt,
  // Blocks are only added.
  exchange: (total, _before, after) => joinKeyMaxLt(total, after),
};

function joinKeyMaxLt(a: KeyMaxLt, b: KeyMaxLt): KeyMaxLt {
  return { key: a.key || b.key, maxEndLt: a.maxEndLt > b.maxEndLt ? a.maxEndLt : b.maxEndLt };
}

// _ (HashmapAugE 32 KeyExtBlkRef KeyMaxLt) = OldMcBlocksInfo;
export const OldMcBlocksInfo = augmentedDictionary(uintKey(32), KeyExtBlkRef, keyMaxLt);

// counters#_ last_updated:uint32 total:uint64 cnt2048:uint64 cnt65536:uint64 = Counters;
const Counters = struct({ lastUpdated: uint32, total: uint64, count2048: uint64, count65536: uint64 });

// creator_info#4 mc_blocks:Counters shard_blocks:Counters = CreatorStats;
export const CreatorStats = tagged("#4", { mcBlocks: Counters, shardBlocks: Counters });
export type CreatorStats = ValueOf<typeof CreatorStats>;

const latest: Augmentation<number> = { codec: uint32, empty: 0, combine: Math.max };

// block_create_stats#17 counters:(HashmapE 256 CreatorStats) = BlockCreateStats;
// block_create_stats_ext#34 counters:(HashmapAugE 256 CreatorStats uint32) = BlockCreateStats;
export const BlockCreateStats = union({
  plain: ["#17", { counters: dictionary(hashKey, CreatorStats, maxChainEntries) }],
  extended: ["#34", { counters: augmentedDictionary(hashKey, CreatorStats, latest) }],
});
export type BlockCreateStats = ValueOf<typeof BlockCreateStats>;

const history = struct({
  validatorInfo: ValidatorInfo,
  prevBlocks: OldMcBlocksInfo,
  afterKeyBlock: bool,
  lastKeyBlock: maybe(ExtBlkRef),
});

/** The history part of the masterchain state. */
export interface McStateHistory extends ValueOf<typeof history> {
  readonly blockCreateStats: BlockCreateStats | undefined;
}

// ^[ flags:(## 16) { flags <= 1 } validator_info:ValidatorInfo prev_blocks:OldMcBlocksInfo after_key_block:Bool
//    last_key_block:(Maybe ExtBlkRef) block_create_stats:(flags . 0)?BlockCreateStats ]
const McStateHistory: Codec<McStateHistory> = {
  load: (slice) => {
    const flags = slice.loadUint(16);
    if (flags > 1) throw new ModelError("model/unknown", `masterchain_state_extra flags ${flags}`);
    const body = history.load(slice);
    return { ...body, blockCreateStats: flags & 1 ? BlockCreateStats.load(slice) : undefined };
  },
  store: (builder, value) => {
    builder.storeUint(value.blockCreateStats === undefined ? 0 : 1, 16);
    history.store(builder, value);
    if (value.blockCreateStats !== undefined) BlockCreateStats.store(builder, value.blockCreateStats);
  },
};

export interface McStateExtra {
  readonly shardHashes: ShardHashes;
  readonly config: ConfigParams;
  readonly history: McStateHistory;
  readonly globalBalance: CurrencyCollection;
}

// masterchain_state_extra#cc26 shard_hashes:ShardHashes config:ConfigParams ^[ … ] global_balance:CurrencyCollection
//   = McStateExtra;
const tag = 0xcc26;

/** The cell of the history, given the cell of the whole extra. */
export function historyCellOf(extra: Cell): Cell {
  const slice = sliceOf(extra);
  slice.skip(16);
  ShardHashes.load(slice);
  ConfigParams.load(slice);
  return slice.loadRef();
}

export const McStateExtra: Codec<McStateExtra> = {
  load: (slice) => {
    if (slice.loadUint(16) !== tag) throw new CellError("cell/tag", "no masterchain_state_extra here");
    return {
      shardHashes: ShardHashes.load(slice),
      config: ConfigParams.load(slice),
      history: loadCell(McStateHistory, slice.loadRef()),
      globalBalance: CurrencyCollection.load(slice),
    };
  },
  store: (builder, extra) => {
    builder.storeUint(tag, 16);
    ShardHashes.store(builder, extra.shardHashes);
    ConfigParams.store(builder, extra.config);
    builder.storeRef(storeCell(McStateHistory, extra.history));
    CurrencyCollection.store(builder, extra.globalBalance);
  },
};
