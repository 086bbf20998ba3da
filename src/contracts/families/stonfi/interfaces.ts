import { contract } from "../../kit/contract.ts";

export const stonfiPool = contract({
  name: "stonfi_pool",
  methods: [
    "get_pool_data",
    "get_expected_outputs",
    "get_expected_tokens",
    "get_expected_liquidity",
    "get_lp_account_address",
  ],
});

export const stonfiPoolV2 = contract({
  name: "stonfi_pool_v2",
  methods: ["get_pool_data", "get_pool_type", "get_lp_account_address", "get_jetton_data", "get_wallet_address"],
});

export const stonfiRouterV2 = contract({
  name: "stonfi_router_v2",
  methods: ["get_vault_address", "get_pool_address", "get_router_data", "get_router_version"],
});

export const stonfiRouter = contract({
  name: "stonfi_router",
  methods: ["get_router_data", "get_pool_address"],
});

export const stonfiLpAccountV2 = contract({
  name: "stonfi_lp_account_v2",
  methods: ["get_lp_account_data"],
});

export const stonfiVaultV2 = contract({
  name: "stonfi_vault_v2",
  methods: ["get_vault_data"],
});

export const omnistonReferral = contract({
  name: "omniston_referral",
  codes: ["7cxi8XUil/vaJAjAnKQgs6+VKBAuM7ngoOvjhVPBj+w=", "bNo1HDwO42iHOl6hD1O5pHpVqs3I3rP9EDwvloyVJSc="],
});
