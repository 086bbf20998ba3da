import {
  bool,
  type Codec,
  int,
  int32,
  maybe,
  ref,
  smallVarUint,
  struct,
  uint16,
  uint32,
  union,
  type ValueOf,
  variant,
} from "../cell/codec.ts";
import { Coins, CurrencyCollection } from "./Currency.ts";
import { hash } from "./Hash.ts";

// storage_used$_ cells:(VarUInteger 7) bits:(VarUInteger 7) = StorageUsed;
export const StorageUsed = struct({ cells: smallVarUint(7), bits: smallVarUint(7) }, (f, s) => ({
  cells: f.cells.load(s),
  bits: f.bits.load(s),
}));
export type StorageUsed = ValueOf<typeof StorageUsed>;

export type StatusChange = "unchanged" | "frozen" | "deleted";

// acst_unchanged$0 = AccStatusChange; acst_frozen$10 = AccStatusChange; acst_deleted$11 = AccStatusChange;
export const StatusChange: Codec<StatusChange> = {
  load: (slice) => (slice.loadBit() ? (slice.loadBit() ? "deleted" : "frozen") : "unchanged"),
  store: (builder, value) => {
    if (value === "unchanged") builder.storeBit(false);
    else builder.storeUint(value === "frozen" ? 2 : 3, 2);
  },
};

// tr_phase_storage$_ storage_fees_collected:Grams storage_fees_due:(Maybe Grams) status_change:AccStatusChange = TrStoragePhase;
export const StoragePhase = struct(
  { feesCollected: Coins, feesDue: maybe(Coins), statusChange: StatusChange },
  (f, s) => ({
    feesCollected: f.feesCollected.load(s),
    feesDue: f.feesDue.load(s),
    statusChange: f.statusChange.load(s),
  }),
);
export type StoragePhase = ValueOf<typeof StoragePhase>;

// tr_phase_credit$_ due_fees_collected:(Maybe Grams) credit:CurrencyCollection = TrCreditPhase;
export const CreditPhase = struct({ dueFeesCollected: maybe(Coins), credit: CurrencyCollection }, (f, s) => ({
  dueFeesCollected: f.dueFeesCollected.load(s),
  credit: f.credit.load(s),
}));
export type CreditPhase = ValueOf<typeof CreditPhase>;

// cskip_no_state$00; cskip_bad_state$01; cskip_no_gas$10; cskip_suspended$110 = ComputeSkipReason;
export const SkipReason = union({
  noState: ["$00", {}],
  badState: ["$01", {}],
  noGas: ["$10", {}],
  suspended: ["$110", {}],
});
export type SkipReason = ValueOf<typeof SkipReason>["kind"];

const skipReason: Codec<SkipReason> = {
  load: (slice) => SkipReason.load(slice).kind,
  store: (builder, kind) => SkipReason.store(builder, { kind }),
};

// ^[ gas_used:(VarUInteger 7) gas_limit:(VarUInteger 7) gas_credit:(Maybe (VarUInteger 3)) mode:int8 exit_code:int32
//    exit_arg:(Maybe int32) vm_steps:uint32 vm_init_state_hash:bits256 vm_final_state_hash:bits256 ]
export const ComputeDetails = struct(
  {
    gasUsed: smallVarUint(7),
    gasLimit: smallVarUint(7),
    gasCredit: maybe(smallVarUint(3)),
    mode: int(8),
    exitCode: int32,
    exitArg: maybe(int32),
    vmSteps: uint32,
    vmInitStateHash: hash,
    vmFinalStateHash: hash,
  },
  (f, s) => ({
    gasUsed: f.gasUsed.load(s),
    gasLimit: f.gasLimit.load(s),
    gasCredit: f.gasCredit.load(s),
    mode: f.mode.load(s),
    exitCode: f.exitCode.load(s),
    exitArg: f.exitArg.load(s),
    vmSteps: f.vmSteps.load(s),
    vmInitStateHash: f.vmInitStateHash.load(s),
    vmFinalStateHash: f.vmFinalStateHash.load(s),
  }),
);

// tr_phase_compute_skipped$0 reason:ComputeSkipReason = TrComputePhase;
// tr_phase_compute_vm$1 success:Bool msg_state_used:Bool account_activated:Bool gas_fees:Grams ^[ … ] = TrComputePhase;
export const ComputePhase = union({
  skipped: ["$0", { reason: skipReason }],
  vm: variant(
    "$1",
    { success: bool, msgStateUsed: bool, accountActivated: bool, gasFees: Coins, details: ref(ComputeDetails) },
    (f, s) => ({
      kind: "vm",
      success: f.success.load(s),
      msgStateUsed: f.msgStateUsed.load(s),
      accountActivated: f.accountActivated.load(s),
      gasFees: f.gasFees.load(s),
      details: f.details.load(s),
    }),
  ),
});
export type ComputePhase = ValueOf<typeof ComputePhase>;

// tr_phase_action$_ success:Bool valid:Bool no_funds:Bool status_change:AccStatusChange total_fwd_fees:(Maybe Grams)
//   total_action_fees:(Maybe Grams) result_code:int32 result_arg:(Maybe int32) tot_actions:uint16 spec_actions:uint16
//   skipped_actions:uint16 msgs_created:uint16 action_list_hash:bits256 tot_msg_size:StorageUsed = TrActionPhase;
export const ActionPhase = struct(
  {
    success: bool,
    valid: bool,
    noFunds: bool,
    statusChange: StatusChange,
    totalFwdFees: maybe(Coins),
    totalActionFees: maybe(Coins),
    resultCode: int32,
    resultArg: maybe(int32),
    totalActions: uint16,
    specialActions: uint16,
    skippedActions: uint16,
    messagesCreated: uint16,
    actionListHash: hash,
    totalMessageSize: StorageUsed,
  },
  (f, s) => ({
    success: f.success.load(s),
    valid: f.valid.load(s),
    noFunds: f.noFunds.load(s),
    statusChange: f.statusChange.load(s),
    totalFwdFees: f.totalFwdFees.load(s),
    totalActionFees: f.totalActionFees.load(s),
    resultCode: f.resultCode.load(s),
    resultArg: f.resultArg.load(s),
    totalActions: f.totalActions.load(s),
    specialActions: f.specialActions.load(s),
    skippedActions: f.skippedActions.load(s),
    messagesCreated: f.messagesCreated.load(s),
    actionListHash: f.actionListHash.load(s),
    totalMessageSize: f.totalMessageSize.load(s),
  }),
);
export type ActionPhase = ValueOf<typeof ActionPhase>;

// tr_phase_bounce_negfunds$00 = TrBouncePhase;
// tr_phase_bounce_nofunds$01 msg_size:StorageUsed req_fwd_fees:Grams = TrBouncePhase;
// tr_phase_bounce_ok$1 msg_size:StorageUsed msg_fees:Grams fwd_fees:Grams = TrBouncePhase;
export const BouncePhase = union({
  negativeFunds: ["$00", {}],
  noFunds: ["$01", { messageSize: StorageUsed, requiredFwdFees: Coins }],
  ok: ["$1", { messageSize: StorageUsed, messageFees: Coins, fwdFees: Coins }],
});
export type BouncePhase = ValueOf<typeof BouncePhase>;
