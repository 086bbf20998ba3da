import { addressBook } from "../../history/queries/addressBook.ts";
import {
  type AuctionFilter,
  type AuctionPage,
  type AuctionPlace,
  type DomainAuction,
  listAuctions,
} from "../../history/queries/auctions.ts";
import { type DnsEntryRow, type DnsFilter, listDnsRecords } from "../../history/queries/dns.ts";
import { metadata } from "../../history/queries/metadata.ts";
import { list, nullable, shape, text } from "../../lib/kit/shape.ts";
import type { Address } from "../../model/Address.ts";
import { formatRawAddress } from "../../model/Address.ts";
import { arg } from "../declare/argument.ts";
import { noProof } from "../declare/proof.ts";
import { addressArg, boolArg, cursorArgs, findV3Address, needed, orElseArg, pageArgs, textArg } from "./args/args.ts";
import { refusal } from "./args/refusals.ts";
import { endpoint, indexEndpoint } from "./declare.ts";
import { onHistory, pageOf } from "./onHistory.ts";
import { contractProof } from "./proofs/proveContracts.ts";
import { by, within } from "./scope/scopeRule.ts";
import type { ItemsWithBook, WithMetadata } from "./shapes/book.ts";
import { bookFields, itemsOf, metadataFields } from "./shapes/book.ts";
import { dnsAuction, dnsRecord } from "./shapes/dns.ts";

function filterOf(wallet: Address | undefined, domain: string | undefined): DnsFilter {
  if (wallet !== undefined && domain !== undefined) throw refusal("walletAndDomain");
  if (wallet !== undefined) return { kind: "wallet", wallet };
  if (domain !== undefined) return { kind: "domain", domain };
  throw refusal("walletOrDomainNeeded");
}

export const dnsRecords = indexEndpoint({
  name: "dns/records",
  proof: contractProof("domains"),
  tag: "dns",
  scope: within([by.never("wallet")], ["domain"]),
  summary: "Records of domains by domain or by the wallet they lead to.",
  description: "Domains right below `.ton` and `.t.me` are known. Give either `wallet` or `domain`.",
  args: {
    wallet: arg("Wallet that the domain leads to.", addressArg),
    domain: arg("A domain, such as `alice.ton`.", textArg, "domain"),
    ...pageArgs,
    ...cursorArgs,
  },
  result: shape<ItemsWithBook<DnsEntryRow>>()({
    records: itemsOf(dnsRecord, "DNS records that match."),
    ...bookFields,
  }),
  run: onHistory(async ({ reading, page, items }, args) => {
    const filter = filterOf(args.wallet, args.domain);
    const part = page(args, reading.options.defaultDnsLimit);
    const records = items(await listDnsRecords(reading, filter, part));
    const involved = records.flatMap((row) => [row.nftItemAddress, row.nftItemOwner, row.dnsWallet]);
    return { items: records, book: await addressBook(reading, involved) };
  }),
});

interface AuctionsAnswer extends WithMetadata {
  readonly auctions: readonly DomainAuction[];
  readonly next: AuctionPlace | undefined;
}

const placeForm = /^([0-9]{20}):(-?[0-9]+:[0-9a-fA-F]{64})$/;
const maxEnd = 2n ** 63n;

/** A place as the cursor of the contract. */
function formatPlace({ endAt, item }: AuctionPlace): string {
  return Buffer.from(`${endAt.toString().padStart(20, "0")}:${formatRawAddress(item)}`).toString("base64url");
}

function parsePlace(after: string): AuctionPlace {
  const isEncoded = /^[A-Za-z0-9_-]+$/.test(after);
  const [, end = "", item = ""] = (isEncoded && placeForm.exec(Buffer.from(after, "base64url").toString())) || [];
  const address = findV3Address(item);
  if (address === undefined || BigInt(end) >= maxEnd) throw refusal("badAfter");
  return { endAt: BigInt(end), item: address };
}

const auctionStates: ReadonlySet<string> = new Set(["all", "won", "bidding"]);

function isAuctionState(state: string): state is AuctionFilter["state"] {
  return auctionStates.has(state);
}

/**
 * The parts of an answer about the accounts in it: tokens are the items, and their collections where they are shown.
 */
function auctionAddresses({ auctions }: AuctionPage) {
  const items = auctions.map(({ row }) => row.nftItemAddress);
  return {
    named: [...items, ...auctions.map(({ row }) => row.maxBidAddress)],
    tokens: [...items, ...auctions.flatMap(({ item }) => item?.row.collectionAddress ?? [])],
  };
}

// Not an answer of the index alone: whether an auction has ended depends on the time of the request.
export const dnsActiveAuctions = endpoint({
  name: "dns/activeAuctions",
  proof: noProof("the index has it; runGetMethod proves the auction of a domain"),
  tag: "dns",
  scope: within([by.never("bidder")]),
  summary: "Auctions of domains in which an address has the highest bid.",
  description:
    "Auctions of domains right below `.ton`, the earliest end first. An auction that ended stays until the bidder claims " +
    "the domain. While `next_cursor` is not null, its value as `after` gives the next page.",
  args: {
    bidder: arg("Address of the highest bidder.", needed(addressArg), "bidder"),
    state: arg("`won`: auctions that ended; `bidding`: auctions that still run; `all`: both.", textArg),
    include_nft_items: arg("Add the item of every domain, with its collection.", orElseArg(boolArg, false)),
    after: arg("Where the next page begins: `next_cursor` of the page before. Not with `offset`.", textArg),
    limit: arg("Largest number of items in the answer: 100 if left out, at most 1000.", pageArgs.limit),
    offset: pageArgs.offset,
  },
  result: shape<AuctionsAnswer>()({
    auctions: list(dnsAuction)("Auctions that match.", (answer) => answer.auctions),
    ...metadataFields,
    next_cursor: nullable(text)(
      "Value of `after` for the next page; null at the end.",
      ({ next }) => next && formatPlace(next),
    ),
  }),
  run: onHistory(async ({ reading }, { bidder, state = "all", after = "", include_nft_items: withItems, ...args }) => {
    if (bidder === undefined) throw refusal("bidderNeeded");
    if (!isAuctionState(state)) throw refusal("badAuctionState");
    if (after !== "" && (args.offset ?? 0) > 0) throw refusal("afterAndOffset");
    const place = after === "" ? undefined : parsePlace(after);
    const page = pageOf(args, reading.options, reading.options.defaultDnsLimit);
    const filter = { bidder, state, after: place, now: await reading.now() };
    const found = await listAuctions(reading, filter, page, { withItems });
    const { named, tokens } = auctionAddresses(found);
    return { ...found, book: await addressBook(reading, named), metadata: await metadata(reading, tokens) };
  }),
});
