import { beginCell } from "../../../cell/Builder.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { sliceOf } from "../../../cell/Slice.ts";
import type { Address } from "../../../model/Address.ts";
import { dnsCategories, dnsRecordSet } from "../../../model/content/DnsRecord.ts";
import { findText, loadSnake } from "../../../model/content/Snake.ts";
import { type Hash, parseHash } from "../../../model/Hash.ts";
import { openSlice, type VmCellSlice } from "../../../model/vm/VmCellSlice.ts";
import { type EntityContext, refusable, refusableAsync } from "../../kit/entity.ts";
import { getMethod } from "../../kit/getMethod.ts";
import { cell, notThis, orNull, single, slice, stack, stackInt } from "../../kit/stack.ts";
import { intValue, sliceValue } from "../../kit/stackValues.ts";
import type { NftItem } from "../nft/item.ts";
import { type DnsAuction, findAuction, findLastFillUp } from "./auction.ts";
import { type DomainCollections, domainCollections } from "./collections.ts";
import { type DnsRecordChange, dnsRecord } from "./records.ts";

/** A domain and its records; the account is its NFT item. */
export interface DnsEntry {
  readonly kind: "dnsEntry";
  readonly domain: string;
  readonly owner: Address | undefined;
  readonly nextResolver: Address | undefined;
  readonly wallet: Address | undefined;
  readonly siteAdnl: Hash | undefined;
  readonly storageBagId: Hash | undefined;
  readonly auction: DnsAuction | undefined;
  readonly lastFillUpAt: number | undefined;
}

type DnsRecords = Pick<DnsEntry, "nextResolver" | "wallet" | "siteAdnl" | "storageBagId">;

/** The domain of an item of one of these collections; `undefined` for all other items. */
export function findDnsEntry(
  item: NftItem,
  asking: EntityContext,
  collections: DomainCollections = domainCollections,
): Promise<DnsEntry | undefined> {
  const { collection, owner } = item;
  return refusableAsync(async () => {
    if (collection === undefined) throw notThis("an item of no collection");
    const [domain, records] = await Promise.all([askDomain(collection, asking, collections), askRecords(asking)]);
    const [auction, lastFillUpAt] = await Promise.all([findAuction(asking), findLastFillUp(asking)]);
    return { kind: "dnsEntry", domain, owner, ...records, auction, lastFillUpAt };
  });
}

async function askDomain(
  collection: Address,
  asking: EntityContext,
  { ton, telegram }: DomainCollections,
): Promise<string> {
  if (ton.has(collection)) return askTonDomain(asking);
  if (!telegram.has(collection)) throw notThis("an item that is no domain");
  // Labels from the last to the first, each followed by a zero byte.
  const labels = readText(await asking.own(getFullDomain.name, getFullDomain.result)).split("\0");
  return labels
    .filter((label) => label !== "")
    .reverse()
    .join(".");
}

/** The name of a domain under `.ton`. */
export async function askTonDomain(asking: EntityContext): Promise<string> {
  return `${readText(await asking.own(getDomain.name, getDomain.result))}.ton`;
}

const longestName = 1024;

function readText(part: VmCellSlice): string {
  const text = findText(loadSnake(openSlice(part), longestName));
  if (text === undefined) throw notThis("a name that is no text");
  return text;
}

/** The name that means the domain itself, in bits, and the category that means all. */
const ownName = sliceValue(beginCell().storeUint(0, 8).cell());
const ownNameBits = 8n;
const allCategories = intValue(0n);

const name = { ...slice, abi: "text" as const };
export const getDomain = getMethod("get_domain", single(name, "domain"));
/** Labels from the last to the first, each followed by a zero byte. */
export const getFullDomain = getMethod("get_full_domain", single(name, "domain"));
export const dnsresolve = getMethod("dnsresolve", stack({ bits: stackInt, records: orNull(cell) }), {
  subdomain: slice,
  category: stackInt,
});

/** The answer of a domain: how much of its own name it resolved, and its records of all categories. */
export function askOwnRecords(
  asking: EntityContext,
): Promise<{ readonly bits: bigint; readonly records: Cell | undefined }> {
  return asking.other(asking.account.address, dnsresolve.name, [ownName, allCategories], dnsresolve.result);
}

async function askRecords(asking: EntityContext): Promise<DnsRecords> {
  const { bits, records } = await askOwnRecords(asking);
  if (bits !== ownNameBits) throw notThis(`${bits} bits of a name of ${ownNameBits} are resolved`);
  return readRecords(records);
}

function readRecords(root: Cell | undefined): DnsRecords {
  const wallet = findRecord(root, dnsCategories.wallet);
  const nextResolver = findRecord(root, dnsCategories.dns_next_resolver);
  const site = findRecord(root, dnsCategories.site);
  const storage = findRecord(root, dnsCategories.storage);
  return {
    wallet: wallet?.kind === "smcAddress" ? wallet.smcAddr : undefined,
    nextResolver: nextResolver?.kind === "nextResolver" ? nextResolver.resolver : undefined,
    siteAdnl: site?.kind === "adnlAddress" ? parseHash(site.adnlAddr) : undefined,
    storageBagId: storage?.kind === "storageAddress" ? parseHash(storage.bagId) : undefined,
  };
}

/** An unreadable record counts as absent and does not affect the others. */
function findRecord(root: Cell | undefined, category: string): DnsRecordChange | undefined {
  return refusable(() => {
    const cell = dnsRecordSet(root).find(category as Hash);
    return cell && dnsRecord.load(sliceOf(cell));
  });
}
