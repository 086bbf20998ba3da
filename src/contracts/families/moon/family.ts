import { declareFamily } from "../../engine/declareFamily.ts";
import { contract } from "../../kit/contract.ts";
import { type Body, bareOpcodes } from "../../kit/declare.ts";

/** Known by name only. */
const moonBodies: readonly Body<unknown>[] = bareOpcodes({
  moon_cancel_order: 0x1e8d79c4,
  moon_order_cancelled: 0x49f48ee9,
  moon_order_payout: 0x96612e37,
  moon_boost_pool: 0x96aa1586,
  moon_boost_pool_forward_payload: 0x96aa1586,
  moon_deploy_order: 0x983432e2,
  moon_fill_order: 0x99b49842,
  moon_fill_order_forward_payload: 0x99b49842,
  moon_deposit_liquidity: 0xb31db781,
  moon_deposit_liquidity_forward_payload: 0xb31db781,
  moon_swap: 0xb37a900b,
  moon_swap_forward_payload: 0xb37a900b,
  moon_vesting_payout: 0xb4fc3916,
  moon_swap_failed: 0xc47c1f57,
  moon_swap_failed_forward_payload: 0xc47c1f57,
  moon_swap_succeed: 0xcb7f38d6,
  moon_swap_succeed_forward_payload: 0xcb7f38d6,
  moon_create_order: 0xda067c19,
  moon_create_order_forward_payload: 0xda067c19,
});

const moonPool = contract({
  name: "moon_pool",
  codes: ["KAgWUlMoah5P5j76ubo1SBE3qsCxoPntzLj2RC3eRsQ="],
  methods: ["get_jetton_data", "get_reserves", "get_assets", "get_wallet_address"],
});

const moonBooster = contract({
  name: "moon_booster",
  codes: ["zoTDgsi2rA0FISu6o00F5U4eMOLMkony2cnWRyahEqg="],
  methods: ["get_status", "get_pool"],
});

const moonOrderFactory = contract({
  name: "moon_order_factory",
  codes: ["0Ec31vZ4EDqeRIwiEJkZ0PnL4F7xsag8XnuIZoOlRwQ="],
  methods: ["get_id", "get_pipe"],
});

const moonOrder = contract({
  name: "moon_order",
  codes: ["iMONKVhrXXSLrbx7Tb/iOcJcuFypxFhqROBVB6bt9qY=", "7gcUCzzP4mHtKFgPYKFr2kxLnG19p64F9bfH4rHf4iY="],
  methods: ["get_status", "get_order_amount", "get_fill_out", "get_vesting_data"],
});

/** The Moon exchange. */
export const family = declareFamily({
  bodies: moonBodies,
  interfaces: [moonPool, moonBooster, moonOrderFactory, moonOrder],
});
