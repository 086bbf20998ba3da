import { declareFamily } from "../../engine/declareFamily.ts";
import { contract } from "../../kit/contract.ts";
import { nftItemInterface } from "../nft/interfaces.ts";
import { teleitemCancelMatcher, teleitemStartMatcher, teleitemTransferMatcher } from "./actions.ts";
import { getAuctionConfig, getAuctionState, getTokenName, royaltyParams, teleitem } from "./item.ts";
import {
  teleitemBodies,
  teleitemMsgCancelAuction,
  teleitemMsgDeploy,
  teleitemMsgStartAuction,
  teleitemOk,
  teleitemReturnBid,
} from "./messages.ts";

const teleitemInterface = contract({
  name: "teleitem",
  methods: [getAuctionState, getAuctionConfig, getTokenName],
  furtherMethods: [royaltyParams],
  receives: [teleitemMsgStartAuction, teleitemMsgCancelAuction, teleitemMsgDeploy],
  sends: [teleitemOk, teleitemReturnBid],
  like: nftItemInterface,
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
