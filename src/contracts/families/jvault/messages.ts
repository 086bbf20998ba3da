import { type Body, bareOpcode } from "../../kit/declare.ts";
import { bool, coins, maybeRef } from "../../kit/fields.ts";
import { queryBody, quietQueryBody } from "../../kit/queryBody.ts";

export const jvaultUnstakeJettons = queryBody("jvault_unstake_jettons", 0x499a9262, {
  jettonsToUnstake: coins,
  forceUnstake: bool,
});
/** The same without the fields that early pools did not send. */
export const jvaultUnstakeJettonsShort = quietQueryBody("jvault_unstake_jettons", 0x499a9262, {
  jettonsToUnstake: coins,
});
export const jvaultUnstakeRequestBody = queryBody("jvault_unstake_request", 0x0168d4b7, { jettonsToUnstake: coins });
/** The jettons are the keys (addresses) of a dictionary. */
export const jvaultClaimRewards = quietQueryBody("jvault_claim_rewards_msg", 0x78d9f109, { jettonsToClaim: maybeRef });

export const jvaultReceiveJettons = bareOpcode("jvault_receive_jettons", 0xd68a4ac1);
export const jvaultSendClaimedRewards = bareOpcode("jvault_send_claimed_rewards", 0x44bc1fe3);
export const jvaultRequestUpdateRewards = bareOpcode("jvault_request_update_rewards", 0xf5c5baa3);
export const jvaultUpdateRewards = bareOpcode("jvault_update_rewards", 0xae9307ce);
export const jvaultRequestUpdateReferrer = bareOpcode("jvault_request_update_referrer", 0x55c35b40);
export const jvaultUpdateReferrer = bareOpcode("jvault_update_referrer", 0x076ee4e0);
export const jvaultSetData = bareOpcode("jvault_set_data", 0x383411ea);

/** The public index has no name for it. */
export const jvaultCancelStake = bareOpcode("jvault_cancel_stake", 0x9eada1d9);

/** In the order they are tried. */
export const jvaultBodies: readonly Body<unknown>[] = [
  jvaultUnstakeJettons,
  jvaultUnstakeRequestBody,
  jvaultClaimRewards,
  jvaultReceiveJettons,
  jvaultSendClaimedRewards,
  jvaultRequestUpdateRewards,
  jvaultUpdateRewards,
  jvaultRequestUpdateReferrer,
  jvaultUpdateReferrer,
  jvaultSetData,
];
