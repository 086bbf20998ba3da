import { declareFamily } from "../../engine/declareFamily.ts";
import { contract } from "../../kit/contract.ts";
import { describedData } from "../../kit/dataLayout.ts";
import { dnsChangeMatcher, dnsPurchaseMatcher, dnsReleaseMatcher } from "./actions.ts";
import { getAuctionInfo, getLastFillUpTime } from "./auction.ts";
import { domainItemCodes } from "./collections.ts";
import { dnsresolve, getDomain, getFullDomain } from "./entry.ts";
import {
  auctionFillUp,
  changeDnsRecord,
  deleteDnsRecord,
  dnsBalanceRelease,
  dnsBodies,
  outbidNotification,
  processGovernanceDecision,
} from "./messages.ts";

const dns = contract({
  name: "dns",
  methods: [dnsresolve],
  furtherMethods: [getDomain, getFullDomain, getAuctionInfo, getLastFillUpTime],
  receives: [changeDnsRecord, deleteDnsRecord, dnsBalanceRelease, processGovernanceDecision, auctionFillUp],
  sends: [outbidNotification],
  storage: [
    describedData(
      {
        index: "uint256",
        collection: "address",
        owner: "address?",
        content: "cell",
        domain: { ref: "text" },
        auction: {
          maybe: {
            ref: {
              struct: [
                { name: "max_bidder", type: "address?" },
                { name: "max_bid", type: "coins" },
                { name: "end_at", type: "uint64" },
              ],
            },
          },
        },
        lastFillUpTime: "uint64",
      },
      domainItemCodes.slice(0, 1),
    ),
  ],
});

const recordTypes = ["change_dns", "delete_dns", "renew_dns"];
const tradeTypes = ["dns_purchase", "dns_release"];
const types = [...recordTypes, ...tradeTypes];

/** Domain names: records, purchases and releases. */
export const family = declareFamily({
  bodies: dnsBodies,
  interfaces: [dns],
  matchers: { release: dnsReleaseMatcher, purchase: dnsPurchaseMatcher, change: dnsChangeMatcher },
  types: { v1: recordTypes, v3: tradeTypes, sets: { dns: types, "dns.v2": types, "nft.v3": tradeTypes } },
});
