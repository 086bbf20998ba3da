import { parseAddress } from "../format/address.ts";

/** Types of stack values. An address is sent as a slice. */
export const stackTypes = ["number", "cell", "slice", "address"] as const;
export type StackType = (typeof stackTypes)[number];

export interface StackRow {
  readonly id: number;
  readonly type: StackType;
  readonly text: string;
}

/** A value in the form that v3 accepts. */
export interface StackEntry {
  readonly type: "num" | "cell" | "slice";
  readonly value: string;
}

/** The stack in the form that v3 accepts, or the reason why it is invalid. */
export function readStack(rows: readonly StackRow[]): StackEntry[] | string {
  const entries: StackEntry[] = [];
  for (const [at, { type, text }] of rows.entries()) {
    const value = text.trim();
    const entry = readEntry(type, value);
    if (entry === undefined) return `Value ${at + 1} is not a ${type}.`;
    entries.push(entry);
  }
  return entries;
}

function readEntry(type: StackType, value: string): StackEntry | undefined {
  switch (type) {
    case "number":
      return /^-?(?:\d+|0x[0-9a-f]+)$/i.test(value) ? { type: "num", value } : undefined;
    case "cell":
      return /^[A-Za-z0-9+/]+=*$/.test(value) ? { type: "cell", value } : undefined;
    case "slice":
      return /^[A-Za-z0-9+/]+=*$/.test(value) ? { type: "slice", value } : undefined;
    case "address": {
      const raw = parseAddress(value);
      return raw === undefined ? undefined : { type: "slice", value: addressBag(raw) };
    }
  }
}

/** A bag of one cell with an address: addr_std$10, no anycast, workchain, 256 bits; 267 bits in total. */
export function addressBag(raw: string): string {
  const [workchain = "0", account = ""] = raw.split(":");
  const wc = BigInt.asUintN(8, BigInt(workchain));
  const bits = (0b100n << 264n) | (wc << 256n) | BigInt(`0x${account}`);
  // 267 bits, the completion bit, and zeros up to 34 bytes.
  const data = ((bits << 1n) | 1n) << 4n;
  const hex = data.toString(16).padStart(68, "0");
  // serialized_boc: flags and size 1, offsets of 1 byte, one cell, one root, none absent, its length, the root's index
  const bag = `b5ee9c72010101010024000043${hex}`;
  const bytes = bag.match(/../g) ?? [];
  return btoa(bytes.map((pair) => String.fromCharCode(Number.parseInt(pair, 16))).join(""));
}
