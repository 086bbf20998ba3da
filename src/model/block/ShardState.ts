import { bool, maybe, struct, tagged, uint64, union, type ValueOf } from "../../cell/codec.ts";
import { dictionary, maxChainEntries } from "../../cell/dictionary.ts";
import { hashKey } from "../../cell/keys.ts";
import { linked } from "../../cell/linked.ts";
import { ShardAccounts } from "../Account.ts";
import { CurrencyCollection } from "../Currency.ts";
import { LibDescr } from "../Library.ts";
import { MasterInfo } from "./BlockInfo.ts";
import { McStateExtra } from "./McStateExtra.ts";
import { OutMsgQueueInfo } from "./OutMsgQueue.ts";
import { stateHead } from "./outlines.ts";

// ^[ overload_history:uint64 underload_history:uint64 total_balance:CurrencyCollection
//    total_validator_fees:CurrencyCollection libraries:(HashmapE 256 LibDescr) master_ref:(Maybe BlkMasterInfo) ]
export const ShardStateTotals = struct({
  overloadHistory: uint64,
  underloadHistory: uint64,
  totalBalance: CurrencyCollection,
  totalValidatorFees: CurrencyCollection,
  libraries: dictionary(hashKey, LibDescr, maxChainEntries),
  masterRef: maybe(MasterInfo),
});
export type ShardStateTotals = ValueOf<typeof ShardStateTotals>;

const stateFields = {
  ...stateHead,
  outMsgQueueInfo: linked(OutMsgQueueInfo),
  beforeSplit: bool,
  accounts: linked(ShardAccounts),
  totals: linked(ShardStateTotals),
  custom: maybe(linked(McStateExtra)),
};

// shard_state#9023afe2 global_id:int32 shard_id:ShardIdent seq_no:uint32 vert_seq_no:# gen_utime:uint32 gen_lt:uint64
//   min_ref_mc_seqno:uint32 out_msg_queue_info:^OutMsgQueueInfo before_split:(## 1) accounts:^ShardAccounts ^[ … ]
//   custom:(Maybe ^McStateExtra) = ShardStateUnsplit;
export const ShardStateUnsplit = tagged("#9023afe2", stateFields);
export type ShardStateUnsplit = ValueOf<typeof ShardStateUnsplit>;

// _ ShardStateUnsplit = ShardState;
// split_state#5f327da5 left:^ShardStateUnsplit right:^ShardStateUnsplit = ShardState;
export const ShardState = union({
  unsplit: ["#9023afe2", stateFields],
  split: ["#5f327da5", { left: linked(ShardStateUnsplit), right: linked(ShardStateUnsplit) }],
});
export type ShardState = ValueOf<typeof ShardState>;
