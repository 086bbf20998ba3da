import type { Address } from "../../../model/Address.ts";
import { parseHash } from "../../../model/Hash.ts";
import type { Facts } from "../../engine/Facts.ts";
import { domainCollections } from "./collections.ts";

const itemCode = parseHash("i1/8nr/TkGTY1fVuRlnIJrt1k5I/XKSHKL5NYK9vUfk=");

/** Whether an item is a .ton domain. */
export function isDnsItem(facts: Facts, nft: Address): boolean {
  const item = facts.findNftItem(nft);
  if (item === undefined) return false;
  if (facts.findCodeHash(nft) === itemCode) return true;
  return item.collection !== undefined && domainCollections.ton.has(item.collection);
}
