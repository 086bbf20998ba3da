import type { Body } from "../../kit/declare.ts";
import { ref, rest, uint8 } from "../../kit/fields.ts";
import { relaxedMessage } from "../../kit/messageFields.ts";
import { queryBody } from "../../kit/queryBody.ts";

export const vestingSendMessageBody = queryBody("vesting_send_message", 0xa7733acd, {
  sendMode: uint8,
  message: ref(relaxedMessage),
});
export const vestingSendMessageResponse = queryBody("vesting_send_message_response", 0xf7733acd);
/** An address, the next one in the first reference, and so on. */
export const vestingAddWhiteList = queryBody("vesting_add_white_list", 0x7258a69b, { addressesRefSnake: rest });
export const vestingAddWhiteListResponse = queryBody("vesting_add_white_list_response", 0xf258a69b);

/** In the order they are tried. */
export const vestingBodies: readonly Body<unknown>[] = [
  vestingSendMessageBody,
  vestingSendMessageResponse,
  vestingAddWhiteList,
  vestingAddWhiteListResponse,
];
