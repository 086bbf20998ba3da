import { contract } from "../../kit/contract.ts";
import { getJettonData, getWalletAddress } from "../jetton/interfaces.ts";
import { jettonNotify, jettonTransferBody } from "../jetton/messages.ts";
import * as messages from "./messages.ts";

export const stonfiPool = contract({
  name: "stonfi_pool",
  furtherMethods: [getJettonData, getWalletAddress],
  receives: [messages.stonfiSwap],
  sends: [messages.stonfiPaymentRequest],
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
  receives: [
    messages.stonfiSwapV2,
    messages.stonfiProvideLpV2,
    messages.stonfiCbAddLiquidityV2,
    messages.stonfiBurnNotificationExtV2,
  ],
  sends: [messages.stonfiPayToV2, messages.stonfiPayVaultV2, messages.stonfiAddLiquidityV2],
  methods: ["get_pool_data", "get_pool_type", "get_lp_account_address", getJettonData, getWalletAddress],
});

export const stonfiRouterV2 = contract({
  name: "stonfi_router_v2",
  receives: [messages.stonfiPayToV2, messages.stonfiPayVaultV2, jettonNotify],
  sends: [messages.stonfiSwapV2, messages.stonfiProvideLpV2, jettonTransferBody],
  methods: ["get_vault_address", "get_pool_address", "get_router_data", "get_router_version"],
});

export const stonfiRouter = contract({
  name: "stonfi_router",
  receives: [messages.stonfiPaymentRequest, jettonNotify],
  sends: [messages.stonfiSwap, jettonTransferBody],
  methods: ["get_router_data", "get_pool_address"],
});

export const stonfiLpAccountV2 = contract({
  name: "stonfi_lp_account_v2",
  receives: [messages.stonfiAddLiquidityV2],
  sends: [messages.stonfiCbAddLiquidityV2],
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
