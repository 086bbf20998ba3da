import { declareFamily } from "../../engine/declareFamily.ts";
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
import { cocoonBodies } from "./messages.ts";
import { clientWithdrawMatcher, grantRefundMatcher, proxyPayoutMatcher, workerPayoutMatcher } from "./payouts.ts";

const types = [
  "cocoon_worker_payout",
  "cocoon_proxy_payout",
  "cocoon_proxy_charge",
  "cocoon_client_top_up",
  "cocoon_register_proxy",
  "cocoon_unregister_proxy",
  "cocoon_client_register",
  "cocoon_client_change_secret_hash",
  "cocoon_client_request_refund",
  "cocoon_grant_refund",
  "cocoon_client_increase_stake",
  "cocoon_client_withdraw",
];

/** The Cocoon network: proxies, workers and clients. */
export const family = declareFamily({
  bodies: cocoonBodies,
  matchers: {
    workerPayout: workerPayoutMatcher,
    proxyPayout: proxyPayoutMatcher,
    proxyCharge: proxyChargeMatcher,
    topUp: clientTopUpMatcher,
    registerProxy: registerProxyMatcher,
    unregisterProxy: unregisterProxyMatcher,
    register: clientRegisterMatcher,
    changeSecretHash: changeSecretHashMatcher,
    requestRefund: requestRefundMatcher,
    grantRefund: grantRefundMatcher,
    increaseStake: increaseStakeMatcher,
    withdraw: clientWithdrawMatcher,
  },
  types: { v4: types, sets: { cocoon: types } },
});
