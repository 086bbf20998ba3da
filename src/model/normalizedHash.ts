import type { Cell } from "../cell/Cell.ts";
import { storeCell } from "../cell/codec.ts";
import type { Hash } from "./Hash.ts";
import { Message, type MessageInfo } from "./Message.ts";

export type ExternalInInfo = Extract<MessageInfo, { readonly kind: "externalIn" }>;

/**
 * The hash of an external message in its normal form: no source, no import fee, no state init, the body in a separate
 * cell. Senders identify a message by it, independent of how a block stores it.
 */
export function normalizedHash({ info, body }: { readonly info: ExternalInInfo; readonly body: Cell }): Hash {
  const { dest } = info;
  return storeCell(Message, {
    info: { kind: "externalIn", src: undefined, dest, importFee: 0n },
    init: undefined,
    initPlace: "inline",
    body,
    bodyPlace: "ref",
  }).hash();
}
