import { contract } from "../../kit/contract.ts";

export const teleitemInterface = contract({
  name: "teleitem",
  methods: ["get_telemint_auction_state", "get_telemint_auction_config", "get_telemint_token_name"],
});
