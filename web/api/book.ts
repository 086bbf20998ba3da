import { labels } from "../browser/settings.ts";
import { findWellKnown, wellKnownAddresses } from "../format/names.ts";
import type { AddressBook, Message, Metadata, Transaction } from "./types.ts";

/** Known data of an address, from all answers so far. */
export interface Known {
  readonly friendly?: string;
  readonly domain?: string;
  readonly interfaces: readonly string[];
  readonly token?: Token;
  /** The name given by the local network. */
  readonly given?: string;
}

/** Token metadata: untrusted text. */
export interface Token {
  readonly kind: string;
  readonly name?: string;
  readonly symbol?: string;
  readonly decimals: number;
  readonly image?: string;
  readonly description?: string;
}

const nothing: Known = { interfaces: [] };
const known = new Map<string, Known>();

export function findKnown(address: string): Known {
  return known.get(address) ?? nothing;
}

/** Stores what an answer contains about addresses, so that every panel shows the same name. */
export function learn(answer: unknown): void {
  const { address_book: book, metadata } = Object(answer) as { address_book?: AddressBook; metadata?: Metadata };
  for (const [address, row] of Object.entries(book ?? {})) {
    const { user_friendly: friendly, domain, interfaces } = row;
    known.set(address, {
      ...findKnown(address),
      interfaces,
      ...(friendly === null ? {} : { friendly }),
      ...(domain === null ? {} : { domain }),
    });
  }
  for (const [address, { token_info: infos }] of Object.entries(metadata ?? {})) {
    const info = infos.find(({ type, valid }) => valid !== false && type !== "jetton_wallets") ?? infos[0];
    if (info === undefined || info.valid !== true) continue;
    known.set(address, { ...findKnown(address), token: readToken(info) });
  }
  learnOpcodes(answer);
}

const opcodeNames = new Map<string, string>();

/** The name of an opcode in messages of earlier answers: a message that came back has its opcode, but no name of it. */
export function findOpcodeName(opcode: string): string | undefined {
  return opcodeNames.get(opcode);
}

function learnOpcodes(answer: unknown): void {
  const { transactions, traces = [] } = Object(answer) as {
    transactions?: Readonly<Record<string, Transaction>>;
    traces?: readonly { readonly transactions?: Readonly<Record<string, Transaction>> }[];
  };
  for (const list of [transactions, ...traces.map((trace) => trace.transactions)]) {
    for (const { in_msg: incoming, out_msgs: outgoing = [] } of Object.values(list ?? {}))
      for (const message of [incoming, ...outgoing]) learnOpcode(message);
  }
}

function learnOpcode(message: Message | null | undefined): void {
  const { opcode, decoded_opcode: name } = message ?? {};
  if (opcode && name) opcodeNames.set(opcode, name);
}

type TokenInfo = Metadata[string]["token_info"][number];

function readToken({ type, name, symbol, image, description, extra }: TokenInfo): Token {
  const decimals = Number(extra?.decimals ?? 9);
  return {
    kind: type,
    decimals: Number.isInteger(decimals) && decimals >= 0 && decimals <= 255 ? decimals : 9,
    ...(name === undefined ? {} : { name: clip(name) }),
    ...(symbol === undefined ? {} : { symbol: clip(symbol) }),
    ...(image === undefined ? {} : { image }),
    ...(description === undefined ? {} : { description: description.slice(0, 2_000) }),
  };
}

/** Names are shown in one line, so long ones are cut. */
function clip(text: string): string {
  return text.length > 64 ? `${text.slice(0, 63)}…` : text;
}

/** Stores the local network's names of its contracts. */
export function learnNames(names: readonly { readonly name: string; readonly address: string }[]): void {
  for (const { name, address } of names) {
    const raw = address.toUpperCase();
    known.set(raw, { ...findKnown(raw), given: name });
  }
}

/** All accounts that have a name here: labels of the user, names of the local network, and domains. */
export function listNamed(): readonly { readonly address: string; readonly names: readonly string[] }[] {
  const addresses = new Set([...Object.keys(labels()), ...known.keys(), ...wellKnownAddresses]);
  return [...addresses].flatMap((address) => {
    const { domain, given } = findKnown(address);
    const names = [labels()[address], given, findWellKnown(address), domain].filter((name) => name !== undefined);
    return names.length === 0 ? [] : [{ address, names }];
  });
}

/** The name to show instead of an address; the user's own label comes first. */
export function nameOf(address: string): string | undefined {
  const { domain, given, token } = findKnown(address);
  const own = labels()[address] ?? given ?? findWellKnown(address) ?? domain;
  // Anyone can choose any token name: the quotes mark it as a claim.
  return own ?? (token?.name === undefined ? undefined : `“${token.name}”`);
}
