import { crcForm, writeBoc } from "../cell/boc.ts";
import type { Cell } from "../cell/Cell.ts";
import { loadCell } from "../cell/codec.ts";
import { isCoded } from "../lib/errors.ts";
import { submitMessage } from "../lite/queries/send.ts";
import { Message } from "../model/Message.ts";
import { type ExternalInInfo, normalizedHash } from "../model/normalizedHash.ts";
import type { Chain } from "./Chain.ts";
import { ChainError } from "./errors.ts";
import { type MessageParts, makeExternalMessage } from "./message.ts";
import type { SentMessage } from "./SentMessage.ts";

export type { SentMessage } from "./SentMessage.ts";

/** Sends a message to the servers; acceptance does not mean that it will be executed. */
export async function sendMessage(chain: Chain, { root, bytes }: MessageBag): Promise<SentMessage> {
  const sent = identifyMessage(root);
  chain.onSending?.(sent, { kind: "received" });
  try {
    await submitMessage(chain.server, bytes, chain.asking);
  } catch (error) {
    if (isCoded(error, "lite/server")) chain.onSending?.(sent, { kind: "refused", exitCode: findExitCode(error) });
    throw error;
  }
  chain.onSending?.(sent, { kind: "accepted" });
  chain.onSent?.(root, sent);
  return sent;
}

/** The hashes of an external message; refuses any other cell. */
export function identifyMessage(root: Cell): SentMessage {
  return { hash: root.hash(), normalizedHash: normalizedHash(loadExternal(root)) };
}

/** Servers write the exit code of the account into their text. */
function findExitCode({ message }: Error): number | undefined {
  const [, code] = /\bexitcode=(-?[0-9]+)/.exec(message) ?? [];
  return code === undefined ? undefined : Number(code);
}

/** Makes a message from its parts and sends it. */
export async function sendParts(chain: Chain, parts: MessageParts): Promise<SentMessage> {
  const root = makeExternalMessage(parts);
  return sendMessage(chain, { root, bytes: writeBoc(root, crcForm) });
}

/** A message as given, and as it is sent. */
export interface MessageBag {
  readonly root: Cell;
  readonly bytes: Uint8Array;
}

function loadExternal(root: Cell): { readonly info: ExternalInInfo; readonly body: Cell } {
  const { info, body } = loadMessage(root);
  if (info.kind !== "externalIn")
    throw new ChainError("chain/not-external", "CommonMsgInfo tag is not ext_in_msg_info");
  return { info, body };
}

function loadMessage(root: Cell): Message {
  try {
    return loadCell(Message, root);
  } catch (cause) {
    throw isCoded(cause) ? new ChainError("chain/no-message", "Failed to unpack Message", { cause }) : cause;
  }
}
