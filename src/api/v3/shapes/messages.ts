import type { FullMessage, MessageContent } from "../../../history/queries/fill/FullTransaction.ts";
import type { MessageBetween } from "../../../history/queries/messages.ts";
import { countDeferred } from "../../../lib/kit/deferredJson.ts";
import { bool, decimal, nullable, omittable, schemaOf, shape, text } from "../../../lib/kit/shape.ts";
import { address, boc, decimalOf, extraCurrencies, hash, jsonObject, named, opcode } from "./scalars.ts";

const content = named(
  "MessageContent",
  shape<MessageContent>()({
    hash: hash("Hash of the cell, in base64.", (c) => c.hash),
    body: boc("Cell as a bag of cells in base64.", (c) => c.boc),
    decoded: nullable(jsonObject)("Body as fields; null if its kind is not known.", (c) => c.decoded),
  }),
);

const maxInt64 = 2n ** 63n - 1n;

/** A message without its transactions. */
const fields = {
  hash: hash("Hash of the message, in base64.", (m: FullMessage) => m.row.hash),
  hash_norm: omittable(hash)(
    "Normalized hash of an external message, in base64; absent for other messages.",
    (m: FullMessage) => m.row.hashNorm,
  ),
  source: nullable(address)(
    "Address of the sender; null for an incoming external message.",
    (m: FullMessage) => m.row.source,
  ),
  destination: nullable(address)(
    "Address of the receiver; null for an outgoing external message.",
    (m: FullMessage) => m.row.destination,
  ),
  value: nullable(decimal)(
    "Coins that the message carries, in nanocoins; null for an external message.",
    (m: FullMessage) => m.row.value,
  ),
  value_extra_currencies: nullable(extraCurrencies)(
    "Amounts of other currencies that the message carries, by number; null for an external message.",
    (m: FullMessage) => (m.row.value === undefined ? undefined : (m.row.valueExtra ?? {})),
  ),
  fwd_fee: nullable(decimal)(
    "Fee for forwarding the message, in nanocoins; null for an external message.",
    (m: FullMessage) => m.row.fwdFee,
  ),
  ihr_fee: nullable(decimal)(
    "Fee for instant routing, in nanocoins; null for an external message.",
    (m: FullMessage) => m.row.ihrFee,
  ),
  extra_flags: nullable(decimal)(
    "Extra flags of the message as a decimal number; null for an external message.",
    (m: FullMessage) => m.row.extraFlags,
  ),
  created_lt: nullable(decimal)(
    "Logical time at which the message was created; null for an incoming external message.",
    (m: FullMessage) => m.row.createdLt,
  ),
  created_at: nullable(decimalOf)(
    "Time when the message was created, in Unix seconds; null for an incoming external message.",
    (m: FullMessage) => m.row.createdAt,
  ),
  opcode: nullable(opcode)(
    "Operation: the first 32 bits of the body, in hex; null for a shorter body.",
    (m: FullMessage) => m.row.opcode,
  ),
  decoded_opcode: nullable(text)("Name of the operation; null if it is not known.", (m: FullMessage) => m.opcodeName),
  ihr_disabled: nullable(bool)(
    "Whether instant routing is switched off for the message; null for an external message.",
    (m: FullMessage) => m.row.ihrDisabled,
  ),
  bounce: nullable(bool)(
    "Whether the message returns if the receiver fails to process it; null for an external message.",
    (m: FullMessage) => m.row.bounce,
  ),
  bounced: nullable(bool)(
    "Whether the message is one that returned to its sender; null for an external message.",
    (m: FullMessage) => m.row.bounced,
  ),
  import_fee: nullable(decimal)(
    "Fee for taking an incoming external message, in nanocoins; null for other messages.",
    (m: FullMessage) => {
      const { importFee } = m.row;
      return importFee !== undefined && importFee > maxInt64 ? undefined : importFee;
    },
  ),
  message_content: nullable(content)("Body of the message; null without one.", (m: FullMessage) => m.body),
  init_state: nullable(content)(
    "Code and data with which the message deploys its receiver; null without them.",
    (m: FullMessage) => m.init,
  ),
};

const plainMessage = shape<FullMessage>()(fields);

/**
 * Texts of messages that were written with their sender or receiver and not yet with the other one, which mostly
 * follows soon; the oldest are forgotten.
 */
const writtenOnce = new Map<FullMessage, string>();
const maxKeptLength = 1 << 20;
let keptLength = 0;

function keepText(message: FullMessage, text: string): void {
  writtenOnce.set(message, text);
  keptLength += text.length;
  for (const [oldest, { length }] of writtenOnce) {
    if (keptLength <= maxKeptLength) return;
    writtenOnce.delete(oldest);
    keptLength -= length;
  }
}

/** A message between two accounts stands in both transactions: its text is made once. */
function formatOnce(message: FullMessage): string | undefined {
  const { source, destination } = message.row;
  if (source === undefined || destination === undefined) return plainMessage.format(message);
  const known = writtenOnce.get(message);
  if (known !== undefined) {
    writtenOnce.delete(message);
    keptLength -= known.length;
    return known;
  }
  const before = countDeferred();
  const text = plainMessage.format(message);
  if (text !== undefined && countDeferred() === before) keepText(message, text);
  return text;
}

/** A message as a part of a transaction. */
export const messageShape = named("Message", {
  schema: plainMessage.schema,
  encode: (message: FullMessage) => plainMessage.encode(message),
  format: formatOnce,
});

const ends = {
  in_msg_tx_hash: omittable(hash)(
    "Hash of the transaction that received the message, in base64; absent before there is one.",
    (between: MessageBetween) => between.receivedBy,
  ),
  out_msg_tx_hash: omittable(hash)(
    "Hash of the transaction that sent the message, in base64; absent for an incoming external message.",
    (between: MessageBetween) => between.sentBy,
  ),
};
const plainEnds = shape<MessageBetween>()(ends);

/** A message with the transactions that sent and received it. */
export const messageBetween = named("MessageBetween", {
  schema: schemaOf({ ...fields, ...ends }),
  encode: (between: MessageBetween) => ({ ...plainMessage.encode(between.message), ...plainEnds.encode(between) }),
});
