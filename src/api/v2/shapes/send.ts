import { Type } from "typebox";
import type { FeeEstimate } from "../../../chain/run/fees.ts";
import type { SentMessage } from "../../../chain/send.ts";
import { field } from "../../../lib/kit/shape.ts";
import { bigNumber } from "./ids.ts";
import { hash64 } from "./scalars.ts";
import { typed } from "./typed.ts";

/** Success without further data. */
export const okShape = typed<SentMessage>()("ok", {});

export const extMessageInfo = typed<SentMessage>()("raw.extMessageInfo", {
  hash: hash64((sent) => sent.hash),
  hash_norm: hash64((sent) => sent.normalizedHash),
});

const fees = typed<FeeEstimate>()("fees", {
  in_fwd_fee: bigNumber((estimate) => estimate.inForward),
  storage_fee: bigNumber((estimate) => estimate.storage),
  gas_fee: bigNumber((estimate) => estimate.gas),
  fwd_fee: bigNumber((estimate) => estimate.forward),
});

/** Fees of destinations are not reported. */
const none = field({ schema: Type.Array(fees.schema, { maxItems: 0 }), encode: (_estimate: FeeEstimate) => [] });

export const queryFees = typed<FeeEstimate>()("query.fees", {
  source_fees: fees((estimate) => estimate),
  destination_fees: none((estimate) => estimate),
});
