import { declareFamily } from "../../engine/declareFamily.ts";
import { contract } from "../../kit/contract.ts";
import { dnsChangeMatcher, dnsPurchaseMatcher, dnsReleaseMatcher } from "./actions.ts";
import { dnsBodies } from "./messages.ts";

const dns = contract({ name: "dns", methods: ["dnsresolve"] });

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
