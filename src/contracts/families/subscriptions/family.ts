import { declareFamily } from "../../engine/declareFamily.ts";
import { contract } from "../../kit/contract.ts";
import { subscribeMatcher, unsubscribeMatcher } from "./actions.ts";
import { subscriptionsBodies } from "./messages.ts";

const subscriptionV1 = contract({ name: "subscription_v1", methods: ["get_subscription_data"] });

const subscriptionV2 = contract({
  name: "subscription_v2",
  codes: ["XUG7cGLs/yqv7/IFppEtfFyyIwjbHRLCCH3IzAORwy4="],
  methods: ["get_subscription_info", "get_payment_info", "get_cron_info"],
});

/** Subscription plugins of wallets. */
export const family = declareFamily({
  bodies: subscriptionsBodies,
  interfaces: [subscriptionV1, subscriptionV2],
  matchers: { subscribe: subscribeMatcher, unsubscribe: unsubscribeMatcher },
  types: { v1: ["subscribe", "unsubscribe"] },
});
