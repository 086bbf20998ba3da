import { beginCell } from "../../../cell/Builder.ts";
import { sliceOf } from "../../../cell/Slice.ts";
import type { Address } from "../../../model/Address.ts";
import { dnsCategories } from "../../../model/content/DnsRecord.ts";
import { type MethodCaller, refusable } from "../../kit/entity.ts";
import { cell, orNull, stack, stackInt } from "../../kit/stack.ts";
import { intValue, sliceValue } from "../../kit/stackValues.ts";
import { type DomainCollections, domainCollections } from "./collections.ts";
import { dnsRecord } from "./records.ts";

const resolved = stack({ bits: stackInt, record: orNull(cell) });

/**
 * The collections of domains, from the root DNS contract of a chain (configuration parameter 4): the next resolver of a
 * zone is the collection of its domains. A zone without an answer keeps the collections of the public networks.
 */
export async function findDomainCollections(root: Address, caller: MethodCaller): Promise<DomainCollections> {
  const [ton, telegram] = await Promise.all([findZone(root, "ton\0", caller), findZone(root, "me\0t\0", caller)]);
  return {
    ton: ton === undefined ? domainCollections.ton : new Set([ton]),
    telegram: telegram === undefined ? domainCollections.telegram : new Set([telegram]),
  };
}

/** A root may leave the zero byte at the end of a zone to the next resolver. */
async function findZone(root: Address, zone: string, caller: MethodCaller): Promise<Address | undefined> {
  const name = sliceValue(beginCell().storeBytes(Buffer.from(zone, "utf8")).cell());
  const category = intValue(BigInt(`0x${dnsCategories.dns_next_resolver}`));
  const answer = await caller.ask(root, "dnsresolve", [name, category]);
  if (answer.kind === "failed") return undefined;
  return refusable(() => {
    const { bits, record } = resolved.read(answer.stack, "exact");
    if (record === undefined || bits < BigInt((zone.length - 1) * 8)) return undefined;
    const next = dnsRecord.load(sliceOf(record));
    return next.kind === "nextResolver" ? next.resolver : undefined;
  });
}
