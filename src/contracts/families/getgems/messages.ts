import { type Body, quietBody } from "../../kit/declare.ts";
import { coins } from "../../kit/fields.ts";
import { queryBody } from "../../kit/queryBody.ts";

export const saleUpdateMessage = queryBody("sale_update_message", 0x6c6c2080, {
  newFullPrice: coins,
  newMpFee: coins,
  newRoyaltyAmount: coins,
});

/** Opcodes of the market that have no name in the public index. */
export const saleCancel = quietBody("sale_cancel", 0x00000003, {});
export const auctionCancel = quietBody("auction_cancel", 0x5616c572, {});
export const auctionFinish = quietBody("auction_finish", 0x20c9eb18, {});
export const auctionStop = quietBody("auction_stop", 0xb95616b6, {});

/** In the order they are tried. */
export const getgemsBodies: readonly Body<unknown>[] = [saleUpdateMessage];
