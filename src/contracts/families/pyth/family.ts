import { declareFamily } from "../../engine/declareFamily.ts";
import { contract } from "../../kit/contract.ts";
import { type Body, bareOpcodes } from "../../kit/declare.ts";

const pythPriceOracle = contract({
  name: "pyth_price_oracle",
  methods: [
    "get_update_fee",
    "get_single_update_fee",
    "get_governance_data_source_index",
    "get_governance_data_source",
    "get_last_executed_governance_sequence",
    "get_is_valid_data_source",
    "get_price_unsafe",
    "get_price_no_older_than",
    "get_ema_price_unsafe",
    "get_ema_price_no_older_than",
    "get_chain_id",
    "get_current_guardian_set_index",
    "get_guardian_set",
    "get_governance_chain_id",
    "get_governance_contract",
    "governance_action_is_consumed",
  ],
});

/** Known by name only. */
const pythBodies: readonly Body<unknown>[] = bareOpcodes({
  pyth_update_guardian_set: 0x00000001,
  pyth_parse_price_feed_updates: 0x00000005,
  pyth_parse_unique_price_feed_updates: 0x00000006,
  pyth_response_success: 0x00010001,
  pyth_response_error: 0x00010002,
});

/** Pyth price oracles. */
export const family = declareFamily({ bodies: pythBodies, interfaces: [pythPriceOracle] });
