import { contract } from "../../kit/contract.ts";

export const subscriptionV1 = contract({
  name: "subscription_v1",
  methods: ["get_subscription_data"],
});

export const subscriptionV2 = contract({
  name: "subscription_v2",
  codes: ["XUG7cGLs/yqv7/IFppEtfFyyIwjbHRLCCH3IzAORwy4="],
  methods: ["get_subscription_info", "get_payment_info", "get_cron_info"],
});
