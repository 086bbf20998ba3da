import { CellSlice } from "../CellSlice.ts";
import type { StackValue } from "../StackValue.ts";
import { sliceInt, sliceUint } from "../slices.ts";

/** The parts of an address as PARSEMSGADDR gives them, and what follows. */
export interface AddressParts {
  readonly parts: readonly StackValue[];
  readonly rest: CellSlice;
}

function take(slice: CellSlice, bits: number): { value: number; rest: CellSlice } | undefined {
  return slice.bits < bits ? undefined : { value: sliceUint(slice, bits) as number, rest: slice.without(bits, 0) };
}

/** Anycast is gone since version 10. */
const anycastUntil = 10;

// anycast_info$_ depth:(#<= 30) { depth >= 1 } rewrite_pfx:(bits depth) = Anycast;
function takeAnycast(slice: CellSlice, version: number): { prefix: CellSlice | null; rest: CellSlice } | undefined {
  const flag = take(slice, 1);
  if (flag === undefined || flag.value === 0) return flag && { prefix: null, rest: flag.rest };
  const depth = version >= anycastUntil ? undefined : take(flag.rest, 5);
  if (depth === undefined || depth.value < 1 || depth.value > 30 || depth.rest.bits < depth.value) return undefined;
  return { prefix: depth.rest.first(depth.value, 0), rest: depth.rest.without(depth.value, 0) };
}

// addr_none$00 = MsgAddressExt; addr_extern$01 len:(## 9) external_address:(bits len) = MsgAddressExt;
// addr_std$10 anycast:(Maybe Anycast) workchain_id:int8 address:bits256 = MsgAddressInt;
// addr_var$11 anycast:(Maybe Anycast) addr_len:(## 9) workchain_id:int32 address:(bits addr_len) = MsgAddressInt;
/** The parts of a message address; `undefined` if the bits are no address that the version knows. */
export function splitAddress(slice: CellSlice, version: number): AddressParts | undefined {
  const tag = take(slice, 2);
  if (tag === undefined) return undefined;
  if (tag.value === 0) return { parts: [0], rest: tag.rest };
  if (tag.value === 1) return parseExternal(tag.rest);
  if (tag.value === 3 && version >= anycastUntil) return undefined;
  const anycast = takeAnycast(tag.rest, version);
  if (anycast === undefined) return undefined;
  const isStd = tag.value === 2;
  const length = isStd ? { value: 256, rest: anycast.rest } : take(anycast.rest, 9);
  const workchainBits = isStd ? 8 : 32;
  if (length === undefined || length.rest.bits < workchainBits + length.value) return undefined;
  const workchain = sliceInt(length.rest, workchainBits);
  const address = length.rest.without(workchainBits, 0);
  const parts = [tag.value, anycast.prefix, workchain, address.first(length.value, 0)];
  return { parts, rest: address.without(length.value, 0) };
}

function parseExternal(slice: CellSlice): AddressParts | undefined {
  const length = take(slice, 9);
  if (length === undefined || length.rest.bits < length.value) return undefined;
  return { parts: [1, length.rest.first(length.value, 0)], rest: length.rest.without(length.value, 0) };
}

/** An address of an account in a standard workchain. */
export function parseStdAddress(slice: CellSlice, version: number): AddressParts | undefined {
  const parsed = splitAddress(slice, version);
  return parsed?.parts[0] === 2 ? parsed : undefined;
}

/** The slice up to where a parsed part of it ends. */
export function before(slice: CellSlice, rest: CellSlice): CellSlice {
  return new CellSlice(slice.cell, slice.at, rest.at, slice.ref, rest.ref);
}
