import type { Hash } from "../cell/Hash.ts";
import type { Brand } from "../lib/brand.ts";
import { crc16 } from "../lib/crc.ts";
import { ModelError } from "./errors.ts";

/** A standard account address as raw text, lower case: `workchain:64 hex digits`. Comparable, usable as a key. */
export type Address = Brand<string, "Address">;

export function makeAddress(workchain: number, account: Hash | string): Address {
  // Nearly all accounts are in these workchains: saves formatting the number each time.
  if (workchain === 0) return `0:${account}` as Address;
  return `${workchain}:${account}` as Address;
}

export function workchainOf(address: Address): number {
  return Number(address.slice(0, address.indexOf(":")));
}

/** The 256-bit part. */
export function accountOf(address: Address): Hash {
  return address.slice(address.indexOf(":") + 1) as Hash;
}

/** The flags of a user-friendly address. */
export interface AddressFlags {
  readonly bounceable: boolean;
  readonly testOnly: boolean;
}

export interface ParsedAddress {
  readonly address: Address;
  /** Absent when the text was raw, which has no flags. */
  readonly flags: AddressFlags | undefined;
}

const rawPattern = /^(-?\d{1,10}):([0-9a-fA-F]{64})$/;
const friendlyPattern = /^(?:[A-Za-z0-9+/]{48}|[A-Za-z0-9_-]{48})$/;

/**
 * Parses an address in any text form: raw in either case, or user-friendly in either base64 alphabet, with its
 * checksum.
 */
export function parseAddress(text: string): ParsedAddress {
  const address = findAddress(text);
  if (address === undefined) throw new ModelError("model/address", `${JSON.stringify(text)} is not an address`);
  return address;
}

/** Like `parseAddress`; `undefined` when the text is not an address. */
export function findAddress(text: string): ParsedAddress | undefined {
  const raw = rawPattern.exec(text);
  if (raw !== null) {
    const workchain = Number(raw[1]);
    if (workchain !== (workchain | 0) || raw[1] === "-0") return undefined;
    return { address: makeAddress(workchain, (raw[2] as string).toLowerCase()), flags: undefined };
  }
  if (!friendlyPattern.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64");
  const tag = bytes[0] as number;
  if (bytes.length !== 36 || (tag & 0x3f) !== 0x11 || crc16(bytes.subarray(0, 34)) !== bytes.readUInt16BE(34))
    return undefined;
  const flags = { bounceable: (tag & 0x40) === 0, testOnly: (tag & 0x80) !== 0 };
  return { address: makeAddress(bytes.readInt8(1), bytes.toString("hex", 2, 34)), flags };
}

/** A reused buffer, so that no memory is allocated per call. */
const scratch = Buffer.alloc(36);
const scratchBody = scratch.subarray(0, 34);

/** The user-friendly form. Only workchains of one byte have one. */
export function formatAddress(address: Address, flags: AddressFlags, alphabet: "base64" | "base64url"): string {
  const workchain = workchainOf(address);
  if (workchain !== (workchain << 24) >> 24)
    throw new ModelError("model/address", `workchain ${workchain} does not fit the user-friendly form`);
  scratch[0] = (flags.bounceable ? 0x11 : 0x51) | (flags.testOnly ? 0x80 : 0);
  scratch[1] = workchain & 0xff;
  scratch.write(accountOf(address), 2, "hex");
  scratch.writeUInt16BE(crc16(scratchBody), 34);
  return scratch.toString(alphabet);
}

/** Raw form as the APIs print it: hex in upper case. */
export function formatRawAddress(address: Address): string {
  return address.toUpperCase();
}

/** The first bits of an address, rewritten by a contract that is deployed into several shards. */
export interface Anycast {
  readonly depth: number;
  /** The rewritten bits, left-aligned, as hex of whole bytes. */
  readonly prefix: string;
}

/** The internal address forms that history contains besides the standard one. */
export interface SpecialAddress {
  readonly kind: "standard" | "variable";
  readonly anycast: Anycast | undefined;
  readonly workchain: number;
  readonly bits: number;
  /** Left-aligned, as hex of whole bytes. */
  readonly account: string;
}

export type InternalAddress = Address | SpecialAddress;

export interface ExternalAddress {
  readonly kind: "external";
  readonly bits: number;
  /** Left-aligned, as hex of whole bytes. */
  readonly value: string;
}

/** The account of a message address: an anycast prefix replaces the first bits. */
export function plainAddress(address: InternalAddress): Address {
  if (typeof address === "string") return address;
  if (address.bits !== 256) throw new ModelError("model/address", `an address of ${address.bits} bits has no raw form`);
  const bytes = Buffer.from(address.account, "hex");
  if (address.anycast !== undefined) {
    const prefix = Buffer.from(address.anycast.prefix, "hex");
    for (let i = 0; i < address.anycast.depth; i++) {
      const mask = 0x80 >> (i & 7);
      const index = i >> 3;
      bytes[index] = ((bytes[index] as number) & ~mask) | ((prefix[index] as number) & mask);
    }
  }
  return makeAddress(address.workchain, bytes.toString("hex"));
}

/** Each address once, in order. */
export function distinct(of: Iterable<Address | undefined>): readonly Address[] {
  const addresses = new Set<Address>();
  for (const each of of) if (each !== undefined) addresses.add(each);
  return [...addresses];
}
