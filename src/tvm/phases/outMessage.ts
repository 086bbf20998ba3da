import { beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { CellError } from "../../cell/errors.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import { type Money, storeMoney } from "./Money.ts";
import {
  type CellBudget,
  cellBudget,
  follows,
  loadShortestCoins,
  loadSkipped,
  type Skip,
  skipAnyAddress,
  skipBody,
  skipCell,
  skipCurrencies,
  skipExternalAddress,
  skipInternalAddress,
  skipMaybeInit,
  skipStateInitWithLibraries,
} from "./schemes.ts";

// int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddress dest:MsgAddressInt value:CurrencyCollection
//   extra_flags:(VarUInteger 16) fwd_fee:Grams created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed;
// ext_out_msg_info$11 src:MsgAddress dest:MsgAddressExt created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed;
/** A message as code asks for it: whether it can be sent is judged field by field. */
export interface OutMessage {
  readonly isExternal: boolean;
  readonly ihrDisabled: boolean;
  readonly bounce: boolean;
  readonly src: Slice;
  readonly dest: Slice;
  readonly value: Slice;
  /** `undefined` when it is written with zeros in front. */
  readonly extraFlags: bigint | undefined;
  readonly fwdFee: bigint | undefined;
  /** The whole fields, their tags included. */
  readonly init: Slice;
  readonly body: Slice;
}

/** MessageRelaxed Any */
export const skipOutMessage: Skip = (slice, cells) => {
  if (slice.loadBit()) {
    if (!slice.loadBit()) throw new CellError("cell/tag", "a message from outside cannot be sent");
    skipAnyAddress(slice);
    skipExternalAddress(slice);
  } else {
    slice.skip(3);
    skipAnyAddress(slice);
    skipInternalAddress(slice);
    skipCurrencies(slice, cells);
    slice.loadCoins();
    slice.loadCoins();
  }
  slice.skip(96);
  skipMaybeInit(slice, cells);
  skipBody(slice, cells);
};

/** Reads a message that follows the scheme. */
export function loadOutMessage(cell: Cell): OutMessage {
  const slice = sliceOf(cell);
  const cells: CellBudget = cellBudget();
  const isExternal = slice.loadBit();
  const flags = isExternal ? slice.skip(1) && 4 : slice.loadUint(3);
  const src = loadSkipped(slice, skipAnyAddress);
  const dest = loadSkipped(slice, isExternal ? skipExternalAddress : skipInternalAddress);
  const value = isExternal ? slice.loadPart(0, 0) : loadSkipped(slice, (s) => skipCurrencies(s, cells));
  const extraFlags = isExternal ? 0n : loadShortestCoins(slice);
  const fwdFee = isExternal ? 0n : loadShortestCoins(slice);
  slice.skip(96);
  const init = loadSkipped(slice, (s) => skipMaybeInit(s, cells));
  const rest = { extraFlags, fwdFee, init, body: slice };
  return { isExternal, ihrDisabled: (flags & 4) !== 0, bounce: (flags & 2) !== 0, src, dest, value, ...rest };
}

/** Whether the libraries of the state that the message brings are a dictionary of libraries. */
export function hasValidLibraries({ init }: OutMessage): boolean {
  const slice = init.clone();
  if (!slice.loadBit()) return true;
  return follows(() => {
    if (slice.loadBit()) skipCell(slice.loadRef(), skipStateInitWithLibraries, cellBudget());
    else skipStateInitWithLibraries(slice, cellBudget());
  });
}

/** The same message with its state in a cell of its own. */
export function withInitApart(message: OutMessage): OutMessage {
  const state = message.init.clone().skip(2).loadRest();
  return { ...message, init: sliceOf(beginCell().storeUint(3, 2).storeRef(state).cell()) };
}

/** The same message with its body in a cell of its own; one that is there already, or empty, stays. */
export function withBodyApart(message: OutMessage): OutMessage {
  const body = message.body.clone();
  if (body.loadBit() || body.isEmpty) return message;
  return { ...message, body: sliceOf(beginCell().storeBit(true).storeRef(body.loadRest()).cell()) };
}

/** Fields that the sender does not decide. */
export interface SentFields {
  readonly src: Slice;
  readonly dest: Slice;
  readonly ihrDisabled: boolean;
  readonly value: Money;
  readonly extraFlags: bigint;
  readonly fwdFee: bigint;
  readonly createdLt: bigint;
  readonly createdAt: number;
}

/** The message as it is sent; `undefined` when it does not fit into a cell. */
export function findSentMessage(message: OutMessage, sent: SentFields): Cell | undefined {
  const builder = beginCell();
  try {
    if (message.isExternal) {
      builder.storeUint(3, 2).storeSlice(sent.src).storeSlice(sent.dest);
    } else {
      const flags = (sent.ihrDisabled ? 4 : 0) | (message.bounce ? 2 : 0);
      builder.storeUint(flags, 4).storeSlice(sent.src).storeSlice(sent.dest);
      storeMoney(builder, sent.value).storeCoins(sent.extraFlags).storeCoins(sent.fwdFee);
    }
    builder.storeBigUint(sent.createdLt, 64).storeUint(sent.createdAt, 32);
    return builder.storeSlice(message.init).storeSlice(message.body).cell();
  } catch (error) {
    if (error instanceof CellError && error.code === "cell/overflow") return undefined;
    throw error;
  }
}
