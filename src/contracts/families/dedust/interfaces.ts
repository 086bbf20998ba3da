import { contract } from "../../kit/contract.ts";
import { describedMethod, getMethod } from "../../kit/getMethod.ts";
import { flag, single, slice, stack, stackAddress, stackInt } from "../../kit/stack.ts";
import { getJettonData } from "../jetton/interfaces.ts";
import * as messages from "./messages.ts";
import { dedustAsset } from "./messages.ts";

const asset = { ...slice, abi: dedustAsset.abi };

export const getAssets = getMethod("get_assets", stack({ first: asset, second: asset }));
export const getReserves = getMethod("get_reserves", stack({ first: stackInt, second: stackInt }));
export const getTradeFee = getMethod("get_trade_fee", stack({ numerator: stackInt, denominator: stackInt }));
export const isStable = getMethod("is_stable", single(flag, "stable"));
export const getPoolAddress = getMethod("get_pool_address", single(stackAddress, "pool"), {
  poolType: stackInt,
  first: asset,
  second: asset,
});
const getVaultAddress = describedMethod("get_vault_address", { vault: "address" }, { asset: dedustAsset.abi });
const estimateSwapOut = describedMethod(
  "estimate_swap_out",
  { assetOut: dedustAsset.abi, amountOut: "coins", tradeFee: "coins" },
  { assetIn: dedustAsset.abi, amountIn: "coins" },
);

export const dedustFactory = contract({
  name: "dedust_factory",
  methods: [getVaultAddress, getPoolAddress, "get_liquidity_deposit_address"],
  receives: messages.dedustFactoryBodies,
});

export const dedustLiquidityDeposit = contract({
  name: "dedust_liquidity_deposit",
  methods: [
    describedMethod("get_balances", { first: "coins", second: "coins" }),
    describedMethod("get_target_balances", { first: "coins", second: "coins" }),
  ],
  receives: [messages.dedustDepositAsset, messages.dedustFulfillDeposit, messages.dedustRejectDeposit],
  sends: [messages.dedustPayOutFromDeposit],
});

export const dedustPoolInterface = contract({
  name: "dedust_pool",
  methods: [getReserves, getAssets, getJettonData, isStable, getTradeFee, estimateSwapOut],
  receives: [messages.dedustSwapExternal, messages.dedustSwapPeer],
  sends: [messages.dedustSwapPeer],
});

export const dedustVault = contract({
  name: "dedust_vault",
  methods: [describedMethod("get_asset", { asset: dedustAsset.abi })],
  receives: [messages.dedustSwap, messages.dedustPayOutFromDeposit, messages.dedustDepositLiquidityInline],
  sends: [messages.dedustSwapExternal, messages.dedustCreateLiquidityDeposit, messages.dedustPayout],
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
