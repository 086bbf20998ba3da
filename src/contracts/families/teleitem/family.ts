import { declareFamily } from "../../engine/declareFamily.ts";
import { contract } from "../../kit/contract.ts";
import { teleitemCancelMatcher, teleitemStartMatcher, teleitemTransferMatcher } from "./actions.ts";
import { teleitem } from "./item.ts";
import { teleitemBodies } from "./messages.ts";

const teleitemInterface = contract({
  name: "teleitem",
  methods: ["get_telemint_auction_state", "get_telemint_auction_config", "get_telemint_token_name"],
});

const types = ["teleitem_start_auction", "teleitem_cancel_auction"];

/** Usernames and numbers sold by Telegram. */
export const family = declareFamily({
  bodies: teleitemBodies,
  interfaces: [teleitemInterface],
  entities: [teleitem],
  matchers: { transfer: teleitemTransferMatcher, start: teleitemStartMatcher, cancel: teleitemCancelMatcher },
  types: { v3: types, sets: { "nft.v3": types } },
});
