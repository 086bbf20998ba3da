import type { Message } from "../api/types.ts";
import { formatCoins } from "../format/coins.ts";
import { humanize } from "../format/names.ts";

/** The operation of a message: its name, its opcode, or a plain transfer. */
export function nameOperation(message: Message | undefined): string {
  if (message === undefined) return "Tick-tock";
  if (message.bounced === true) return "Bounced back";
  if (message.decoded_opcode !== null) return humanize(message.decoded_opcode);
  if (message.opcode === null || message.opcode === "0x00000000") {
    return message.source === null
      ? "External message"
      : message.opcode === null
        ? "Transfer"
        : "Transfer with comment";
  }
  return message.opcode;
}

/** The coins of a message; empty for external messages. */
export function formatValue(message: Message | undefined): string {
  return message?.value === null || message?.value === undefined ? "" : `${formatCoins(message.value)} TON`;
}
