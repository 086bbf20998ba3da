import type { Cell } from "../../../cell/Cell.ts";
import { sliceOf } from "../../../cell/Slice.ts";
import type { Address } from "../../../model/Address.ts";
import { details } from "../../engine/details.ts";
import { kind } from "../../engine/kind.ts";
import { made, matcher } from "../../engine/matcher.ts";
import {
  bodyOf,
  bounceOpcode,
  cellOf,
  coinsOf,
  destinationOf,
  isAborted,
  known,
  sourceOf,
} from "../../engine/messageParts.ts";
import { isCall } from "../../engine/nodes.ts";
import { call, where } from "../../engine/pattern.ts";
import { findItem, type NftReference } from "../nft/NftTransfer.ts";
import { isDnsItem } from "./collections.ts";
import { auctionFillUp, changeDnsRecord, deleteDnsRecord, dnsBalanceRelease } from "./messages.ts";
import { type DnsRecordChange, dnsRecord, isKnownRecord } from "./records.ts";

interface DnsChange {
  readonly source: Address | undefined;
  readonly item: Address;
  readonly collection: Address | undefined;
  readonly key: string;
  /** Absent for records of an unknown kind. */
  readonly record: DnsRecordChange | undefined;
}

const typeNames = {
  smcAddress: "DNSSmcAddress",
  adnlAddress: "DNSAdnlAddress",
  nextResolver: "DNSNextResolver",
  storageAddress: "DNSStorageAddress",
  text: "DNSText",
} as const;

const recordDetails = details<DnsChange>((f) => ({
  sum_type: f.text("Kind of record.", ({ record }) => (record === undefined ? "Unknown" : typeNames[record.kind])),
  dns_smc_address: f.address("Account that the domain leads to.", ({ record }) =>
    record?.kind === "smcAddress" ? record.smcAddr : undefined,
  ),
  dns_adnl_address: f.text("ADNL address of the site.", ({ record }) =>
    record?.kind === "adnlAddress" ? record.adnlAddr : undefined,
  ),
  dns_text: f.text("Text of the record.", ({ record }) => (record?.kind === "text" ? record.text : undefined)),
  dns_next_resolver_address: f.address("Contract that resolves subdomains.", ({ record }) =>
    record?.kind === "nextResolver" ? record.resolver : undefined,
  ),
  dns_storage_address: f.text("Bag in TON Storage.", ({ record }) =>
    record?.kind === "storageAddress" ? record.bagId : undefined,
  ),
  flags: f.number("Flags of a record of an account or site; null for others.", ({ record }) =>
    record?.kind === "smcAddress" || record?.kind === "adnlAddress" ? record.flags : undefined,
  ),
}));

function partiesOf({ source, item }: DnsChange) {
  return { source, destination: item };
}

export const changeDns = kind<DnsChange>({
  type: "change_dns",
  parties: partiesOf,
  details: (f) => ({
    key: f.text("Key of the record: the hash of its category, in hex.", (c) => c.key),
    value: f.nested("New value of the record.", recordDetails, (c) => c),
    source: f.address("Address of the sender.", (c) => c.source),
    asset: f.address("Address of the NFT item of the domain.", (c) => c.item),
    nft_collection: f.address("Address of the collection; null for an item without one.", (c) => c.collection),
  }),
});

export const deleteDns = kind<DnsChange>({
  type: "delete_dns",
  parties: partiesOf,
  details: (f) => ({
    hash: f.text("Key of the record: the hash of its category, in hex.", (c) => c.key),
    source: f.address("Address of the sender.", (c) => c.source),
    asset: f.address("Address of the NFT item of the domain.", (c) => c.item),
    nft_collection: f.address("Address of the collection; null for an item without one.", (c) => c.collection),
  }),
});

export const renewDns = kind<DnsChange>({
  type: "renew_dns",
  parties: partiesOf,
  details: (f) => ({
    source: f.address("Address of the sender.", (c) => c.source),
    asset: f.address("Address of the NFT item of the domain.", (c) => c.item),
    nft_collection: f.address("Address of the collection; null for an item without one.", (c) => c.collection),
  }),
});

const zeroKey = "0".repeat(64);
const changed = call(changeDnsRecord, { child: call(bounceOpcode, { optional: true, takesReplies: "bounces" }) });

