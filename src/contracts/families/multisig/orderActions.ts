import { crcForm, writeBoc } from "../../../cell/boc.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { cell as cellCodec, loadCell } from "../../../cell/codec.ts";
import { Dictionary } from "../../../cell/dictionary.ts";
import { uintKey } from "../../../cell/keys.ts";
import { type Slice, sliceOf } from "../../../cell/Slice.ts";
import { isCoded } from "../../../lib/errors.ts";
import { type Address, plainAddress } from "../../../model/Address.ts";
import type { Hash } from "../../../model/Hash.ts";
import { RelaxedMessage } from "../../../model/Message.ts";
import type { OrderBody } from "./OrderBody.ts";
import { readOrderBody } from "./orderBodies.ts";
import { readMembers } from "./wallet.ts";

const sendMessage = 0xf1381e5b;
const updateParams = 0x1d0cfbd3;

/** One action of an order. */
export interface OrderAction {
  /** Absent when no message is sent to an account. */
  readonly destination: Address | undefined;
  readonly value: bigint | undefined;
  /** The bag of the message's body. */
  readonly bodyBoc: Uint8Array | undefined;
  readonly sendMode: number;
  readonly content: OrderContent;
}

/** The content of an action, or why it cannot be read. */
export type OrderContent =
  | { readonly kind: "parsed"; readonly body: OrderBody }
  | { readonly kind: "failed"; readonly error: string };

/** The limit of all bodies of one order together: equal actions are read once, and count each time. */
const maxBodyBytes = 1 << 18;

/** The actions of an order, in their order; empty when the order cannot be read. */
// _ _:(Hashmap 8 ^MultisigAction) = MultisigOrder;
export function readOrderActions(order: Cell): readonly OrderAction[] {
  const cells = attempt(() => new Dictionary(order, uintKey(8), cellCodec).values());
  if (cells.kind === "failed") return [];
  let left = maxBodyBytes;
  const known = new Map<Hash, OrderAction>();
  return cells.value.map((cell) => {
    const action = left < 0 ? tooLarge : (known.get(cell.hash()) ?? readAction(cell));
    known.set(cell.hash(), action);
    left -= action.bodyBoc?.length ?? 0;
    return left < 0 ? tooLarge : action;
  });
}

const noMessage = { destination: undefined, value: undefined, bodyBoc: undefined, sendMode: 0 };
const tooLarge: OrderAction = {
  ...noMessage,
  content: { kind: "failed", error: "the order is too large to be shown" },
};

// send_message#f1381e5b mode:uint8 message:^(MessageRelaxed Any)
// update_multisig_param#1d0cfbd3 threshold:uint8 signers:^(Hashmap 8 MsgAddressInt) proposers:(HashmapE 8 MsgAddressInt)
function readAction(action: Cell): OrderAction {
  const opened = attempt(() => {
    const slice = sliceOf(action);
    return { prefix: slice.loadUint(32), slice };
  });
  if (opened.kind === "failed") return { ...noMessage, content: opened };
  const { prefix, slice } = opened.value;
  if (prefix === sendMessage) return readSending(slice);
  if (prefix === updateParams) return { ...noMessage, content: parsed(() => readParams(slice)) };
  const error = `unknown action 0x${prefix.toString(16).padStart(8, "0")}`;
  return { ...noMessage, content: { kind: "failed", error } };
}

function readSending(slice: Slice): OrderAction {
  const sending = attempt(() => {
    const sendMode = slice.loadUint(8);
    const { info, body } = loadCell(RelaxedMessage, slice.loadRef());
    const isInternal = info.kind === "internal";
    const destination = isInternal ? plainAddress(info.dest) : undefined;
    return { sendMode, destination, value: isInternal ? info.value.coins : 0n, body };
  });
  if (sending.kind === "failed") return { ...noMessage, content: sending };
  const { body, ...message } = sending.value;
  return { ...message, bodyBoc: writeBoc(body, crcForm), content: parsed(() => readOrderBody(body)) };
}

function readParams(slice: Slice): OrderBody {
  const threshold = slice.loadUint(8);
  const signers = readMembers(slice.loadRef());
  return { kind: "multisig_update_params", threshold, signers, proposers: readMembers(slice.loadMaybeRef()) };
}

function parsed(read: () => OrderBody): OrderContent {
  const outcome = attempt(read);
  return outcome.kind === "failed" ? outcome : { kind: "parsed", body: outcome.value };
}

type Attempt<T> = { readonly kind: "ok"; readonly value: T } | { readonly kind: "failed"; readonly error: string };

/** Anyone can write an order: unreadable actions are reported, not thrown. */
function attempt<T>(read: () => T): Attempt<T> {
  try {
    return { kind: "ok", value: read() };
  } catch (error) {
    if (!isCoded(error)) throw error;
    return { kind: "failed", error: error.message };
  }
}
