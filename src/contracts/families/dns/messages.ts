import type { Body } from "../../kit/declare.ts";
import { bits256, ref } from "../../kit/fields.ts";
import { queryBody } from "../../kit/queryBody.ts";
import { dnsRecord } from "./records.ts";

// change_dns_record#4eb1f0f9 query_id:uint64 key:bits256 value:^DNSRecord
export const changeDnsRecord = queryBody("change_dns_record", 0x4eb1f0f9, { key: bits256, value: ref(dnsRecord) });
/** Also used for renewal, with key zero. */
export const deleteDnsRecord = queryBody("delete_dns_record", 0x4eb1f0f9, { key: bits256 });

export const dnsBalanceRelease = queryBody("dns_balance_release", 0x4ed14b65);
export const processGovernanceDecision = queryBody("process_governance_decision", 0x44beae41);
export const auctionFillUp = queryBody("auction_fill_up", 0x370fec51);
export const outbidNotification = queryBody("outbid_notification", 0x557cea20);

/** In the order they are tried. */
export const dnsBodies: readonly Body<unknown>[] = [
  changeDnsRecord,
  deleteDnsRecord,
  dnsBalanceRelease,
  processGovernanceDecision,
  auctionFillUp,
  outbidNotification,
];
