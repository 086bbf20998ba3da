import { bigInt, bool, cell, int32, maybe, ref, tagged, uint8, uint32, unit, type ValueOf } from "../../cell/codec.ts";
import { dictionary } from "../../cell/dictionary.ts";
import { uintKey } from "../../cell/keys.ts";
import { checked } from "../checked.ts";
import { hash } from "../Hash.ts";

// cfg_vote_cfg#36 min_tot_rounds:(## 8) max_tot_rounds:(## 8) { min_tot_rounds <= max_tot_rounds }
//   min_wins:uint8 max_losses:uint8 min_store_sec:(## 32) max_store_sec:(## 32)
//   { min_store_sec <= max_store_sec } bit_price:uint32 cell_price:uint32 = ConfigProposalSetup;
const ConfigProposalSetup = checked(
  tagged("#36", {
    minTotalRounds: uint8,
    maxTotalRounds: uint8,
    minWins: uint8,
    maxLosses: uint8,
    minStoreSeconds: uint32,
    maxStoreSeconds: uint32,
    bitPrice: uint32,
    cellPrice: uint32,
  }),
  (s) => s.minTotalRounds <= s.maxTotalRounds && s.minStoreSeconds <= s.maxStoreSeconds,
  "min_tot_rounds <= max_tot_rounds, min_store_sec <= max_store_sec",
);

// cfg_vote_setup#91 normal_params:^ConfigProposalSetup critical_params:^ConfigProposalSetup = ConfigVotingSetup;
export const ConfigVotingSetup = tagged("#91", {
  normalParams: ref(ConfigProposalSetup),
  criticalParams: ref(ConfigProposalSetup),
});

// cfg_proposal#f3 param_id:int32 param_value:(Maybe ^Cell) if_hash_equal:(Maybe uint256) = ConfigProposal;
export const ConfigProposal = tagged("#f3", { paramId: int32, value: maybe(cell), ifHashEqual: maybe(hash) });

// cfg_proposal_status#ce expires:uint32 proposal:^ConfigProposal is_critical:Bool voters:(HashmapE 16 True)
//   remaining_weight:int64 validator_set_id:uint256 rounds_remaining:uint8 wins:uint8 losses:uint8
//   = ConfigProposalStatus;
export const ConfigProposalStatus = tagged("#ce", {
  expiresAt: uint32,
  proposal: ref(ConfigProposal),
  isCritical: bool,
  voters: dictionary(uintKey(16), unit),
  remainingWeight: bigInt(64),
  validatorSetId: hash,
  roundsRemaining: uint8,
  wins: uint8,
  losses: uint8,
});
export type ConfigProposalStatus = ValueOf<typeof ConfigProposalStatus>;
