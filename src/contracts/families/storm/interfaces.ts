import { contract } from "../../kit/contract.ts";

export const stormVamm = contract({
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

export const stormReferral = contract({
  name: "storm_referral",
  methods: ["get_nft_data", "get_referral_data"],
});

export const stormReferralCollection = contract({
  name: "storm_referral_collection",
  methods: ["get_referral_vaults_whitelist"],
});

export const stormExecutor = contract({
  name: "storm_executor",
  methods: ["get_nft_data", "get_executor_balances"],
});

export const stormExecutorCollection = contract({
  name: "storm_executor_collection",
  methods: ["get_amm_name"],
});

export const stormVault = contract({
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

export const stormPositionManager = contract({
  name: "storm_position_manager",
  methods: ["get_position_manager_contract_data"],
});
