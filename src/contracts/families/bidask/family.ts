import { declareFamily } from "../../engine/declareFamily.ts";
import { address } from "../../kit/addressFields.ts";
import { contract } from "../../kit/contract.ts";
import { type Body, type BodyField, bareOpcodes, record } from "../../kit/declare.ts";
import { bool, coins, int, maybeRef, maybeRefTo, uint16, uint256 } from "../../kit/fields.ts";
import { queryBody } from "../../kit/queryBody.ts";

/** Either Coins uint256: an amount, or a price. */
const slippage: BodyField<bigint> = {
  load: (s) => (s.loadBit() ? uint256.load(s) : coins.load(s)),
  show: (s, showing) =>
    s.loadBit()
      ? { "@type": "second_from_either", value: uint256.show(s, showing) }
      : { "@type": "first_from_either", value: coins.show(s, showing) },
  abi: {
    union: [
      { name: "amount", tag: "$0", fields: [{ name: "value", type: "coins" }] },
      { name: "price", tag: "$1", fields: [{ name: "value", type: "uint256" }] },
    ],
  },
};
const additionalData = maybeRefTo(record("additional_data", { fromAddress: address, refAddress: address }));

const bidaskInternalSwapV2 = queryBody("bidask_internal_swap_v2", 0x87d36990, {
  toAddress: address,
  order: bool,
  isX: bool,
  amountIn: coins,
  amountOut: coins,
  exactOut: coins,
  slippage,
  farmingCell: maybeRef,
  additionalData,
  rejectPayload: maybeRef,
  forwardPayload: maybeRef,
});
const bidaskSwapSuccessV2 = queryBody("bidask_swap_success_v2", 0xd3a25890, {
  newCurrentBin: int(32),
  newSqrtPrice: uint256,
  order: bool,
  amountX: coins,
  amountY: coins,
  isX: bool,
  userAddress: address,
  dynamicFee: uint16,
  additionalData,
  rejectPayload: maybeRef,
  forwardPayload: maybeRef,
});
const bidaskNativeTransferNotification = queryBody("bidask_native_transfer_notification", 0x6edd65f0, {
  nativeAmount: coins,
  forwardPayload: maybeRef,
});

/** Known by name only. */
const bare = bareOpcodes({
  bidask_provide_refund: 0x02422cbe,
  bidask_internal_continue_provide: 0x0c09445a,
  bidask_liquidity_added_notify: 0x0dc8bb28,
  bidask_internal_burn: 0x16e09400,
  bidask_swap_fallback_v2: 0x1bba3896,
  bidask_swap_fallback: 0x1bba3896,
  bidask_save_liquidity_info: 0x214ad1d2,
  bidask_multitoken_mint: 0x250ad226,
  bidask_provide_both_forward_payload: 0x3ea0bafc,
  bidask_burn_payout: 0x42062d62,
  bidask_swap_success: 0x520e4831,
  bidask_internal_continue_swap: 0x59699475,
  bidask_internal_continue_swap_v2: 0x5a6a036f,
  bidask_internal_swap: 0x66210c65,
  bidask_burn: 0x73403c43,
  bidask_swap_v2: 0x87d36990,
  bidask_swap_v2_forward_payload: 0x87d36990,
  bidask_provide: 0x96feef7b,
  bidask_provide_forward_payload: 0x96feef7b,
  bidask_adding_liquidity_notify: 0xaf31d23f,
  bidask_internal_provide: 0xd1b02ea5,
  bidask_burn_all: 0xebd6ec83,
  bidask_swap: 0xf2ef6c1b,
  bidask_swap_forward_payload: 0xf2ef6c1b,
});

/** In the order they are tried. */
const bidaskBodies: readonly Body<unknown>[] = [
  bidaskInternalSwapV2,
  bidaskSwapSuccessV2,
  bidaskNativeTransferNotification,
  ...bare,
];

const bidaskPool = contract({
  name: "bidask_pool",
  methods: ["get_pool_info", "get_current_bin", "get_sqrt_p", "get_active_range"],
});

const bidaskRange = contract({ name: "bidask_range", methods: ["get_pool_addr", "get_lp_multitoken_wallet"] });

const bidaskLpMultitoken = contract({ name: "bidask_lp_multitoken", methods: ["get_bins_number", "get_nft_data"] });

const bidaskInternalLiquidityVault = contract({
  name: "bidask_internal_liquidity_vault",
  methods: ["get_liquidity_data"],
});

/** The Bidask exchange. */
export const family = declareFamily({
  bodies: bidaskBodies,
  interfaces: [bidaskPool, bidaskRange, bidaskLpMultitoken, bidaskInternalLiquidityVault],
});
