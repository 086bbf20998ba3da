import { declareFamily } from "../../engine/declareFamily.ts";
import { teleitemCancelMatcher, teleitemStartMatcher, teleitemTransferMatcher } from "./actions.ts";
import { teleitemInterface } from "./interfaces.ts";
import { teleitem } from "./item.ts";
import { teleitemBodies } from "./messages.ts";

const types = ["teleitem_start_auction", "teleitem_cancel_auction"];

/** Usernames and numbers sold by Telegram. */
export const family = declareFamily({
  bodies: teleitemBodies,
  interfaces: [teleitemInterface],
  entities: [teleitem],
  matchers: { transfer: teleitemTransferMatcher, start: teleitemStartMatcher, cancel: teleitemCancelMatcher },
  types: { v3: types, sets: { "nft.v3": types } },
});
