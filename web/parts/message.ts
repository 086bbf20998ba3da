import { findKnown, findOpcodeName } from "../api/book.ts";
import { formatAmount } from "../api/features.ts";
import type { Message } from "../api/types.ts";
import { humanize } from "../format/names.ts";
import { findReturnedOpcode, isDecodedFor, nameOpcode } from "../format/operations.ts";

const comment = "0x00000000";

/** The operation of a message: its name for the receiver, its opcode, or a plain transfer. */
export function nameOperation(message: Message | undefined): string {
  if (message === undefined) return "Tick-tock";
  if (isReturned(message)) return nameReturned(message);
  const { opcode, source, destination, init_state: init } = message;
  const type = findDecodedType(message);
  if (source === null && (opcode === null || message.decoded_opcode === null))
    return type === undefined ? "External message" : humanize(type);
  if (opcode === null) return "Transfer";
  if (opcode === comment) return source === null ? "External message" : "Transfer with comment";
  const { interfaces } = findKnown(destination ?? "");
  const isUnknown = message.decoded_opcode === null && init !== null;
  return isUnknown ? "Deploy" : nameOpcode(opcode, message.decoded_opcode, interfaces);
}

/** Whether the message is one that its receiver sent and that came back. */
export function isReturned({ bounced, opcode }: Pick<Message, "bounced" | "opcode">): boolean {
  return bounced === true || opcode === "0xffffffff";
}

/**
 * A message that came back, with the operation that it answers; that one belongs to the interfaces of its receiver, the
 * sender of this one.
 */
function nameReturned({ source, message_content: content }: Message): string {
  const opcode = findReturnedOpcode(content?.body ?? "");
  if (opcode === undefined) return "Came back";
  if (opcode === comment) return "Came back: Transfer with comment";
  return `Came back: ${nameOpcode(opcode, findOpcodeName(opcode), findKnown(source ?? "").interfaces)}`;
}

function findDecodedType({ message_content: content }: Message): string | undefined {
  const { "@type": type } = Object(content?.decoded) as { readonly "@type"?: unknown };
  return typeof type === "string" && type !== "empty_cell" ? type : undefined;
}

/** The decoded body, unless it is one of another contract that has the same opcode. */
export function findDecoded(message: Message): unknown {
  const { interfaces } = findKnown(message.destination ?? "");
  const isOwn = isDecodedFor(findDecodedType(message), message.opcode, interfaces);
  return isOwn ? (message.message_content?.decoded ?? undefined) : undefined;
}

/** The text comment of a message. */
export function findComment({ message_content: content }: Message): string | undefined {
  const { "@type": type, comment: text } = Object(content?.decoded) as Readonly<Record<string, unknown>>;
  return type === "text_comment" && typeof text === "string" && text !== "" ? text : undefined;
}

/** The coins of a message; empty for external messages. */
export function formatValue(message: Message | undefined): string {
  return message?.value === null || message?.value === undefined ? "" : formatAmount(message.value);
}
