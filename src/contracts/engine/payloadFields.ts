import type { Cell } from "../../cell/Cell.ts";
import type { Address } from "../../model/Address.ts";
import type { DetailFieldMakers } from "./details.ts";

/** What a transfer of a token contains besides the token: jettons and items have the same. */
export interface TransferPayload {
  readonly queryId: bigint;
  readonly responseDestination: Address | undefined;
  readonly customPayload: Cell | undefined;
  readonly forwardPayload: Cell | undefined;
  readonly forwardAmount: bigint | undefined;
}

const asBag = "as a bag of cells in base64; null without one";

export function payloadFields<T extends TransferPayload>(f: DetailFieldMakers<T>) {
  return {
    query_id: f.amount("Number that the sender chose to recognise the answer by.", (t) => t.queryId),
    response_destination: f.address(
      "Address that receives the coins left over; null for none.",
      (t) => t.responseDestination,
    ),
    custom_payload: f.boc(`Payload for the wallet or item contract itself, ${asBag}.`, (t) => t.customPayload),
    forward_payload: f.boc(`Payload that goes on to the receiver, ${asBag}.`, (t) => t.forwardPayload),
    forward_amount: f.amount(
      "Coins that go on to the receiver with a notification, in nanocoins.",
      (t) => t.forwardAmount,
    ),
  };
}
