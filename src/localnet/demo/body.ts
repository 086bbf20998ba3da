import { type Builder, beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { storeCell } from "../../cell/codec.ts";
import { makeDictionary } from "../../cell/dictionary.ts";
import { hashKey, uintKey } from "../../cell/keys.ts";
import type { Address } from "../../model/Address.ts";
import { Content, ContentData, type ContentName, contentKeys } from "../../model/content/Content.ts";
import type { Hash } from "../../model/Hash.ts";
import { internalAddress } from "../../model/messageAddress.ts";
import { LocalnetError } from "../errors.ts";

/** The query id of all messages of the demo set: none of them waits for an answer. */
const queryId = 0n;

/** Begins a body in the usual form: opcode and query id. */
export function beginBody(opcode: number): Builder {
  return beginCell().storeUint(opcode, 32).storeBigUint(queryId, 64);
}

export function storeAddress(builder: Builder, address: Address | undefined): Builder {
  if (address === undefined) return builder.storeUint(0, 2);
  internalAddress.store(builder, address);
  return builder;
}

/** The on-chain content of a token (TEP-64). */
export function onchainContent(fields: Readonly<Partial<Record<ContentName, string>>>): Cell {
  const entries = Object.entries(fields).map(
    ([name, text]) => [contentKeys[name as ContentName] as Hash, Buffer.from(text, "utf8")] as [Hash, Uint8Array],
  );
  return storeCell(Content, { kind: "onchain", attributes: makeDictionary(hashKey, ContentData, entries) });
}

/** Addresses by index, as the root of a dictionary with keys of eight bits. */
export function numberedAddresses(addresses: readonly Address[]): Cell {
  const entries = addresses.map((address, index) => [index, address] as [number, Address]);
  const { root } = makeDictionary(uintKey(8), internalAddress, entries);
  if (root === undefined) throw new LocalnetError("localnet/wallet", "an empty list");
  return root;
}
