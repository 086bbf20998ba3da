import type { CellSlice } from "../CellSlice.ts";
import { sliceUint } from "../slices.ts";
import { before, splitAddress } from "./addresses.ts";

/** A message as SENDMSG reads it, where only the shape counts; `undefined` is a message of no valid shape. */
export interface RelaxedMessageParts {
  readonly isExternal: boolean;
  readonly ihrDisabled: boolean;
  readonly destination: CellSlice;
  readonly value: bigint;
  readonly hasExtra: boolean;
  /** `undefined` when it is written with leading zeros. */
  readonly forwardFee: bigint | undefined;
  /** The field that held the fee of instant delivery before version 12, with its length. */
  readonly extraFlags: CellSlice;
  readonly extraFlagsValue: bigint | undefined;
  /** The optional initial state with the bits that say where it is, and the body with its bit. */
  readonly init: CellSlice;
  readonly body: CellSlice;
}

/** Moves along a slice; `failed` once anything was not there. */
class Cursor {
  rest: CellSlice;
  failed = false;

  constructor(slice: CellSlice) {
    this.rest = slice;
  }

  skip(bits: number, refs = 0): void {
    if (this.rest.bits < bits || this.rest.refs < refs) this.failed = true;
    else this.rest = this.rest.without(bits, refs);
  }

  uint(bits: number): number {
    if (this.rest.bits < bits) {
      this.failed = true;
      return 0;
    }
    const value = sliceUint(this.rest, bits) as number;
    this.rest = this.rest.without(bits, 0);
    return value;
  }

  /** A part, whose end is found by moving over it. */
  part(move: () => void): CellSlice {
    const from = this.rest;
    move();
    return before(from, this.rest);
  }

  /** One bit says whether there is a reference. */
  maybeRef(): boolean {
    const has = this.uint(1) === 1;
    this.skip(0, has ? 1 : 0);
    return has;
  }

  /** Coins; leading zeros have no value. */
  coins(): bigint | undefined {
    const length = this.uint(4);
    const start = this.rest;
    this.skip(length * 8);
    if (this.failed || (length > 0 && sliceUint(start, 8) === 0)) return undefined;
    return BigInt(sliceUint(start, length * 8));
  }

  /** An address in any form that ever was. */
  address(): CellSlice {
    return this.part(() => {
      const parsed = splitAddress(this.rest, 0);
      if (parsed === undefined) this.failed = true;
      else this.rest = parsed.rest;
    });
  }
}

const externalTag = 3;

// message$_ {X:Type} info:CommonMsgInfoRelaxed init:(Maybe (Either StateInit ^StateInit)) body:(Either X ^X) = MessageRelaxed X;
export function readRelaxedMessage(slice: CellSlice): RelaxedMessageParts | undefined {
  const cursor = new Cursor(slice);
  const isExternal = cursor.uint(1) === 1;
  const info = isExternal ? readExternal(cursor) : readInternal(cursor);
  const init = cursor.part(() => skipInit(cursor));
  const body = cursor.rest;
  const bodyInRef = cursor.uint(1) === 1;
  if (bodyInRef) cursor.skip(0, 1);
  const isClean = !bodyInRef || (cursor.rest.bits === 0 && cursor.rest.refs === 0);
  if (cursor.failed || info === undefined || !isClean) return undefined;
  return { ...info, isExternal, init, body };
}

type Info = Omit<RelaxedMessageParts, "isExternal" | "init" | "body">;

// int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddress dest:MsgAddressInt value:CurrencyCollection
//   extra_flags:(VarUInteger 16) fwd_fee:Grams created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed;
function readInternal(cursor: Cursor): Info | undefined {
  const ihrDisabled = cursor.uint(1) === 1;
  cursor.skip(2);
  cursor.address();
  const destination = cursor.address();
  const value = cursor.coins();
  const hasExtra = cursor.maybeRef();
  let extraFlagsValue: bigint | undefined;
  const extraFlags = cursor.part(() => {
    extraFlagsValue = cursor.coins();
  });
  const forwardFee = cursor.coins();
  cursor.skip(96);
  if (cursor.failed || value === undefined || (sliceUint(destination, 2) as number) < 2) return undefined;
  return { ihrDisabled, destination, value, hasExtra, forwardFee, extraFlags, extraFlagsValue };
}

// ext_out_msg_info$11 src:MsgAddress dest:MsgAddressExt created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed;
function readExternal(cursor: Cursor): Info | undefined {
  if (cursor.uint(1) !== (externalTag & 1)) return undefined;
  cursor.address();
  const destination = cursor.address();
  cursor.skip(96);
  if (cursor.failed || (sliceUint(destination, 2) as number) > 1) return undefined;
  const nothing = destination.first(0, 0);
  return {
    ...{ ihrDisabled: true, destination, value: 0n, hasExtra: false, forwardFee: 0n },
    ...{ extraFlags: nothing, extraFlagsValue: 0n },
  };
}

// _ fixed_prefix_length:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell)
//   library:(HashmapE 256 SimpleLib) = StateInit;
function skipInit(cursor: Cursor): void {
  if (cursor.uint(1) === 0) return;
  if (cursor.uint(1) === 1) return void cursor.skip(0, 1);
  if (cursor.uint(1) === 1) cursor.skip(5);
  if (cursor.uint(1) === 1) cursor.skip(2);
  for (let i = 0; i < 3; i++) cursor.maybeRef();
}
