import type { Cell } from "../cell/Cell.ts";
import { storeCell } from "../cell/codec.ts";
import { Dictionary } from "../cell/dictionary.ts";
import { hashKey } from "../cell/keys.ts";
import type { Address } from "../model/Address.ts";
import { Message } from "../model/Message.ts";
import { SimpleLibrary, type StateInit } from "../model/StateInit.ts";

/** The parts of an external message. */
export interface MessageParts {
  readonly address: Address;
  readonly body: Cell;
  readonly init: { readonly code: Cell; readonly data: Cell } | undefined;
}

export function makeStateInit({ code, data }: NonNullable<MessageParts["init"]>): StateInit {
  const libraries = new Dictionary(undefined, hashKey, SimpleLibrary);
  return { fixedPrefixLength: undefined, special: undefined, code, data, libraries };
}

/** The external message made of these parts, with the body in the same cell if it fits. */
export function makeExternalMessage({ address, body, init }: MessageParts): Cell {
  return storeCell(Message, {
    info: { kind: "externalIn", src: undefined, dest: address, importFee: 0n },
    init: init === undefined ? undefined : makeStateInit(init),
    initPlace: "inline",
    body,
    bodyPlace: fitsInline(body, init) ? "inline" : "ref",
  });
}

/** The space that header and state init leave for the body. */
function fitsInline(body: Cell, init: MessageParts["init"]): boolean {
  const [bits, refs] = init === undefined ? [1023 - 275, 4] : [1023 - 281, 2];
  return !body.isExotic && body.bitLength <= bits && body.refCount <= refs;
}
