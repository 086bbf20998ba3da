import type { Cell } from "../../../cell/Cell.ts";
import { sliceOf } from "../../../cell/Slice.ts";
import type { Address } from "../../../model/Address.ts";
import { details } from "../../engine/details.ts";
import { kind } from "../../engine/kind.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { isCall } from "../../engine/nodes.ts";
import {
  bodyOf,
  bounceOpcode,
  call,
  cellOf,
  coinsOf,
  destinationOf,
  isAborted,
  known,
  sourceOf,
  where,
} from "../../engine/pattern.ts";
import type { NftReference } from "../nft/NftTransfer.ts";
import { findItem } from "../nft/NftTransfer.ts";
import { isDnsItem } from "./items.ts";
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
  sum_type: f.text(({ record }) => (record === undefined ? "Unknown" : typeNames[record.kind])),
  dns_smc_address: f.address(({ record }) => (record?.kind === "smcAddress" ? record.smcAddr : undefined)),
  dns_adnl_address: f.text(({ record }) => (record?.kind === "adnlAddress" ? record.adnlAddr : undefined)),
  dns_text: f.text(({ record }) => (record?.kind === "text" ? record.text : undefined)),
  dns_next_resolver_address: f.address(({ record }) => (record?.kind === "nextResolver" ? record.resolver : undefined)),
  dns_storage_address: f.text(({ record }) => (record?.kind === "storageAddress" ? record.bagId : undefined)),
  flags: f.number(({ record }) =>
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
    key: f.text((c) => c.key),
    value: f.nested(recordDetails, (c) => c),
    source: f.address((c) => c.source),
    asset: f.address((c) => c.item),
    nft_collection: f.address((c) => c.collection),
  }),
});

export const deleteDns = kind<DnsChange>({
  type: "delete_dns",
  parties: partiesOf,
  details: (f) => ({
    hash: f.text((c) => c.key),
    source: f.address((c) => c.source),
    asset: f.address((c) => c.item),
    nft_collection: f.address((c) => c.collection),
  }),
});

export const renewDns = kind<DnsChange>({
  type: "renew_dns",
  parties: partiesOf,
  details: (f) => ({
    source: f.address((c) => c.source),
    asset: f.address((c) => c.item),
    nft_collection: f.address((c) => c.collection),
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
    nft_collection: f.address((p) => p.collection),
    nft_item: f.address((p) => p.nft),
    nft_item_index: f.amount((p) => p.index),
    new_owner: f.address((p) => p.newOwner),
    price: f.amount((p) => p.price),
    query_id: f.amount((p) => p.queryId),
    payout_amount: f.amount((p) => p.price),
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
    query_id: f.amount((r) => r.queryId),
    source: f.address((r) => r.source),
    nft_item: f.address((r) => r.nft),
    nft_collection: f.address((r) => r.collection),
    nft_item_index: f.amount((r) => r.index),
    value: f.amount((r) => r.value),
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
