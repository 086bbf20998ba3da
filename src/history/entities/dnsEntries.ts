import { address, amount, hash, int8, int53, nullable, text } from "../store/schema/columns.ts";
import { keepNewest } from "../store/schema/conflictRule.ts";
import { table } from "../store/schema/Table.ts";
import { indexedEntity } from "./indexedEntity.ts";

export const dnsEntries = table("dns_entries", {
  nftItemAddress: address,
  nftItemOwner: nullable(address),
  domain: text(),
  dnsNextResolver: nullable(address),
  dnsWallet: nullable(address),
  dnsSiteAdnl: nullable(hash),
  dnsStorageBagId: nullable(hash),
  lastTransactionLt: int8,
  maxBidAddress: nullable(address),
  maxBidAmount: nullable(amount),
  auctionEndTime: nullable(int53),
  lastFillUpTime: nullable(int53),
});

export const dnsEntryEntity = indexedEntity({
  table: dnsEntries,
  account: "nftItemAddress",
  key: ["nftItemAddress"],
  conflict: keepNewest("lastTransactionLt"),
  isNewIn: ["maxBidAddress", "maxBidAmount", "auctionEndTime", "lastFillUpTime"],
  rows: {
    dnsEntry: (dnsEntry, { address: nftItemAddress, lastTransactionLt }) => [
      {
        nftItemAddress,
        nftItemOwner: dnsEntry.owner,
        domain: dnsEntry.domain,
        dnsNextResolver: dnsEntry.nextResolver,
        dnsWallet: dnsEntry.wallet,
        dnsSiteAdnl: dnsEntry.siteAdnl,
        dnsStorageBagId: dnsEntry.storageBagId,
        lastTransactionLt,
        maxBidAddress: dnsEntry.auction?.maxBidder,
        maxBidAmount: dnsEntry.auction?.maxBid,
        auctionEndTime: dnsEntry.auction?.endAt,
        lastFillUpTime: dnsEntry.lastFillUpAt,
      },
    ],
  },
});
