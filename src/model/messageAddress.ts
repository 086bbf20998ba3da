import type { Builder } from "../cell/Builder.ts";
import { type Codec, int, uint64, union, upTo, type ValueOf } from "../cell/codec.ts";
import type { Slice } from "../cell/Slice.ts";
import {
  type Address,
  type Anycast,
  accountOf,
  type ExternalAddress,
  type InternalAddress,
  makeAddress,
  type SpecialAddress,
  workchainOf,
} from "./Address.ts";
import { ModelError } from "./errors.ts";

const anycastDepth = upTo(30);

function loadBits(slice: Slice, bits: number): string {
  return Buffer.from(slice.loadBits(bits)).toString("hex");
}

function storeBits(builder: Builder, hex: string, bits: number): void {
  builder.storeBits(Buffer.from(hex, "hex"), bits);
}

// anycast_info$_ depth:(#<= 30) { depth >= 1 } rewrite_pfx:(bits depth) = Anycast;
function loadAnycast(slice: Slice): Anycast {
  const depth = anycastDepth.load(slice);
  if (depth < 1) throw new ModelError("model/address", "an anycast prefix of no bits");
  return { depth, prefix: loadBits(slice, depth) };
}

function storeAnycast(builder: Builder, anycast: Anycast | undefined): void {
  builder.storeBit(anycast !== undefined);
  if (anycast === undefined) return;
  anycastDepth.store(builder, anycast.depth);
  storeBits(builder, anycast.prefix, anycast.depth);
}

// addr_std$10 anycast:(Maybe Anycast) workchain_id:int8 address:bits256 = MsgAddressInt;
// addr_var$11 anycast:(Maybe Anycast) addr_len:(## 9) workchain_id:int32 address:(bits addr_len) = MsgAddressInt;
function loadInternal(slice: Slice, tag: number): InternalAddress {
  if (tag === 2 && !slice.loadBit()) {
    const workchain = slice.loadInt(8);
    return makeAddress(workchain, slice.loadHash());
  }
  if (tag === 2) {
    const anycast = loadAnycast(slice);
    return { kind: "standard", anycast, workchain: slice.loadInt(8), bits: 256, account: slice.loadHash() };
  }
  const anycast = slice.loadBit() ? loadAnycast(slice) : undefined;
  const bits = slice.loadUint(9);
  return { kind: "variable", anycast, bits, workchain: slice.loadInt(32), account: loadBits(slice, bits) };
}

function storeInternal(builder: Builder, address: InternalAddress): void {
  if (typeof address === "string") {
    builder.storeUint(4, 3).storeInt(workchainOf(address), 8).storeHex(accountOf(address));
    return;
  }
  builder.storeUint(address.kind === "standard" ? 2 : 3, 2);
  storeAnycast(builder, address.anycast);
  if (address.kind === "variable") builder.storeUint(address.bits, 9).storeInt(address.workchain, 32);
  else builder.storeInt(address.workchain, 8);
  storeBits(builder, address.account, address.bits);
}

// addr_none$00 = MsgAddressExt;
// addr_extern$01 len:(## 9) external_address:(bits len) = MsgAddressExt;
function loadExternal(slice: Slice, tag: number): ExternalAddress | undefined {
  if (tag === 0) return undefined;
  const bits = slice.loadUint(9);
  return { kind: "external", bits, value: loadBits(slice, bits) };
}

function storeExternal(builder: Builder, address: ExternalAddress | undefined): void {
  builder.storeUint(address === undefined ? 0 : 1, 2);
  if (address === undefined) return;
  builder.storeUint(address.bits, 9);
  storeBits(builder, address.value, address.bits);
}

/** MsgAddressInt */
export const internalAddress: Codec<InternalAddress> = {
  load: (slice) => {
    const tag = slice.loadUint(2);
    if (tag < 2) throw new ModelError("model/address", "an external address where an account belongs");
    return loadInternal(slice, tag);
  },
  store: storeInternal,
};

/** MsgAddressExt: addr_none is `undefined`. */
export const externalAddress: Codec<ExternalAddress | undefined> = {
  load: (slice) => {
    const tag = slice.loadUint(2);
    if (tag > 1) throw new ModelError("model/address", "an account where an external address belongs");
    return loadExternal(slice, tag);
  },
  store: storeExternal,
};

export type AnyAddress = InternalAddress | ExternalAddress | undefined;

/** MsgAddress: any of them. */
export const anyAddress: Codec<AnyAddress> = {
  load: (slice) => {
    const tag = slice.loadUint(2);
    return tag < 2 ? loadExternal(slice, tag) : loadInternal(slice, tag);
  },
  store: (builder, address) => {
    if (isInternal(address)) storeInternal(builder, address);
    else storeExternal(builder, address);
  },
};

function isInternal(address: AnyAddress): address is Address | SpecialAddress {
  return typeof address === "string" || (address !== undefined && address.kind !== "external");
}

// interm_addr_regular$0 use_dest_bits:(#<= 96) = IntermediateAddress;
// interm_addr_simple$10 workchain_id:int8 addr_pfx:uint64 = IntermediateAddress;
// interm_addr_ext$11 workchain_id:int32 addr_pfx:uint64 = IntermediateAddress;
export const IntermediateAddress = union({
  regular: ["$0", { useDestBits: upTo(96) }],
  simple: ["$10", { workchain: int(8), prefix: uint64 }],
  extended: ["$11", { workchain: int(32), prefix: uint64 }],
});
export type IntermediateAddress = ValueOf<typeof IntermediateAddress>;
