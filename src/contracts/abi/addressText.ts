import { fromHex, toHex } from "../../lib/bytes.ts";
import type { JsonValue } from "../../lib/json.ts";
import { findAddress, formatRawAddress } from "../../model/Address.ts";
import type { AnyAddress } from "../../model/messageAddress.ts";
import { findBits, formatBits } from "./bitText.ts";
import { AbiError } from "./errors.ts";
import { badValue, readText } from "./values.ts";

export type AddressKind = "address" | "address?" | "anyAddress";

/** Raw text; null for none; `ext:` and bits for an external one. */
export function formatAny(address: AnyAddress, kind: AddressKind): JsonValue {
  if (typeof address === "string") return formatRawAddress(address);
  if (address === undefined && kind !== "address") return null;
  if (address?.kind === "external" && kind === "anyAddress")
    return `ext:${formatBits(fromHex(address.value), address.bits)}`;
  throw new AbiError("abi/data", `an address that is not ${kind}`);
}

/** The address of such a text; accounts may have any form. */
export function readAny(value: JsonValue, kind: AddressKind, path: string): AnyAddress {
  if (value === null && kind !== "address") return undefined;
  const text = readText(value, path);
  if (kind === "anyAddress" && text.startsWith("ext:")) {
    const bits = findBits(text.slice(4));
    if (bits === undefined || bits.count > 511) throw badValue(path, "bits of an external address are needed");
    return { kind: "external", bits: bits.count, value: toHex(bits.bytes) };
  }
  const found = findAddress(text);
  if (found === undefined) throw badValue(path, "an address is needed");
  return found.address;
}
