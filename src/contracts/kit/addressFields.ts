import type { Slice } from "../../cell/Slice.ts";
import type { JsonValue } from "../../lib/json.ts";
import { type Address, type ExternalAddress, type InternalAddress, makeAddress } from "../../model/Address.ts";
import { type AnyAddress, anyAddress } from "../../model/messageAddress.ts";
import type { BodyField } from "./declare.ts";
import { ContractError } from "./errors.ts";
import { showBits } from "./fields.ts";
import type { ShowContext } from "./ShowContext.ts";

const none: JsonValue = { "@type": "addr_none" };
const nothing: JsonValue = { "@type": "nothing_from_maybe" };

// addr_none$00; addr_extern$01 len:(## 9) external_address:(bits len);
// addr_std$10 anycast:(Maybe Anycast) workchain_id:int8 address:bits256;
// addr_var$11 anycast:(Maybe Anycast) addr_len:(## 9) workchain_id:int32 address:(bits addr_len)
function showAddress(slice: Slice, showing: ShowContext): JsonValue {
  showing.spend(160);
  const tag = slice.loadUint(2);
  if (tag === 0) return none;
  if (tag === 1) {
    const length = slice.loadUint(9);
    return { "@type": "addr_external", len: String(length), external_address: showBits(slice, length) };
  }
  const anycast = slice.loadBit() ? showAnycast(slice) : nothing;
  if (tag === 2) {
    const workchain = String(slice.loadInt(8));
    return { "@type": "addr_std", anycast, workchain_id: workchain, address: slice.loadHex(256).toUpperCase() };
  }
  const length = slice.loadUint(9);
  const workchain = String(slice.loadInt(32));
  const address = showBits(slice, length);
  return { "@type": "addr_var", anycast, addr_len: String(length), workchain_id: workchain, address };
}

// anycast_info$_ depth:(#<= 30) { depth >= 1 } rewrite_pfx:(bits depth) = Anycast;
function showAnycast(slice: Slice): JsonValue {
  const depth = slice.loadUint(5);
  if (depth < 1 || depth > 30) throw new ContractError("contracts/tag", `an anycast prefix of ${depth} bits`);
  const value = { "@type": "anycast_info", depth: String(depth), rewrite_pfx: showBits(slice, depth) };
  return { "@type": "something_from_maybe", value };
}

/** As the service reads them: the prefix of an anycast address is dropped, an address of variable length is refused. */
function loadServed(slice: Slice): Address | ExternalAddress | undefined {
  const found = anyAddress.load(slice);
  if (found === undefined || typeof found === "string" || found.kind === "external") return found;
  if (found.kind === "standard") return makeAddress(found.workchain, found.account);
  throw new ContractError("contracts/tag", "an address of variable length");
}

function isInternal(address: AnyAddress): address is InternalAddress {
  return typeof address === "string" || (address !== undefined && address.kind !== "external");
}

/** MsgAddress; in code `undefined` for none and for external ones. */
export const address: BodyField<Address | undefined> = {
  load: (s) => {
    const served = loadServed(s);
    return typeof served === "string" ? served : undefined;
  },
  show: showAddress,
  abi: "anyAddress",
  leastBits: 2,
};

/** MsgAddress; in code an external one is refused, like in the service where an account takes part in an action. */
export const partyAddress: BodyField<Address | undefined> = {
  ...address,
  load: (s) => {
    const served = loadServed(s);
    if (typeof served === "object")
      throw new ContractError("contracts/tag", "an external address where an account belongs");
    return served;
  },
  abi: "address?",
};

/** MsgAddress; in code external ones are kept. */
export const servedAddress: BodyField<Address | ExternalAddress | undefined> = {
  load: loadServed,
  show: showAddress,
  abi: "anyAddress",
  leastBits: 2,
};

/** MsgAddress; in code all its forms are kept. */
export const wideAddress: BodyField<AnyAddress> = {
  load: (s) => anyAddress.load(s),
  show: showAddress,
  abi: "anyAddress",
  leastBits: 2,
};

/** MsgAddressInt. The public decoder refuses other forms; in code they are `undefined`, for a pattern to judge. */
export const accountAddress: BodyField<Address | undefined> = {
  load: address.load,
  show: (s, showing) => {
    if (s.preloadUint(2) < 2) throw new ContractError("contracts/tag", "no account where an account belongs");
    return showAddress(s, showing);
  },
  abi: "address",
  leastBits: 2,
};

/** MsgAddressExt */
export const externalAddress: BodyField<ExternalAddress | undefined> = {
  load: (s) => {
    const found = anyAddress.load(s);
    if (isInternal(found)) throw new ContractError("contracts/tag", "an account where an external address belongs");
    return found;
  },
  show: (s, showing) => {
    if (s.preloadUint(2) > 1) throw new ContractError("contracts/tag", "an account where an external address belongs");
    return showAddress(s, showing);
  },
  abi: "anyAddress",
  leastBits: 2,
};
