import { type Address, parseAddress } from "../../model/Address.ts";
import { parseHash } from "../../model/Hash.ts";
import type { Facts } from "../Facts.ts";

const itemCode = parseHash("i1/8nr/TkGTY1fVuRlnIJrt1k5I/XKSHKL5NYK9vUfk=");
/** The collection of the .ton domains. */
const collections: ReadonlySet<Address> = new Set([
  parseAddress("0:B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF").address,
  parseAddress("0:E33ED33A42EB2032059F97D90C706F8400BB256D32139CA707F1564AD699C7DD").address,
]);

/** Whether an item is a .ton domain. */
export function isDnsItem(facts: Facts, nft: Address): boolean {
  const item = facts.findNftItem(nft);
  if (item === undefined) return false;
  return facts.findCodeHash(nft) === itemCode || (item.collection !== undefined && collections.has(item.collection));
}
