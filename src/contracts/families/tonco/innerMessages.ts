import { address } from "../../kit/addressFields.ts";
import { group, quietBody } from "../../kit/declare.ts";
import { maybeRefTo, queryId, uint32, uint64, vcoins } from "../../kit/fields.ts";

/** The common fields of all forms of the payment. */
export const toncoPayTo = quietBody("tonco_router_pay_to", 0xa1daa96d, {
  queryId,
  receiver0: address,
  receiver1: address,
  exitCode: uint32,
  seqno: uint64,
  coins: maybeRefTo(group({ amount0: vcoins, wallet0: address, amount1: vcoins, wallet1: address })),
});
