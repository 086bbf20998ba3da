import type { Cell } from "../cell/Cell.ts";
import {
  bool,
  type Codec,
  loadCell,
  rest,
  storeCell,
  uint32,
  uint64,
  union,
  type ValueOf,
  variant,
  varUint,
} from "../cell/codec.ts";
import type { Slice } from "../cell/Slice.ts";
import { sliceOf } from "../cell/Slice.ts";
import { Coins, CurrencyCollection } from "./Currency.ts";
import { anyAddress, externalAddress, internalAddress } from "./messageAddress.ts";
import { StateInit } from "./StateInit.ts";

// int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddressInt dest:MsgAddressInt
//   value:CurrencyCollection extra_flags:(VarUInteger 16) fwd_fee:Grams created_lt:uint64 created_at:uint32
//   = CommonMsgInfo;
// ext_in_msg_info$10 src:MsgAddressExt dest:MsgAddressInt import_fee:Grams = CommonMsgInfo;
// ext_out_msg_info$11 src:MsgAddressInt dest:MsgAddressExt created_lt:uint64 created_at:uint32 = CommonMsgInfo;
// Before global version 12 the place of extra_flags held ihr_fee.
export const MessageInfo = union({
  internal: variant(
    "$0",
    {
      ihrDisabled: bool,
      bounce: bool,
      bounced: bool,
      src: internalAddress,
      dest: internalAddress,
      value: CurrencyCollection,
      extraFlags: Coins,
      fwdFee: Coins,
      createdLt: uint64,
      createdAt: uint32,
    },
    (f, s) => ({
      kind: "internal",
      ihrDisabled: f.ihrDisabled.load(s),
      bounce: f.bounce.load(s),
      bounced: f.bounced.load(s),
      src: f.src.load(s),
      dest: f.dest.load(s),
      value: f.value.load(s),
      extraFlags: f.extraFlags.load(s),
      fwdFee: f.fwdFee.load(s),
      createdLt: f.createdLt.load(s),
      createdAt: f.createdAt.load(s),
    }),
  ),
  externalIn: variant("$10", { src: externalAddress, dest: internalAddress, importFee: Coins }, (f, s) => ({
    kind: "externalIn",
    src: f.src.load(s),
    dest: f.dest.load(s),
    importFee: f.importFee.load(s),
  })),
  externalOut: variant(
    "$11",
    { src: internalAddress, dest: externalAddress, createdLt: uint64, createdAt: uint32 },
    (f, s) => ({
      kind: "externalOut",
      src: f.src.load(s),
      dest: f.dest.load(s),
      createdLt: f.createdLt.load(s),
      createdAt: f.createdAt.load(s),
    }),
  ),
});
export type MessageInfo = ValueOf<typeof MessageInfo>;

// int_msg_info$0 … src:MsgAddress … = CommonMsgInfoRelaxed;
// ext_out_msg_info$11 src:MsgAddress … = CommonMsgInfoRelaxed;
export const RelaxedMessageInfo = union({
  internal: [
    "$0",
    {
      ihrDisabled: bool,
      bounce: bool,
      bounced: bool,
      src: anyAddress,
      dest: internalAddress,
      value: CurrencyCollection,
      extraFlags: varUint(16),
      fwdFee: Coins,
      createdLt: uint64,
      createdAt: uint32,
    },
  ],
  externalOut: ["$11", { src: anyAddress, dest: externalAddress, createdLt: uint64, createdAt: uint32 }],
});
export type RelaxedMessageInfo = ValueOf<typeof RelaxedMessageInfo>;

/** Where an `Either X ^X` stores its value. */
export type PartPlace = "inline" | "ref";

export interface MessageOf<Info> {
  readonly info: Info;
  readonly init: StateInit | undefined;
  readonly body: Cell;
  /** Where init and body are stored; part of the message's hash. */
  readonly initPlace: PartPlace;
  readonly bodyPlace: PartPlace;
}

export type Message = MessageOf<MessageInfo>;
export type RelaxedMessage = MessageOf<RelaxedMessageInfo>;

// message$_ {X:Type} info:CommonMsgInfo init:(Maybe (Either StateInit ^StateInit)) body:(Either X ^X) = Message X;
function messageCodec<Info>(infoCodec: Codec<Info>): Codec<MessageOf<Info>> {
  return {
    load: (slice) => {
      const info = infoCodec.load(slice);
      const hasInit = slice.loadBit();
      const initPlace = hasInit && slice.loadBit() ? "ref" : "inline";
      const init = hasInit ? loadPlaced(slice, initPlace) : undefined;
      const bodyPlace = slice.loadBit() ? "ref" : "inline";
      const body = bodyPlace === "ref" ? slice.loadRef() : rest.load(slice);
      return { info, init, body, initPlace, bodyPlace };
    },
    store: (builder, message) => {
      infoCodec.store(builder, message.info);
      builder.storeBit(message.init !== undefined);
      if (message.init !== undefined) {
        builder.storeBit(message.initPlace === "ref");
        if (message.initPlace === "ref") builder.storeRef(storeCell(StateInit, message.init));
        else StateInit.store(builder, message.init);
      }
      builder.storeBit(message.bodyPlace === "ref");
      if (message.bodyPlace === "ref") builder.storeRef(message.body);
      else builder.storeSlice(sliceOf(message.body));
    },
  };
}

function loadPlaced(slice: Slice, place: PartPlace): StateInit {
  return place === "ref" ? loadCell(StateInit, slice.loadRef()) : StateInit.load(slice);
}

export const Message: Codec<Message> = messageCodec(MessageInfo);
export const RelaxedMessage: Codec<RelaxedMessage> = messageCodec(RelaxedMessageInfo);

/** Blocks begin at this logical time or later: no transaction has sent a message with an earlier one. */
export const firstBlockLt = 1_000_000n;

/** A value together with the cell it was read from, whose hash identifies it. */
export type InCell<T> = T & { readonly cell: Cell };

/** ^X with its cell: for messages and transactions, which are identified by their hash. */
export function inCell<T extends object>(codec: Codec<T>): Codec<InCell<T>> {
  return {
    load: (slice) => loadInCell(codec, slice.loadRef()),
    store: (builder, value) => void builder.storeRef(storeCell(codec, value)),
  };
}

export function loadInCell<T extends object>(codec: Codec<T>, cell: Cell): InCell<T> {
  // No other code has the value yet, and adding a property is far faster than copying.
  const value = loadCell(codec, cell) as T & { cell: Cell };
  value.cell = cell;
  return value;
}
