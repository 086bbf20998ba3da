import type { DomainAuction } from "../../../history/queries/auctions.ts";
import type { DnsEntryRow } from "../../../history/queries/dns.ts";
import { bool, decimal, nullable, omittable, shape, text } from "../../../lib/kit/shape.ts";
import { nftItem } from "./nfts.ts";
import { address, decimalOf, hash, named } from "./scalars.ts";

/** The records of a domain. */
export const dnsRecord = named(
  "DNSRecord",
  shape<DnsEntryRow>()({
    nft_item_address: address("Address of the NFT item of the domain.", (r) => r.nftItemAddress),
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

/** An auction of a domain. */
export const dnsAuction = named(
  "DNSAuction",
  shape<DomainAuction>()({
    nft_item_address: address("Address of the NFT item of the domain.", (a) => a.row.nftItemAddress),
    domain: text("Domain name, such as `alice.ton`.", (a) => a.row.domain),
    max_bid_address: nullable(address)("Address of the highest bidder.", (a) => a.row.maxBidAddress),
    max_bid_amount: nullable(decimal)("Highest bid, in nanocoins.", (a) => a.row.maxBidAmount),
    auction_end_time: nullable(decimalOf)("Time when the auction ends, in Unix seconds.", (a) => a.row.auctionEndTime),
    last_fill_up_time: nullable(decimalOf)(
      "Time when the domain was last paid for, in Unix seconds; null if the item does not report it.",
      (a) => a.row.lastFillUpTime,
    ),
    finished: bool("Whether the auction has ended, so that the bidder can claim the domain.", (a) => a.isFinished),
    nft_item: omittable(nftItem)("NFT item of the domain; only with `include_nft_items`.", (a) => a.item),
  }),
);
