import { accountAddress } from "../../kit/addressFields.ts";
import { type Body, bareOpcode, bareOpcodes, body, record } from "../../kit/declare.ts";
import { grams, int64, ref, uint8, uint32 } from "../../kit/fields.ts";

// teleitem_auction_config$_ beneficiary_address:MsgAddressInt initial_min_bid:Grams max_bid:Grams min_bid_step:uint8
//   min_extend_time:uint32 duration:uint32
export const teleitemAuctionConfig = record("teleitem_auction_config", {
  beneficiaryAddress: accountAddress,
  initialMinBid: grams,
  maxBid: grams,
  minBidStep: uint8,
  minExtendTime: uint32,
  duration: uint32,
});

export const teleitemMsgStartAuction = body("teleitem_msg_start_auction", 0x487a8e81, {
  queryId: int64,
  auctionConfig: ref(teleitemAuctionConfig),
});
export const teleitemMsgCancelAuction = body("teleitem_msg_cancel_auction", 0x371638ae, { queryId: int64 });
export const teleitemOk = body("teleitem_ok", 0xa37a0983, { queryId: int64 });
export const teleitemReturnBid = body("teleitem_return_bid", 0xa43227e1, { queryId: int64 });
export const teleitemBidInfo = body("teleitem_bid_info", 0x38127de1, { bid: grams, bidTs: uint32 });

export const teleitemMsgDeploy = bareOpcode("teleitem_msg_deploy", 0x299a3e15);

/** Known by name only. */
const bare = bareOpcodes({
  teleitem_msg_deploy_head: 0x299a3e15,
  telemint_msg_deploy: 0x4637289a,
  telemint_msg_deploy_v2: 0x4637289b,
});

/** In the order they are tried. */
export const teleitemBodies: readonly Body<unknown>[] = [
  teleitemMsgStartAuction,
  teleitemMsgCancelAuction,
  teleitemOk,
  teleitemReturnBid,
  teleitemBidInfo,
  teleitemMsgDeploy,
  ...bare,
];
