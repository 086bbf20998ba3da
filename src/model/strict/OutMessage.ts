import { CellError } from "../../cell/base/errors.ts";
import type { Slice } from "../../cell/Slice.ts";
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
  readonly extraFlagsBits: number;
  readonly fwdFee: bigint | undefined;
  /** The whole fields, their tags included. */
  readonly init: Slice;
  readonly body: Slice;
}

/** MessageRelaxed Any */
export const skipOutMessage: Skip = (slice, cells) => {
  loadInfo(slice, cells);
  skipMaybeInit(slice, cells);
  skipBody(slice, cells);
};

/** Reads a message that follows the scheme, or whose root does (`rootOnly`); it is opened already. */
export function loadOutMessage(slice: Slice, cells: CellBudget = cellBudget()): OutMessage {
  const { isExternal, ihrDisabled, bounce, src, dest, value, extraFlags, extraFlagsBits, fwdFee } = loadInfo(
    slice,
    cells,
  );
  const init = loadSkipped(slice, (part) => skipMaybeInit(part, cells));
  // Not with a spread, which costs more than the rest: code sends many messages.
  return {
    isExternal,
    ihrDisabled,
    bounce,
    src,
    dest,
    value,
    extraFlags,
    extraFlagsBits,
    fwdFee,
    init,
    body: slice,
  };
}

function loadInfo(slice: Slice, cells: CellBudget): Omit<OutMessage, "init" | "body"> {
  const isExternal = slice.loadBit();
  const flags = isExternal ? 4 : slice.loadUint(3);
  if (isExternal && !slice.loadBit()) throw new CellError("cell/tag", "an inbound external message cannot be sent");
  const src = loadSkipped(slice, skipAnyAddress);
  const dest = loadSkipped(slice, isExternal ? skipExternalAddress : skipInternalAddress);
  const value = loadSkipped(slice, (part) => (isExternal ? undefined : skipCurrencies(part, cells)));
  const before = slice.remainingBits;
  const extraFlags = isExternal ? 0n : loadShortestCoins(slice);
  const extraFlagsBits = before - slice.remainingBits;
  const fwdFee = isExternal ? 0n : loadShortestCoins(slice);
  slice.skip(96);
  const [ihrDisabled, bounce] = [(flags & 4) !== 0, (flags & 2) !== 0];
  return { isExternal, ihrDisabled, bounce, src, dest, value, extraFlags, extraFlagsBits, fwdFee };
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