export const dnsChangeMatcher = matcher({
  name: "change_dns",
  pattern: changed,
  build: (match, facts) => {
    const node = match.get(changed);
    const { key } = bodyOf(node, deleteDnsRecord);
    const item = destinationOf(node);
    const collection = facts.findNftItem(item)?.collection;
    const hasValue = cellOf(node).refCount > 0;
    const record = hasValue ? readRecord(cellOf(node)) : undefined;
    const change = hasValue ? changeDns : key === zeroKey ? renewDns : deleteDns;
    const data = { source: node.data.source, item, collection, key, record };
    return made(change, data, { failed: node.failed });
  },
});

/** A value of an unknown kind is still a change; an unreadable one is not. */
function readRecord(body: Cell): DnsRecordChange | undefined {
  const value = sliceOf(sliceOf(body).loadRef());
  return isKnownRecord(value) ? dnsRecord.load(value) : undefined;
}

interface DnsPurchase extends NftReference {
  /** Absent where an external message used the domain. */
  readonly newOwner: Address | undefined;
  readonly price: bigint;
  readonly queryId: bigint | undefined;
}

export const dnsPurchase = kind<DnsPurchase>({
  type: "dns_purchase",
  showsParts: true,
  parties: (p) => ({ destination: p.newOwner }),
  details: (f) => ({
    nft_collection: f.address("Address of the collection; null for an item without one.", (p) => p.collection),
    nft_item: f.address("Address of the item.", (p) => p.nft),
    nft_item_index: f.amount("Number of the item within its collection, in decimal.", (p) => p.index),
    new_owner: f.address("Address of the new owner.", (p) => p.newOwner),
    price: f.amount("Price in nanocoins.", (p) => p.price),
    query_id: f.amount("Number that the sender chose to recognise the answer by.", (p) => p.queryId),
    payout_amount: f.amount("Coins that the seller receives, in nanocoins.", (p) => p.price),
  }),
});

const claimed = where(isCall);
const filledUp = call(auctionFillUp, { parent: claimed });

/** The first use of an auctioned domain forwards its price. */
export const dnsPurchaseMatcher = matcher({
  name: "dns_purchase",
  pattern: filledUp,
  build: (match, facts) => {
    const node = match.get(filledUp);
    const nft = sourceOf(node);
    if (!isDnsItem(facts, nft)) return undefined;
    const data = {
      ...known(findItem(facts, nft)),
      newOwner: match.get(claimed).data.source,
      price: coinsOf(node),
      queryId: findQueryId(node),
    };
    return made(dnsPurchase, data, { from: [node], failed: isAborted(node) });
  },
});

interface DnsRelease extends NftReference {
  readonly source: Address;
  readonly queryId: bigint | undefined;
  readonly value: bigint;
}

export const dnsRelease = kind<DnsRelease>({
  type: "dns_release",
  showsParts: true,
  parties: (r) => ({ source: r.source, destination: r.nft }),
  details: (f) => ({
    query_id: f.amount("Number that the sender chose to recognise the answer by.", (r) => r.queryId),
    source: f.address("Address of the sender.", (r) => r.source),
    nft_item: f.address("Address of the item.", (r) => r.nft),
    nft_collection: f.address("Address of the collection; null for an item without one.", (r) => r.collection),
    nft_item_index: f.amount("Number of the item within its collection, in decimal.", (r) => r.index),
    value: f.amount("Coins that the request carries, in nanocoins.", (r) => r.value),
  }),
});

/** Merges only the message: unlike with records, the bounce of a release stays separate. */
const released = call(dnsBalanceRelease);

export const dnsReleaseMatcher = matcher({
  name: "dns_release",
  pattern: released,
  build: (match, facts) => {
    const node = match.get(released);
    const nft = destinationOf(node);
    if (!isDnsItem(facts, nft)) return undefined;
    const item = known(findItem(facts, nft));
    const data = { ...item, source: sourceOf(node), queryId: findQueryId(node), value: coinsOf(node) };
    return made(dnsRelease, data, { failed: isAborted(node) });
  },
});

/** The query id after an opcode; some senders omit it. */
function findQueryId(node: Parameters<typeof cellOf>[0]): bigint | undefined {
  const slice = sliceOf(cellOf(node)).skip(32);
  return slice.remainingBits >= 64 ? slice.loadBigUint(64) : undefined;
}
