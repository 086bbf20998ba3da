import type { FullJettonTransfer, WithCustomPayload, WithPayloads } from "../../../history/queries/tokenEvents.ts";
import { bool, decimal, int, nullable } from "../../../lib/kit/shape.ts";
import { address, boc, hash, jsonObject } from "./scalars.ts";

/** The columns that all token events have. */
type EventRow = Pick<
  FullJettonTransfer["row"],
  "queryId" | "txHash" | "txLt" | "txNow" | "txAborted" | "responseDestination" | "traceId"
>;
type Event = WithCustomPayload<EventRow>;

export const queryId = decimal(
  "Number that the sender chose to recognise the answer by.",
  (event: Event) => event.row.queryId,
);

/** The transaction of an event. */
export const transactionFields = {
  transaction_hash: hash("Hash of the transaction, in base64.", (event: Event) => event.row.txHash),
  transaction_lt: decimal("Logical time of the transaction.", (event: Event) => event.row.txLt),
  transaction_now: int("Time of the transaction, in Unix seconds.", (event: Event) => event.row.txNow),
  transaction_aborted: bool("Whether the transaction failed.", (event: Event) => event.row.txAborted),
};

export const customPayloadFields = {
  response_destination: nullable(address)(
    "Address that receives the coins left over; null for none.",
    (event: Event) => event.row.responseDestination,
  ),
  custom_payload: nullable(boc)(
    "Payload for the wallet or item contract itself, as a bag of cells in base64; null without one.",
    (event: Event) => event.customPayload?.boc,
  ),
  decoded_custom_payload: nullable(jsonObject)(
    "Custom payload as fields; null if its kind is not known.",
    (event: Event) => event.customPayload?.decoded,
  ),
};

export const forwardPayloadFields = {
  forward_payload: nullable(boc)(
    "Payload that goes on to the receiver, as a bag of cells in base64; null without one.",
    (event: WithPayloads<EventRow>) => event.forwardPayload?.boc,
  ),
  decoded_forward_payload: nullable(jsonObject)(
    "Forward payload as fields; null if its kind is not known.",
    (event: WithPayloads<EventRow>) => event.forwardPayload?.decoded,
  ),
};

export const traceId = nullable(hash)(
  "Id of the trace: the hash of its first transaction, in base64; null before that is known.",
  (event: Event) => event.row.traceId,
);
