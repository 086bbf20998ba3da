import { type Address, parseAddress } from "../../../model/Address.ts";
import { parseHash } from "../../../model/Hash.ts";
import type { Facts } from "../../engine/Facts.ts";

/** Collections whose items are domains, by the suffix of their names. */
export interface DomainCollections {
  readonly ton: ReadonlySet<Address>;
  readonly telegram: ReadonlySet<Address>;
}

/** Of .ton on the main and on the test network, of .t.me on the main network. */
export const domainCollections: DomainCollections = {
  ton: addresses(
    "0:B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF",
    "0:E33ED33A42EB2032059F97D90C706F8400BB256D32139CA707F1564AD699C7DD",
  ),
  telegram: addresses("0:80D78A35F955A14B679FAA887FF4CD5BFC0F43B4A4EEA2A7E6927F3701B273C2"),
};

function addresses(...texts: readonly string[]): ReadonlySet<Address> {
  return new Set(texts.map((text) => parseAddress(text).address));
}

/** Codes of items under .ton. */
export const domainItemCodes = [
  parseHash("i1/8nr/TkGTY1fVuRlnIJrt1k5I/XKSHKL5NYK9vUfk="),
  // The names of the demo set of local networks.
  parseHash("BC35155DF68F83E3D89B66AF77995CF47D5B48DFA9529A9F0173C59C04E237FF"),
];

const itemCodes: ReadonlySet<string | undefined> = new Set(domainItemCodes);

/** Whether an item is a .ton domain. */
export function isDnsItem(facts: Facts, nft: Address): boolean {
  const item = facts.findNftItem(nft);
  if (item === undefined) return false;
  if (itemCodes.has(facts.findCodeHash(nft))) return true;
  return item.collection !== undefined && domainCollections.ton.has(item.collection);
}
