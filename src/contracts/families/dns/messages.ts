import { type Body, body } from "../../kit/declare.ts";
import { bits256, queryId, ref } from "../../kit/fields.ts";
import { dnsRecord } from "./records.ts";

// change_dns_record#4eb1f0f9 query_id:uint64 key:bits256 value:^DNSRecord
export const changeDnsRecord = body("change_dns_record", 0x4eb1f0f9, { queryId, key: bits256, value: ref(dnsRecord) });
/** Also used for renewal, with key zero. */
export const deleteDnsRecord = body("delete_dns_record", 0x4eb1f0f9, { queryId, key: bits256 });

export const dnsBalanceRelease = body("dns_balance_release", 0x4ed14b65, { queryId });
export const processGovernanceDecision = body("process_governance_decision", 0x44beae41, { queryId });
export const auctionFillUp = body("auction_fill_up", 0x370fec51, { queryId });
export const outbidNotification = body("outbid_notification", 0x557cea20, { queryId });

/** In the order they are tried. */
export const dnsBodies: readonly Body<unknown>[] = [
  changeDnsRecord,
  deleteDnsRecord,
  dnsBalanceRelease,
  processGovernanceDecision,
  auctionFillUp,
  outbidNotification,
];
