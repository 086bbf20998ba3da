import { address } from "../addressFields.ts";
import { quietBody } from "../declare.ts";
import { payload, queryId, vcoins } from "../fields.ts";

/** An internal transfer under another opcode, without a name in the public index. */
export const ethenaInternalTransfer = quietBody("ethena_internal_transfer", 0xb2583ed5, {
  queryId,
  amount: vcoins,
  from: address,
  responseAddress: address,
  forwardTonAmount: vcoins,
  forwardPayload: payload,
});
