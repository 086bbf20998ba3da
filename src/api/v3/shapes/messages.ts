import type { FullMessage, MessageContent } from "../../../history/queries/fill/FullTransaction.ts";
import type { MessageBetween } from "../../../history/queries/messages.ts";
import { bool, decimal, nullable, omittable, shape, text } from "../../../lib/kit/shape.ts";
import { address, boc, decimalOf, extraCurrencies, hash, jsonObject, named, opcode } from "./scalars.ts";

const content = named(
  "MessageContent",
  shape<MessageContent>()({
    hash: hash((c) => c.hash),
    body: boc((c) => c.boc),
    decoded: nullable(jsonObject)((c) => c.decoded),
  }),
);

const maxInt64 = 2n ** 63n - 1n;

/** A message without its transactions. */
const fields = {
  hash: hash((m: FullMessage) => m.row.hash),
  hash_norm: omittable(hash)((m: FullMessage) => m.row.hashNorm),
  source: nullable(address)((m: FullMessage) => m.row.source),
  destination: nullable(address)((m: FullMessage) => m.row.destination),
  value: nullable(decimal)((m: FullMessage) => m.row.value),
  value_extra_currencies: nullable(extraCurrencies)((m: FullMessage) =>
    m.row.value === undefined ? undefined : (m.row.valueExtra ?? {}),
  ),
  fwd_fee: nullable(decimal)((m: FullMessage) => m.row.fwdFee),
  ihr_fee: nullable(decimal)((m: FullMessage) => m.row.ihrFee),
  extra_flags: nullable(decimal)((m: FullMessage) => m.row.extraFlags),
  created_lt: nullable(decimal)((m: FullMessage) => m.row.createdLt),
  created_at: nullable(decimalOf)((m: FullMessage) => m.row.createdAt),
  opcode: nullable(opcode)((m: FullMessage) => m.row.opcode),
  decoded_opcode: nullable(text)((m: FullMessage) => m.opcodeName),
  ihr_disabled: nullable(bool)((m: FullMessage) => m.row.ihrDisabled),
  bounce: nullable(bool)((m: FullMessage) => m.row.bounce),
  bounced: nullable(bool)((m: FullMessage) => m.row.bounced),
  import_fee: nullable(decimal)((m: FullMessage) => {
    const { importFee } = m.row;
    return importFee !== undefined && importFee > maxInt64 ? undefined : importFee;
  }),
  message_content: nullable(content)((m: FullMessage) => m.body),
  init_state: nullable(content)((m: FullMessage) => m.init),
};

/** A message as a part of a transaction. */
export const messageShape = named("Message", shape<FullMessage>()(fields));

const plainMessage = shape<FullMessage>()(fields);

/** A message with the transactions that sent and received it. */
export const messageBetween = named("MessageBetween", {
  schema: {
    ...plainMessage.schema,
    properties: {
      ...Object(plainMessage.schema).properties,
      in_msg_tx_hash: omittable(hash).schema,
      out_msg_tx_hash: omittable(hash).schema,
    },
  },
  encode: ({ message, receivedBy, sentBy }: MessageBetween) => ({
    ...plainMessage.encode(message),
    ...(receivedBy === undefined ? {} : { in_msg_tx_hash: hash.encode(receivedBy) }),
    ...(sentBy === undefined ? {} : { out_msg_tx_hash: hash.encode(sentBy) }),
  }),
});
