import { type Body, body } from "../../kit/declare.ts";
import { bits256, bits512, queryId, ref, uint32 } from "../../kit/fields.ts";

// elector_new_stake#4e73744b query_id:uint64 validator_pubkey:bits256 stake_at:uint32 max_factor:uint32
//   adnl_addr:bits256 signature:^bits512
export const electorNewStake = body("elector_new_stake", 0x4e73744b, {
  queryId,
  validatorPubkey: bits256,
  stakeAt: uint32,
  maxFactor: uint32,
  adnlAddr: bits256,
  signature: ref(bits512),
});
export const electorNewStakeConfirmation = body("elector_new_stake_confirmation", 0xf374484c, { queryId });
export const electorRecoverStakeRequest = body("elector_recover_stake_request", 0x47657424, { queryId });
export const electorRecoverStakeResponse = body("elector_recover_stake_response", 0xf96f7324, { queryId });

/** In the order they are tried. */
export const electionsBodies: readonly Body<unknown>[] = [
  electorNewStake,
  electorNewStakeConfirmation,
  electorRecoverStakeRequest,
  electorRecoverStakeResponse,
];
