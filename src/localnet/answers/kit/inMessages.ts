import type { Cell } from "../../../cell/Cell.ts";
import { loadCell } from "../../../cell/codec.ts";
import { sliceOf } from "../../../cell/Slice.ts";
import { accountIdToTl } from "../../../lite/queries/ids.ts";
import type { transactionMetadata } from "../../../lite/tl/liteRecords.ts";
import type { TlValue } from "../../../lite/tl/types.ts";
import { plainAddress } from "../../../model/Address.ts";
import type { BlockExtra } from "../../../model/block/Block.ts";
import { ImportFees, InMsg, InMsgDescr } from "../../../model/block/messageDescriptors.ts";
import { MessageEnvelope, type MessageMetadata } from "../../../model/MessageEnvelope.ts";
import { leavesByHash } from "./masterState.ts";

export type MessageOrigin = TlValue<typeof transactionMetadata>;

/** The initiator of a message's trace, in the form of answers. */
export function metadataToTl({ depth, initiator, initiatorLt }: MessageMetadata): MessageOrigin | undefined {
  const address = plainAddress(initiator);
  if (address === undefined) return undefined;
  return { mode: 0, depth, initiator: accountIdToTl(address), initiatorLt };
}

// transaction$0111 … ^[ in_msg:(Maybe ^(Message Any)) out_msgs:(HashmapE 15 ^(Message Any)) ] …
function findInMessage(transaction: Cell): Cell | undefined {
  return sliceOf(sliceOf(transaction).preloadRef()).loadMaybeRef();
}

/** The envelope of a transaction's incoming message, if it came from another account. */
export function findInEnvelope(extra: BlockExtra, transaction: Cell): Cell | undefined {
  const inMessages = loadCell(InMsgDescr, extra.inMessages.cell);
  const message = findInMessage(transaction);
  if (message === undefined) return undefined;
  const leaf = leavesByHash(inMessages.root).find(message.hash());
  if (leaf === undefined) return undefined;
  ImportFees.load(leaf);
  const entry = InMsg.load(leaf);
  const isOwn = entry.kind === "immediate" || entry.kind === "final" || entry.kind === "deferredFinal";
  return isOwn ? entry.inEnvelope.cell : undefined;
}

export function findMetadata(extra: BlockExtra, transaction: Cell): MessageOrigin | undefined {
  const cell = findInEnvelope(extra, transaction);
  if (cell === undefined) return undefined;
  const envelope = loadCell(MessageEnvelope, cell);
  return envelope.kind === "v2" && envelope.metadata !== undefined ? metadataToTl(envelope.metadata) : undefined;
}
