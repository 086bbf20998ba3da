import { sliceOf } from "../../cell/Slice.ts";
import { type DomainCollections, domainCollections } from "../../contracts/families/dns/collections.ts";
import { findDomainCollections } from "../../contracts/families/dns/findDomainCollections.ts";
import { makeAddress } from "../../model/Address.ts";
import { masterchain } from "../../model/block/BlockId.ts";
import { hash } from "../../model/Hash.ts";
import { getAccountAt } from "../accounts.ts";
import type { Chain } from "../Chain.ts";
import { findConfigCell } from "../config.ts";
import { callerAt } from "./tokens.ts";

/** The collections whose items are domains, by the root DNS contract of the configuration at the head. */
export async function getDomainCollections(chain: Chain): Promise<DomainCollections> {
  const { block } = chain.head;
  const param = await findConfigCell(chain, 4, block.seqno);
  if (param === undefined) return domainCollections;
  const root = makeAddress(masterchain, hash.load(sliceOf(param)));
  return findDomainCollections(root, callerAt(chain, await getAccountAt(chain, root, block)));
}
