import type { DnsEntryRow } from "../../../history/queries/dns.ts";
import { nullable, shape, text } from "../../../lib/kit/shape.ts";
import { address, hash, named } from "./scalars.ts";

/** The records of a domain. */
export const dnsRecord = named(
  "DNSRecord",
  shape<DnsEntryRow>()({
    nft_item_address: address((r) => r.nftItemAddress),
    nft_item_owner: nullable(address)((r) => r.nftItemOwner),
    domain: text((r) => r.domain),
    dns_next_resolver: nullable(address)((r) => r.dnsNextResolver),
    dns_wallet: nullable(address)((r) => r.dnsWallet),
    dns_site_adnl: nullable(hash)((r) => r.dnsSiteAdnl),
    dns_storage_bag_id: nullable(hash)((r) => r.dnsStorageBagId),
  }),
);
