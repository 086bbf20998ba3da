import { declareFamily } from "../../engine/declareFamily.ts";
import { dnsChangeMatcher, dnsPurchaseMatcher, dnsReleaseMatcher } from "./actions.ts";
import { dns } from "./interfaces.ts";
import { dnsBodies } from "./messages.ts";

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
