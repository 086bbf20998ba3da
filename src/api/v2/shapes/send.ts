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
  hash: hash64("Hash of the message, in base64.", (sent) => sent.hash),
  hash_norm: hash64(
    "Normalized hash of an external message, in base64: it does not depend on how the message is written.",
    (sent) => sent.normalizedHash,
  ),
});

const fees = typed<FeeEstimate>()("fees", {
  in_fwd_fee: bigNumber("Fee for taking the external message, in nanocoins.", (estimate) => estimate.inForward),
  storage_fee: bigNumber("Fee for storage, in nanocoins.", (estimate) => estimate.storage),
  gas_fee: bigNumber("Fee for running the code, in nanocoins.", (estimate) => estimate.gas),
  fwd_fee: bigNumber("Fee for forwarding the message, in nanocoins.", (estimate) => estimate.forward),
});

/** Fees of destinations are not reported. */
const none = field({ schema: Type.Array(fees.schema, { maxItems: 0 }), encode: (_estimate: FeeEstimate) => [] });

export const queryFees = typed<FeeEstimate>()("query.fees", {
  source_fees: fees("Fees of the message itself.", (estimate) => estimate),
  destination_fees: none("Always empty: fees of further messages are not estimated.", (estimate) => estimate),
});
