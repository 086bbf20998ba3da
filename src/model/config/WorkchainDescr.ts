import {
  bigUint,
  bool,
  int32,
  type struct,
  tagged,
  uint,
  uint8,
  uint32,
  union,
  type ValueOf,
} from "../../cell/codec.ts";
import { dictionary } from "../../cell/dictionary.ts";
import { intKey } from "../../cell/keys.ts";
import { checked } from "../checked.ts";
import { hash } from "../Hash.ts";

const addressLength = uint(12);

// wfmt_basic#1 vm_version:int32 vm_mode:uint64 = WorkchainFormat 1;
// wfmt_ext#0 min_addr_len:(## 12) max_addr_len:(## 12) addr_len_step:(## 12) { min_addr_len >= 64 }
//   { min_addr_len <= max_addr_len } { max_addr_len <= 1023 } { addr_len_step <= 1023 }
//   workchain_type_id:(## 32) { workchain_type_id >= 1 } = WorkchainFormat 0;
const WorkchainFormat = checked(
  union({
    basic: ["#1", { vmVersion: int32, vmMode: bigUint(64) }],
    extended: [
      "#0",
      {
        minAddressLength: addressLength,
        maxAddressLength: addressLength,
        addressLengthStep: addressLength,
        workchainTypeId: uint32,
      },
    ],
  }),
  (f) =>
    f.kind === "basic" ||
    (f.minAddressLength >= 64 &&
      f.minAddressLength <= f.maxAddressLength &&
      f.maxAddressLength <= 1023 &&
      f.addressLengthStep <= 1023 &&
      f.workchainTypeId >= 1),
  "64 <= min_addr_len <= max_addr_len <= 1023, addr_len_step <= 1023, workchain_type_id >= 1",
);

// wc_split_merge_timings#0 split_merge_delay:uint32 split_merge_interval:uint32
//   min_split_merge_interval:uint32 max_split_merge_delay:uint32 = WcSplitMergeTimings;
const SplitMergeTimings = tagged("#0", {
  splitMergeDelay: uint32,
  splitMergeInterval: uint32,
  minSplitMergeInterval: uint32,
  maxSplitMergeDelay: uint32,
});

const head = {
  enabledSinceAt: uint32,
  monitorMinSplit: uint8,
  minSplit: uint8,
  maxSplit: uint8,
  basic: bool,
  active: bool,
  acceptMessages: bool,
  flags: uint(13),
  zerostateRootHash: hash,
  zerostateFileHash: hash,
  version: uint32,
  format: WorkchainFormat,
};
type Head = ValueOf<ReturnType<typeof struct<typeof head>>>;

function holds(w: Head): boolean {
  return (
    w.monitorMinSplit <= w.minSplit &&
    w.minSplit <= w.maxSplit &&
    w.maxSplit <= 60 &&
    w.flags === 0 &&
    w.basic === (w.format.kind === "basic")
  );
}

// workchain#a6 enabled_since:uint32 monitor_min_split:(## 8) min_split:(## 8) max_split:(## 8)
//   { monitor_min_split <= min_split } { min_split <= max_split } { max_split <= 60 }
//   basic:(## 1) active:Bool accept_msgs:Bool flags:(## 13) { flags = 0 }
//   zerostate_root_hash:bits256 zerostate_file_hash:bits256
//   version:uint32 format:(WorkchainFormat basic) = WorkchainDescr;
// workchain_v2#a7 … split_merge_timings:WcSplitMergeTimings
//   persistent_state_split_depth:(## 8) { persistent_state_split_depth <= 63 } = WorkchainDescr;
export const WorkchainDescr = checked(
  union({
    v1: ["#a6", head],
    v2: ["#a7", { ...head, splitMergeTimings: SplitMergeTimings, persistentStateSplitDepth: uint8 }],
  }),
  (w) => holds(w) && (w.kind === "v1" || w.persistentStateSplitDepth <= 63),
  "monitor_min_split <= min_split <= max_split <= 60, flags = 0, the format is the one `basic` says",
);
export type WorkchainDescr = ValueOf<typeof WorkchainDescr>;

// _ workchains:(HashmapE 32 WorkchainDescr) = ConfigParam 12;
export const Workchains = dictionary(intKey(32), WorkchainDescr);
