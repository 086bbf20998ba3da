import { contract } from "../../kit/contract.ts";

export const dedustFactory = contract({
  name: "dedust_factory",
  methods: ["get_vault_address", "get_pool_address", "get_liquidity_deposit_address"],
});

export const dedustLiquidityDeposit = contract({
  name: "dedust_liquidity_deposit",
  methods: ["get_balances", "get_target_balances"],
});

export const dedustPoolInterface = contract({
  name: "dedust_pool",
  methods: ["get_reserves", "get_assets", "get_jetton_data", "is_stable", "get_trade_fee", "estimate_swap_out"],
});

export const dedustVault = contract({
  name: "dedust_vault",
  methods: ["get_asset"],
});

export const x1000WalletV1 = contract({
  name: "x1000_wallet_v1",
  codes: ["Q9RHFtMmqDLO1WprYKAstnYw4E9Xhf6J+HhKEQzzYVE="],
});

export const x1000AffiliateAccount = contract({
  name: "x1000_affiliate_account",
  codes: ["RFb60SpDTEiYsFrGW6td6A2zPydcYCB0bejhEaXNpOY="],
  methods: ["get_affiliate_account_data"],
});

export const x1000AffiliateProgram = contract({
  name: "x1000_affiliate_program",
  codes: ["yLuWL5k+Jp+RQ1u+dsG7rdb6Tq0+msgcoJdeGCDL7ws="],
  methods: ["get_affiliate_account_address"],
});
