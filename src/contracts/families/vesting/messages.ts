import { type Body, body } from "../../kit/declare.ts";
import { queryId, ref, rest, uint8 } from "../../kit/fields.ts";
import { relaxedMessage } from "../../kit/messageFields.ts";

export const vestingSendMessageBody = body("vesting_send_message", 0xa7733acd, {
  queryId,
  sendMode: uint8,
  message: ref(relaxedMessage),
});
export const vestingSendMessageResponse = body("vesting_send_message_response", 0xf7733acd, { queryId });
/** An address, the next one in the first reference, and so on. */
export const vestingAddWhiteList = body("vesting_add_white_list", 0x7258a69b, { queryId, addressesRefSnake: rest });
export const vestingAddWhiteListResponse = body("vesting_add_white_list_response", 0xf258a69b, { queryId });

/** In the order they are tried. */
export const vestingBodies: readonly Body<unknown>[] = [
  vestingSendMessageBody,
  vestingSendMessageResponse,
  vestingAddWhiteList,
  vestingAddWhiteListResponse,
];
