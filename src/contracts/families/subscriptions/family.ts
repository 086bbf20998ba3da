import { declareFamily } from "../../engine/declareFamily.ts";
import { subscribeMatcher, unsubscribeMatcher } from "./actions.ts";
import { subscriptionV1, subscriptionV2 } from "./interfaces.ts";
import { subscriptionsBodies } from "./messages.ts";

/** Subscription plugins of wallets. */
export const family = declareFamily({
  bodies: subscriptionsBodies,
  interfaces: [subscriptionV1, subscriptionV2],
  matchers: { subscribe: subscribeMatcher, unsubscribe: unsubscribeMatcher },
  types: { v1: ["subscribe", "unsubscribe"] },
});
