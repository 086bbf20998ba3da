import { dictionary, entries, inReference, keys, type Layout, optional, record, sequence, tagged } from "./layout.ts";

/** The layouts of configuration parameters that are more than a list of fields. */

const gasLimits = "block_gas_limit:u64 freeze_due_limit:u64 delete_due_limit:u64";
const plainGas = {
  dd: record(`gas_price:u64 gas_limit:u64 gas_credit:u64 ${gasLimits}`),
  de: record(`gas_price:u64 gas_limit:u64 special_gas_limit:u64 gas_credit:u64 ${gasLimits}`),
};
export const gasPrices = tagged({
  ...plainGas,
  d1: sequence(record("flat_gas_limit:u64 flat_gas_price:u64"), tagged(plainGas)),
});

export const forwardPrices = tagged({
  ea: record("lump_price:u64 bit_price:u64 cell_price:u64 ihr_price_factor:u32 first_frac:u16 next_frac:u16"),
});

const limits = (name: string) =>
  tagged({ c3: record(`${name}_underload:u32 ${name}_soft_limit:u32 ${name}_hard_limit:u32`) });
const plainLimits = sequence(limits("bytes"), limits("gas"), limits("lt_delta"));
const queueLimits = tagged({ d3: record("imported_queue_max_bytes:u32 imported_queue_max_msgs:u32") });
export const blockLimits = tagged({
  "5d": plainLimits,
  "5e": sequence(plainLimits, limits("collated_data"), queueLimits),
});

const publicKey = tagged({ "8e81278a": record("public_key:x") });
const validator = tagged({
  "53": sequence(publicKey, record("weight:u64")),
  "73": sequence(publicKey, record("weight:u64 adnl_address:x")),
});
const validatorList = entries("validator", "u16", validator);
const validatorTimes = record("utime_since:t utime_until:t total:u16 main:u16");
export const validators = tagged({
  "11": sequence(validatorTimes, validatorList),
  "12": sequence(validatorTimes, record("total_weight:u64"), dictionary(validatorList)),
});

const proposals = tagged({
  "36": record(
    "min_total_rounds:u8 max_total_rounds:u8 min_wins:u8 max_losses:u8 min_store_seconds:u32 max_store_seconds:u32 bit_price:u32 cell_price:u32",
  ),
});
export const votingSetup = tagged({
  "91": sequence(inReference("normal", proposals), inReference("critical", proposals)),
});

const workchainHead = sequence(
  record("enabled_since:t monitor_min_split:u8 min_split:u8 max_split:u8 is_basic:b is_active:b accepts_messages:b"),
  record("flags:u13 zero_state_root_hash:x zero_state_file_hash:x version:u32"),
  tagged({
    "1": record("vm_version:i32 vm_mode:u64"),
    "0": record("min_address_length:u12 max_address_length:u12 address_length_step:u12 workchain_type:u32"),
  }),
);
const splitMerge = tagged({
  "0": record(
    "split_merge_delay:u32 split_merge_interval:u32 min_split_merge_interval:u32 max_split_merge_delay:u32 persistent_state_split_depth:u8",
  ),
});
const workchain = tagged({ a6: workchainHead, a7: sequence(workchainHead, splitMerge) });
export const workchains = dictionary(entries("workchain", "i32", workchain));

export const storagePrices = entries(
  "prices",
  "u32",
  tagged({
    cc: record("from:t bit_price:u64 cell_price:u64 masterchain_bit_price:u64 masterchain_cell_price:u64"),
  }),
);

const catchainTimes =
  "mc_catchain_lifetime:u32 shard_catchain_lifetime:u32 shard_validators_lifetime:u32 shard_validators_num:u32";
export const catchain = tagged({
  c1: record(catchainTimes),
  c2: record(`flags:u7 shuffle_mc_validators:b ${catchainTimes}`),
});

const consensusTimes =
  "next_candidate_delay_ms:u32 consensus_timeout_ms:u32 fast_attempts:u32 attempt_duration:u32 catchain_max_deps:u32 max_block_bytes:u32 max_collated_bytes:u32";
const rounds = `new_catchain_ids:b round_candidates:u8 ${consensusTimes}`;
export const consensus = tagged({
  d6: record(`round_candidates:u32 ${consensusTimes}`),
  d7: record(`flags:u7 ${rounds}`),
  d8: record(`flags:u7 ${rounds} proto_version:u16`),
  d9: record(`flags:u6 use_quic:b ${rounds} proto_version:u16 catchain_max_blocks_coeff:u32`),
});

const simplex = tagged({
  "21": record(
    "flags:u7 use_quic:b target_rate_ms:u32 slots_per_leader_window:u32 first_block_timeout_ms:u32 max_leader_window_desync:u32",
  ),
  "22": sequence(
    record("flags:u5 protocol_version:u2 use_quic:b slots_per_leader_window:u32"),
    dictionary(entries("parameter", "u8", record(":u32"))),
  ),
});
export const newConsensus = tagged({
  "10": sequence(optional(inReference("masterchain", simplex)), optional(inReference("shards", simplex))),
});

const sizes =
  "max_msg_bits:u32 max_msg_cells:u32 max_library_cells:u32 max_vm_data_depth:u16 max_ext_msg_size:u32 max_ext_msg_depth:u16";
const moreSizes = `${sizes} max_acc_state_cells:u32 max_mc_acc_state_cells:u32 max_acc_public_libraries:u32 defer_out_queue_size_limit:u32 max_msg_extra_currencies:u32 max_acc_fixed_prefix_length:u8 acc_state_cells_for_storage_dict:u32 max_transaction_library_loads:?u32`;
export const sizeLimits = tagged({
  "01": record(sizes),
  "02": record(moreSizes),
  "03": record(`${moreSizes} max_total_msg_bits:u32 max_total_msg_cells:u32`),
});

export const punishment = tagged({
  "01": record(
    "default_flat_fine:c default_proportional_fine:u32 severity_flat_mult:u16 severity_proportional_mult:u16 unpunishable_interval:u16 long_interval:u16 long_flat_mult:u16 long_proportional_mult:u16 medium_interval:u16 medium_flat_mult:u16 medium_proportional_mult:u16",
  ),
});

export const suspended = tagged({
  "00": sequence(dictionary(keys("addresses", "a")), record("suspended_until:t")),
});

export const precompiled = tagged({
  c0: dictionary(entries("code", "x", tagged({ b0: record("gas:u64") }))),
});

const oracles = dictionary(entries("oracle", "x", record(":x")));
export const oracleBridge = sequence(
  record("bridge_address:x multisig_address:x"),
  oracles,
  record("external_chain_address:x"),
);
const bridgePrices = record(
  "bridge_burn_fee:c bridge_mint_fee:c wallet_min_coins_for_storage:c wallet_gas_consumption:c minter_min_coins_for_storage:c discover_gas_consumption:c",
);
const bridgeHead = sequence(record("bridge_address:x oracles_address:x"), oracles, record("state_flags:u8"));
export const jettonBridge: Layout = tagged({
  "00": sequence(bridgeHead, record("burn_bridge_fee:c")),
  "01": sequence(bridgeHead, inReference("prices", bridgePrices), record("external_chain_address:x")),
});
