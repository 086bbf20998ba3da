import {
  bool,
  type Codec,
  cell,
  maybe,
  ref,
  struct,
  tagged,
  uint,
  uint32,
  uint64,
  union,
  type ValueOf,
  variant,
} from "../cell/codec.ts";
import { dictionary } from "../cell/dictionary.ts";
import { uintKey } from "../cell/keys.ts";
import { CurrencyCollection } from "./Currency.ts";
import { hash } from "./Hash.ts";
import { inCell, Message } from "./Message.ts";
import { ActionPhase, BouncePhase, ComputePhase, CreditPhase, StoragePhase } from "./phases.ts";

export const accountStatuses = ["uninit", "frozen", "active", "nonexist"] as const;
export type AccountStatus = (typeof accountStatuses)[number];

// acc_state_uninit$00; acc_state_frozen$01; acc_state_active$10; acc_state_nonexist$11 = AccountStatus;
export const AccountStatus: Codec<AccountStatus> = {
  load: (slice) => accountStatuses[slice.loadUint(2)] as AccountStatus,
  store: (builder, value) => void builder.storeUint(accountStatuses.indexOf(value), 2),
};

// update_hashes#72 {X:Type} old_hash:bits256 new_hash:bits256 = HASH_UPDATE X;
export const HashUpdate = tagged("#72", { oldHash: hash, newHash: hash }, (f, s) => ({
  oldHash: f.oldHash.load(s),
  newHash: f.newHash.load(s),
}));
export type HashUpdate = ValueOf<typeof HashUpdate>;

// split_merge_info$_ cur_shard_pfx_len:(## 6) acc_split_depth:(## 6) this_addr:bits256 sibling_addr:bits256 = SplitMergeInfo;
const SplitMergeInfo = struct({
  shardPrefixLength: uint(6),
  accountSplitDepth: uint(6),
  thisAddress: hash,
  siblingAddress: hash,
});

const vmPhases = { compute: ComputePhase, action: maybe(ref(ActionPhase)) };

// trans_ord$0000 credit_first:Bool storage_ph:(Maybe TrStoragePhase) credit_ph:(Maybe TrCreditPhase)
//   compute_ph:TrComputePhase action:(Maybe ^TrActionPhase) aborted:Bool bounce:(Maybe TrBouncePhase) destroyed:Bool
// trans_storage$0001 storage_ph:TrStoragePhase
// trans_tick_tock$001 is_tock:Bool storage_ph:TrStoragePhase compute_ph:TrComputePhase action:(Maybe ^TrActionPhase)
//   aborted:Bool destroyed:Bool
// trans_split_prepare$0100 split_info:SplitMergeInfo storage_ph:(Maybe TrStoragePhase) compute_ph:TrComputePhase
//   action:(Maybe ^TrActionPhase) aborted:Bool destroyed:Bool
// trans_split_install$0101 split_info:SplitMergeInfo prepare_transaction:^Transaction installed:Bool
// trans_merge_prepare$0110 split_info:SplitMergeInfo storage_ph:TrStoragePhase aborted:Bool
// trans_merge_install$0111 split_info:SplitMergeInfo prepare_transaction:^Transaction storage_ph:(Maybe TrStoragePhase)
//   credit_ph:(Maybe TrCreditPhase) compute_ph:TrComputePhase action:(Maybe ^TrActionPhase) aborted:Bool destroyed:Bool
//   = TransactionDescr;
export const TransactionDescription = union({
  ordinary: variant(
    "$0000",
    {
      creditFirst: bool,
      storage: maybe(StoragePhase),
      credit: maybe(CreditPhase),
      ...vmPhases,
      aborted: bool,
      bounce: maybe(BouncePhase),
      destroyed: bool,
    },
    (f, s) => ({
      kind: "ordinary",
      creditFirst: f.creditFirst.load(s),
      storage: f.storage.load(s),
      credit: f.credit.load(s),
      compute: f.compute.load(s),
      action: f.action.load(s),
      aborted: f.aborted.load(s),
      bounce: f.bounce.load(s),
      destroyed: f.destroyed.load(s),
    }),
  ),
  storage: ["$0001", { storage: StoragePhase }],
  tickTock: variant(
    "$001",
    { isTock: bool, storage: StoragePhase, ...vmPhases, aborted: bool, destroyed: bool },
    (f, s) => ({
      kind: "tickTock",
      isTock: f.isTock.load(s),
      storage: f.storage.load(s),
      compute: f.compute.load(s),
      action: f.action.load(s),
      aborted: f.aborted.load(s),
      destroyed: f.destroyed.load(s),
    }),
  ),
  splitPrepare: [
    "$0100",
    { split: SplitMergeInfo, storage: maybe(StoragePhase), ...vmPhases, aborted: bool, destroyed: bool },
  ],
  splitInstall: ["$0101", { split: SplitMergeInfo, prepareTransaction: cell, installed: bool }],
  mergePrepare: ["$0110", { split: SplitMergeInfo, storage: StoragePhase, aborted: bool }],
  mergeInstall: [
    "$0111",
    {
      split: SplitMergeInfo,
      prepareTransaction: cell,
      storage: maybe(StoragePhase),
      credit: maybe(CreditPhase),
      ...vmPhases,
      aborted: bool,
      destroyed: bool,
    },
  ],
});
export type TransactionDescription = ValueOf<typeof TransactionDescription>;

// ^[ in_msg:(Maybe ^(Message Any)) out_msgs:(HashmapE 15 ^(Message Any)) ]
const TransactionMessages = struct(
  { in: maybe(inCell(Message)), out: dictionary(uintKey(15), inCell(Message)) },
  (f, s) => ({ in: f.in.load(s), out: f.out.load(s) }),
);

// transaction$0111 account_addr:bits256 lt:uint64 prev_trans_hash:bits256 prev_trans_lt:uint64 now:uint32
//   outmsg_cnt:uint15 orig_status:AccountStatus end_status:AccountStatus ^[ … ] total_fees:CurrencyCollection
//   state_update:^(HASH_UPDATE Account) description:^TransactionDescr = Transaction;
const transaction = tagged(
  "$0111",
  {
    account: hash,
    lt: uint64,
    prevHash: hash,
    prevLt: uint64,
    now: uint32,
    outCount: uint(15),
    origStatus: AccountStatus,
    endStatus: AccountStatus,
    messages: ref(TransactionMessages),
    totalFees: CurrencyCollection,
    stateUpdate: ref(HashUpdate),
    description: ref(TransactionDescription),
  },
  (f, s) => ({
    account: f.account.load(s),
    lt: f.lt.load(s),
    prevHash: f.prevHash.load(s),
    prevLt: f.prevLt.load(s),
    now: f.now.load(s),
    outCount: f.outCount.load(s),
    origStatus: f.origStatus.load(s),
    endStatus: f.endStatus.load(s),
    messages: f.messages.load(s),
    totalFees: f.totalFees.load(s),
    stateUpdate: f.stateUpdate.load(s),
    description: f.description.load(s),
  }),
);
/** An interface keeps its name in declaration files; an alias would be expanded. */
export interface Transaction extends ValueOf<typeof transaction> {}
export const Transaction: Codec<Transaction> = transaction;
