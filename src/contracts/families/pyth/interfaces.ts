import { contract } from "../../kit/contract.ts";

export const pythPriceOracle = contract({
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
