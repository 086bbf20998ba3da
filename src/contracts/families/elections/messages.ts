import type { Body } from "../../kit/declare.ts";
import { bits256, bits512, ref, uint32 } from "../../kit/fields.ts";
import { queryBody } from "../../kit/queryBody.ts";

// elector_new_stake#4e73744b query_id:uint64 validator_pubkey:bits256 stake_at:uint32 max_factor:uint32
//   adnl_addr:bits256 signature:^bits512
export const electorNewStake = queryBody("elector_new_stake", 0x4e73744b, {
  validatorPubkey: bits256,
  stakeAt: uint32,
  maxFactor: uint32,
  adnlAddr: bits256,
  signature: ref(bits512),
});
export const electorNewStakeConfirmation = queryBody("elector_new_stake_confirmation", 0xf374484c);
export const electorRecoverStakeRequest = queryBody("elector_recover_stake_request", 0x47657424);
export const electorRecoverStakeResponse = queryBody("elector_recover_stake_response", 0xf96f7324);

/** In the order they are tried. */
export const electionsBodies: readonly Body<unknown>[] = [
  electorNewStake,
  electorNewStakeConfirmation,
  electorRecoverStakeRequest,
  electorRecoverStakeResponse,
];
