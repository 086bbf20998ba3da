import { contract } from "../../kit/contract.ts";

export const bidaskPool = contract({
  name: "bidask_pool",
  methods: ["get_pool_info", "get_current_bin", "get_sqrt_p", "get_active_range"],
});

export const bidaskRange = contract({
  name: "bidask_range",
  methods: ["get_pool_addr", "get_lp_multitoken_wallet"],
});

export const bidaskLpMultitoken = contract({
  name: "bidask_lp_multitoken",
  methods: ["get_bins_number", "get_nft_data"],
});

export const bidaskInternalLiquidityVault = contract({
  name: "bidask_internal_liquidity_vault",
  methods: ["get_liquidity_data"],
});
