import type { Matcher } from "../../engine/matcher.ts";
import {
  changeSecretHashMatcher,
  clientRegisterMatcher,
  clientTopUpMatcher,
  increaseStakeMatcher,
  proxyChargeMatcher,
  registerProxyMatcher,
  requestRefundMatcher,
  unregisterProxyMatcher,
} from "./clients.ts";
import { clientWithdrawMatcher, grantRefundMatcher, proxyPayoutMatcher, workerPayoutMatcher } from "./payouts.ts";

/** In the order they are looked for. */
export const cocoonMatchers: readonly Matcher[] = [
  workerPayoutMatcher,
  proxyPayoutMatcher,
  proxyChargeMatcher,
  clientTopUpMatcher,
  registerProxyMatcher,
  unregisterProxyMatcher,
  clientRegisterMatcher,
  changeSecretHashMatcher,
  requestRefundMatcher,
  grantRefundMatcher,
  increaseStakeMatcher,
  clientWithdrawMatcher,
];
