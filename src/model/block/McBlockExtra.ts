import { CellError } from "../../cell/base/errors.ts";
import { bool, type Codec, loadCell, maybe, storeCell, struct, type ValueOf } from "../../cell/codec.ts";
import { dictionary } from "../../cell/dictionary.ts";
import { uintKey } from "../../cell/keys.ts";
import { linked } from "../../cell/linked.ts";
import { ConfigParams } from "../config/ConfigParams.ts";
import { CryptoSignaturePair } from "../config/Signature.ts";
import { InMsg } from "./messageDescriptors.ts";
import { ShardFees, ShardHashes } from "./ShardHashes.ts";

// ^[ prev_blk_signatures:(HashmapE 16 CryptoSignaturePair) recover_create_msg:(Maybe ^InMsg) mint_msg:(Maybe ^InMsg) ]
const details = struct({
  prevBlockSignatures: dictionary(uintKey(16), CryptoSignaturePair),
  recoverCreateMsg: maybe(linked(InMsg)),
  mintMsg: maybe(linked(InMsg)),
});
const head = struct({ keyBlock: bool, shardHashes: ShardHashes, shardFees: ShardFees });

export interface McBlockExtra extends ValueOf<typeof head> {
  readonly details: ValueOf<typeof details>;
  /** Key blocks contain the whole configuration. */
  readonly config: ConfigParams | undefined;
}

// masterchain_block_extra#cca5 key_block:(## 1) shard_hashes:ShardHashes shard_fees:ShardFees ^[ … ]
//   config:key_block?ConfigParams = McBlockExtra;
const tag = 0xcca5;

export const McBlockExtra: Codec<McBlockExtra> = {
  load: (slice) => {
    if (slice.loadUint(16) !== tag) throw new CellError("cell/tag", "no masterchain_block_extra here");
    const first = head.load(slice);
    const inner = loadCell(details, slice.loadRef());
    return { ...first, details: inner, config: first.keyBlock ? ConfigParams.load(slice) : undefined };
  },
  store: (builder, extra) => {
    builder.storeUint(tag, 16);
    head.store(builder, extra);
    builder.storeRef(storeCell(details, extra.details));
    if (extra.config !== undefined) ConfigParams.store(builder, extra.config);
  },
};
