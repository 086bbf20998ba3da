import type { DnsEntryRow } from "../../../history/queries/dns.ts";
import { nullable, shape, text } from "../../../lib/kit/shape.ts";
import { address, hash, named } from "./scalars.ts";

/** The records of a domain. */
export const dnsRecord = named(
  "DNSRecord",
  shape<DnsEntryRow>()({
    nft_item_address: address("Address of the item that the domain is.", (r) => r.nftItemAddress),
    nft_item_owner: nullable(address)("Address of the owner of the domain; null for none.", (r) => r.nftItemOwner),
    domain: text("Domain name, such as `alice.ton`.", (r) => r.domain),
    dns_next_resolver: nullable(address)(
      "Address of the contract that resolves subdomains; null without a record.",
      (r) => r.dnsNextResolver,
    ),
    dns_wallet: nullable(address)(
      "Address of the wallet that the domain leads to; null without a record.",
      (r) => r.dnsWallet,
    ),
    dns_site_adnl: nullable(hash)("ADNL address of the site, in base64; null without a record.", (r) => r.dnsSiteAdnl),
    dns_storage_bag_id: nullable(hash)(
      "Id of the bag in TON Storage, in base64; null without a record.",
      (r) => r.dnsStorageBagId,
    ),
  }),
);
