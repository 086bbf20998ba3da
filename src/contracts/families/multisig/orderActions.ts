import type { Cell } from "../../../cell/Cell.ts";
import { cell as cellCodec, loadCell } from "../../../cell/codec.ts";
import { Dictionary } from "../../../cell/dictionary.ts";
import { uintKey } from "../../../cell/keys.ts";
import { type Slice, sliceOf } from "../../../cell/Slice.ts";
import { isCoded } from "../../../lib/errors.ts";
import { type Address, plainAddress } from "../../../model/Address.ts";
import { CellCounter } from "../../../model/CellCounter.ts";
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
  /** The message's body. */
  readonly body: Cell | undefined;
  readonly sendMode: number;
  readonly content: OrderContent;
}

/** The content of an action, or why it cannot be read. */
export type OrderContent =
  | { readonly kind: "parsed"; readonly body: OrderBody }
  | { readonly kind: "failed"; readonly error: string };

/** The limits of all bodies of one order together: equal actions are read once, and count each time. */
const maxBodyBytes = 1 << 18;
const maxBodyCells = 1 << 13;

/** The actions of an order, in their order; empty when the order cannot be read. */
// _ _:(Hashmap 8 ^MultisigAction) = MultisigOrder;
export function readOrderActions(order: Cell): readonly OrderAction[] {
  const cells = attempt(() => new Dictionary(order, uintKey(8), cellCodec).values());
  if (cells.kind === "failed") return [];
  let leftBytes = maxBodyBytes;
  let leftCells = maxBodyCells;
  const known = new Map<Hash, { readonly action: OrderAction; readonly size: CellCounter }>();
  return cells.value.map((cell) => {
    if (leftBytes < 0 || leftCells < 0) return tooLarge;
    const { action, size } = known.get(cell.hash()) ?? measure(readAction(cell));
    known.set(cell.hash(), { action, size });
    leftBytes -= size.bits >> 3;
    leftCells -= size.cells;
    return leftBytes < 0 || leftCells < 0 ? tooLarge : action;
  });
}

function measure(action: OrderAction) {
  const size = new CellCounter(maxBodyCells);
  if (action.body !== undefined) size.add(action.body);
  return { action, size };
}

const noMessage = { destination: undefined, value: undefined, body: undefined, sendMode: 0 };
const tooLarge: OrderAction = {
  ...noMessage,
  content: { kind: "failed", error: "the order is too large to be shown" },
};

// send_message#f1381e5b mode:uint8 message:^(MessageRelaxed Any)
// update_multisig_param#1d0cfbd3 threshold:uint8 signers:^(Hashmap 8 MsgAddressInt) proposers:(HashmapE 8
// MsgAddressInt)
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
  return { ...sending.value, content: parsed(() => readOrderBody(sending.value.body)) };
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
