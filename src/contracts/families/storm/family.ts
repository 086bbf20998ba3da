import { declareFamily } from "../../engine/declareFamily.ts";
import { contract } from "../../kit/contract.ts";
import { type Body, bareOpcode, bareOpcodes } from "../../kit/declare.ts";

/** Known by name only. */
const stormBodies: readonly Body<unknown>[] = [
  bareOpcode("storm_execute_orders_bundle", 0x04c52fd2),
  ...bareOpcodes({
    storm_self_deposit_jetton: 0x01d81ebc,
    storm_deploy_ordinary_sa: 0x0302cd79,
    storm_change_lazer_data: 0x04db6665,
    storm_change_cold_key_factory: 0x0b9d20cc,
    storm_update_sa_ordinary_code: 0x0c6ca95e,
    storm_change_max_leverage: 0x0ef28735,
    storm_provide_position: 0x13076670,
    storm_change_factory_content: 0x13559d58,
    storm_change_lazer_data_request: 0x174c830c,
    storm_change_factory_code: 0x179d61f9,
    storm_deposit_notify: 0x186b2edf,
    storm_deposit_notify_with_deploy: 0x18a092f7,
    storm_change_hot_key_factory: 0x1bd24ca6,
    storm_take_position_v2: 0x1bea50f1,
    storm_notify_update_position: 0x1ca43d2f,
    storm_withdraw_success: 0x20d835c2,
    storm_add_public_key: 0x220c4c19,
    storm_change_max_leverage_request: 0x28055719,
    storm_trade_notification_v2: 0x28d36491,
    storm_deposit_native: 0x29bb3721,
    storm_trade_notification: 0x3475fdd2,
    storm_change_hot_key: 0x34d2e9f9,
    storm_fail_notification: 0x367f2743,
    storm_change_v3_state: 0x3e56c929,
    storm_referral_fees: 0x4fedc82b,
    storm_withdraw_request: 0x512cbd25,
    storm_self_deposit_native: 0x558e804a,
    storm_deposit_ton: 0x5a091c43,
    storm_notify_with_deploy: 0x5a89f5a2,
    storm_force_close_min_margin: 0x5a8cf652,
    storm_init_sa: 0x5b0dd9f4,
    storm_deposit_revert: 0x5b27f9c5,
    storm_force_close_max_leverage: 0x5b705138,
    storm_execute_orders_bundle: 0x5f40f1ec,
    storm_update_position: 0x60dfc677,
    storm_remove_all_keys_except_current: 0x644794b8,
    storm_failed_bundle_execution: 0x666392ee,
    storm_unsuccessful_deposit: 0x6cde12e2,
    storm_withdraw_request_user: 0x6eec039d,
    storm_change_cold_key: 0x70246da6,
    storm_remove_public_key: 0x76519f8b,
    storm_deposit_jetton: 0x76840119,
    storm_change_cold_key_request: 0x7a0bda1c,
    storm_complete_order: 0xcf90d618,
    storm_execute_order: 0xde1ddbcc,
  }),
];

const stormVamm = contract({
  name: "storm_vamm",
  methods: [
    "get_amm_name",
    "get_amm_status",
    "get_amm_contract_data",
    "get_exchange_settings",
    "get_spot_price",
    "get_terminal_amm_price",
    "get_vamm_type",
  ],
});

const stormReferral = contract({ name: "storm_referral", methods: ["get_nft_data", "get_referral_data"] });

const stormReferralCollection = contract({
  name: "storm_referral_collection",
  methods: ["get_referral_vaults_whitelist"],
});

const stormExecutor = contract({ name: "storm_executor", methods: ["get_nft_data", "get_executor_balances"] });

const stormExecutorCollection = contract({ name: "storm_executor_collection", methods: ["get_amm_name"] });

const stormVault = contract({
  name: "storm_vault",
  methods: [
    "get_executor_collection_address",
    "get_referral_collection_address",
    "get_vault_contract_data",
    "get_lp_minter_address",
    "get_vault_whitelisted_addresses",
    "get_vault_data",
    "get_vault_type",
  ],
});

const stormPositionManager = contract({
  name: "storm_position_manager",
  methods: ["get_position_manager_contract_data"],
});

/** The Storm exchange. */
export const family = declareFamily({
  bodies: stormBodies,
  interfaces: [
    stormVamm,
    stormReferral,
    stormReferralCollection,
    stormExecutor,
    stormExecutorCollection,
    stormVault,
    stormPositionManager,
  ],
});
