import type { Body } from "../../kit/declare.ts";
import { bits256, bits512, ref, uint32 } from "../../kit/fields.ts";
import { queryBody } from "../../kit/queryBody.ts";

/** Opcodes of messages to and from the elector. */
export const electorOpcodes = {
  newStake: 0x4e73744b,
  stakeAccepted: 0xf374484c,
  stakeRejected: 0xee6f454c,
  recoverStake: 0x47657424,
  stakeRecovered: 0xf96f7324,
  recoverFailed: 0xfffffffe,
  newComplaint: 0x52674370,
  complaintVote: 0x56744370,
};

// elector_new_stake#4e73744b query_id:uint64 validator_pubkey:bits256 stake_at:uint32 max_factor:uint32
//   adnl_addr:bits256 signature:^bits512
export const electorNewStake = queryBody("elector_new_stake", electorOpcodes.newStake, {
  validatorPubkey: bits256,
  stakeAt: uint32,
  maxFactor: uint32,
  adnlAddr: bits256,
  signature: ref(bits512),
});
export const electorNewStakeConfirmation = queryBody("elector_new_stake_confirmation", electorOpcodes.stakeAccepted);
export const electorRecoverStakeRequest = queryBody("elector_recover_stake_request", electorOpcodes.recoverStake);
export const electorRecoverStakeResponse = queryBody("elector_recover_stake_response", electorOpcodes.stakeRecovered);

/** In the order they are tried. */
export const electionsBodies: readonly Body<unknown>[] = [
  electorNewStake,
  electorNewStakeConfirmation,
  electorRecoverStakeRequest,
  electorRecoverStakeResponse,
];
