import { maybe, tagged, uint8, uint16, uint32, union, type ValueOf } from "../../cell/codec.ts";
import { checked } from "../checked.ts";

// param_limits#c3 underload:# soft_limit:# { underload <= soft_limit } hard_limit:# { soft_limit <= hard_limit }
//   = ParamLimits;
const ParamLimits = checked(
  tagged("#c3", { underload: uint32, softLimit: uint32, hardLimit: uint32 }),
  (l) => l.underload <= l.softLimit && l.softLimit <= l.hardLimit,
  "underload <= soft_limit <= hard_limit",
);

// imported_msg_queue_limits#d3 max_bytes:# max_msgs:# = ImportedMsgQueueLimits;
const ImportedMsgQueueLimits = tagged("#d3", { maxBytes: uint32, maxMessages: uint32 });

const blockLimits = { bytes: ParamLimits, gas: ParamLimits, ltDelta: ParamLimits };

// block_limits#5d bytes:ParamLimits gas:ParamLimits lt_delta:ParamLimits = BlockLimits;
// block_limits_v2#5e bytes:ParamLimits gas:ParamLimits lt_delta:ParamLimits
//   collated_data:ParamLimits imported_msg_queue:ImportedMsgQueueLimits = BlockLimits;
export const BlockLimits = union({
  v1: ["#5d", blockLimits],
  v2: ["#5e", { ...blockLimits, collatedData: ParamLimits, importedMessageQueue: ImportedMsgQueueLimits }],
});
export type BlockLimits = ValueOf<typeof BlockLimits>;

const v1 = {
  maxMessageBits: uint32,
  maxMessageCells: uint32,
  maxLibraryCells: uint32,
  maxVmDataDepth: uint16,
  maxExternalMessageSize: uint32,
  maxExternalMessageDepth: uint16,
};
const v2 = {
  ...v1,
  maxAccountStateCells: uint32,
  maxMcAccountStateCells: uint32,
  maxAccountPublicLibraries: uint32,
  deferOutQueueSizeLimit: uint32,
  maxMessageExtraCurrencies: uint32,
  maxAccountFixedPrefixLength: uint8,
  accountStateCellsForStorageDict: uint32,
  maxTransactionLibraryLoads: maybe(uint32),
};

// size_limits_config#01 max_msg_bits:uint32 max_msg_cells:uint32 max_library_cells:uint32 max_vm_data_depth:uint16
//   max_ext_msg_size:uint32 max_ext_msg_depth:uint16 = SizeLimitsConfig;
// size_limits_config_v2#02 … max_acc_state_cells:uint32 max_mc_acc_state_cells:uint32
//   max_acc_public_libraries:uint32 defer_out_queue_size_limit:uint32 max_msg_extra_currencies:uint32
//   max_acc_fixed_prefix_length:uint8 acc_state_cells_for_storage_dict:uint32
//   max_transaction_library_loads:(Maybe uint32) = SizeLimitsConfig;
// size_limits_config_v3#03 … max_total_msg_bits:uint32 max_total_msg_cells:uint32 = SizeLimitsConfig;
export const SizeLimitsConfig = union({
  v1: ["#01", v1],
  v2: ["#02", v2],
  v3: ["#03", { ...v2, maxTotalMessageBits: uint32, maxTotalMessageCells: uint32 }],
});
