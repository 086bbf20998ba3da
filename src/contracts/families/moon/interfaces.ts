import { contract } from "../../kit/contract.ts";

export const moonPool = contract({
  name: "moon_pool",
  codes: ["KAgWUlMoah5P5j76ubo1SBE3qsCxoPntzLj2RC3eRsQ="],
  methods: ["get_jetton_data", "get_reserves", "get_assets", "get_wallet_address"],
});

export const moonBooster = contract({
  name: "moon_booster",
  codes: ["zoTDgsi2rA0FISu6o00F5U4eMOLMkony2cnWRyahEqg="],
  methods: ["get_status", "get_pool"],
});

export const moonOrderFactory = contract({
  name: "moon_order_factory",
  codes: ["0Ec31vZ4EDqeRIwiEJkZ0PnL4F7xsag8XnuIZoOlRwQ="],
  methods: ["get_id", "get_pipe"],
});

export const moonOrder = contract({
  name: "moon_order",
  codes: ["iMONKVhrXXSLrbx7Tb/iOcJcuFypxFhqROBVB6bt9qY=", "7gcUCzzP4mHtKFgPYKFr2kxLnG19p64F9bfH4rHf4iY="],
  methods: ["get_status", "get_order_amount", "get_fill_out", "get_vesting_data"],
});
